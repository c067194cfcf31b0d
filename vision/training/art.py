"""Gathers art to train with from installed packages: decks, pictograms and fonts. None of it is shipped.

    python -m vision.training.art --out work/art --npm /path/to/node_modules

Needs Debian's librsvg2-bin and gnome-cards-data, and the npm packages @heruka_urgyen/react-playing-cards,
@iconify-json/game-icons and @iconify-json/mdi; takes whatever of them it finds.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import unquote

import cv2
import numpy as np

from vision.render.cards import HEIGHT, WIDTH

_RANKS = "A23456789TJQK"
_ODD_DECKS = {"swiss-xvii", "Атласные", "guyenne-classic"}
ICON_PX = 96


def _rasterise(svg: Path, width: int, height: int) -> np.ndarray | None:
    """RGBA of an SVG, stretched to that size; None when rsvg-convert cannot."""
    with tempfile.NamedTemporaryFile(suffix=".png") as out:
        command = ["rsvg-convert", "-w", str(width), "-h", str(height), str(svg), "-o", out.name]
        if subprocess.run(command, capture_output=True, timeout=120, check=False).returncode:
            return None
        return cv2.imread(out.name, cv2.IMREAD_UNCHANGED)


def _card(picture: np.ndarray) -> np.ndarray:
    """BGR on white, of our cards' size, without the outline."""
    if picture.shape[2] == 4:
        share = picture[..., 3:].astype(np.float32) / 255
        picture = (picture[..., :3] * share + 255 * (1 - share)).astype(np.uint8)
    inset = 3
    return cv2.resize(picture[inset:-inset, inset:-inset], (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)


def sheet_decks(folder: Path, out: Path) -> int:
    """Decks of which one SVG holds all cards, thirteen in a row: clubs, diamonds, hearts, spades, others."""
    count = 0
    for svg in sorted(folder.glob("*.svgz")):
        if svg.is_symlink() or svg.stem in _ODD_DECKS:
            continue
        sheet = _rasterise(svg, 13 * WIDTH, 5 * HEIGHT)
        if sheet is None:
            continue
        target = out / svg.stem
        target.mkdir(parents=True, exist_ok=True)
        for row, suit in enumerate("cdhs"):
            for column, rank in enumerate(_RANKS):
                part = sheet[row * HEIGHT : (row + 1) * HEIGHT, column * WIDTH : (column + 1) * WIDTH]
                cv2.imwrite(str(target / f"{rank}{suit}.png"), _card(part))
        cv2.imwrite(str(target / "back.png"), _card(sheet[4 * HEIGHT :, 2 * WIDTH : 3 * WIDTH]))
        count += 1
    return count


def uri_decks(library: Path, out: Path) -> int:
    """Decks kept as data URIs in a script, each SVG telling its own card."""
    count = 0
    for script in sorted(library.glob("?c?.js")):
        target = out / script.stem
        target.mkdir(parents=True, exist_ok=True)
        for uri in re.findall(r'"data:image/svg\+xml,(%3Csvg[^"]*)"', script.read_text()):
            svg = unquote(uri)
            told = re.search(r"face='([2-9TJQKA1])([CDHSB])'", svg)
            if told is None:
                continue
            name = "back" if told[2] == "B" else told[1] + told[2].lower()
            with tempfile.NamedTemporaryFile("w", suffix=".svg") as file:
                file.write(svg)
                file.flush()
                picture = _rasterise(Path(file.name), WIDTH + 8, HEIGHT + 8)
            if picture is not None:
                cv2.imwrite(str(target / f"{name}.png"), _card(picture))
        count += 1
    return count


def pictograms(collection: Path, how_many: int, seed: int) -> np.ndarray:
    """Masks (N, 96, 96) of icons chosen at random, rasterised twenty by twenty at once."""
    icons = json.loads((collection / "icons.json").read_text())
    size = icons.get("width", icons.get("height", 16))
    rng = np.random.default_rng(seed)
    names = sorted(name for name, icon in icons["icons"].items() if not icon.get("hidden"))
    chosen = [names[i] for i in rng.permutation(len(names))[:how_many]]
    masks = []
    side = 20
    for start in range(0, len(chosen), side * side):
        some = chosen[start : start + side * side]
        bodies = "".join(
            f'<svg x="{i % side * 100}" y="{i // side * 100}" width="96" height="96" '
            f'viewBox="0 0 {size} {size}">{icons["icons"][name]["body"]}</svg>'
            for i, name in enumerate(some)
        )
        with tempfile.NamedTemporaryFile("w", suffix=".svg") as file:
            total = side * 100
            file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{total}">{bodies}</svg>')
            file.flush()
            sheet = _rasterise(Path(file.name), total, total)
        if sheet is None:
            continue
        for i in range(len(some)):
            y, x = i // side * 100, i % side * 100
            mask = sheet[y : y + ICON_PX, x : x + ICON_PX, 3]
            if 0.04 < mask.mean() / 255 < 0.9:
                masks.append(mask)
    return np.array(masks, np.uint8)


def main() -> None:
    """Gather everything that is installed, and say how much of it there was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("work/art"))
    parser.add_argument("--npm", type=Path, default=Path("node_modules"))
    parser.add_argument("--sheets", type=Path, default=Path("/usr/share/aisleriot/cards"))
    given = parser.parse_args()
    decks = given.out / "decks"
    print("decks on one sheet:", sheet_decks(given.sheets, decks), flush=True)
    print(
        "decks in a script:",
        uri_decks(given.npm / "@heruka_urgyen/react-playing-cards/lib", decks),
        flush=True,
    )
    masks = [
        pictograms(given.npm / "@iconify-json" / name, how_many, 1)
        for name, how_many in (("game-icons", 1600), ("mdi", 800))
        if (given.npm / "@iconify-json" / name).exists()
    ]
    if masks:
        np.save(given.out / "pictograms.npy", np.concatenate(masks))
        print("pictograms:", sum(map(len, masks)), flush=True)


if __name__ == "__main__":
    main()
