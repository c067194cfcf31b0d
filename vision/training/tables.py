"""Random tables to learn from: decks, layouts, light, and things that only look like cards."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from engine.cards import PACK
from vision.render import cards, things
from vision.render.ink import Pixels, rounded
from vision.render.mats import Mat
from vision.render.scene import HOUSE_LOOK, Hand, Placed
from vision.render.view import View
from vision.training.designs import OWN, own_design, random_design

Rng = np.random.Generator

FONT_FOLDERS = ("truetype/dejavu", "truetype/liberation2", "truetype/lato", "opentype/urw-base35")
_UNFIT_FONTS = ("Symbol", "Dingbats", "D050000L", "StandardSymbols", "Z003", "Hairline", "Chancery")


@lru_cache(maxsize=1)
def fonts() -> tuple[str, ...]:
    """The font files of Debian's packages that are installed, and Pillow's own."""
    found = [
        str(path)
        for folder in FONT_FOLDERS
        for path in sorted(Path("/usr/share/fonts", folder).glob("*.[to]t[f]"))
        if not any(word in path.name for word in _UNFIT_FONTS)
    ]
    return ("", *found)


@lru_cache(maxsize=1)
def packaged(art: Path) -> tuple[Path, ...]:
    """The folders of packaged decks."""
    return tuple(sorted(path for path in (art / "decks").glob("*") if path.is_dir()))


@lru_cache(maxsize=600)
def _picture(path: Path) -> Pixels:
    sheet = cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB)
    mask = rounded(cards.WIDTH, cards.HEIGHT, 3.2 * cards.PX_PER_MM)
    return np.dstack([sheet, mask])


@dataclass(slots=True)
class Looks:
    """What a table's things look like; another one every few tables."""

    rng: Rng
    art: Path
    kept: dict[tuple[str, str, bool], Pixels] = field(default_factory=dict)
    deck: cards.Deck | Path = field(init=False)
    index_corners: int = field(init=False)
    house: bool = field(init=False)
    other_back: cards.Deck | None = field(init=False)

    def __post_init__(self) -> None:
        choice = self.rng.random()
        folders = packaged(self.art)
        self.house = choice < 0.03
        if self.house:
            self.deck = cards.house_deck()
        elif choice < 0.36 and folders:
            self.deck = folders[int(self.rng.integers(len(folders)))]
        else:
            self.deck = cards.random_deck(self.rng, fonts())
        self.index_corners = self.deck.index_corners if isinstance(self.deck, cards.Deck) else 2
        self.other_back = cards.random_deck(self.rng) if self.rng.random() < 0.6 else None

    def __call__(self, placed: Placed) -> Pixels:
        key = (placed.kind, placed.what, placed.face_up)
        if key not in self.kept:
            self.kept[key] = self._draw(placed)
        return self.kept[key]

    def _draw(self, placed: Placed) -> Pixels:
        rng = self.rng
        match placed.kind:
            case "card" if self.house:
                return HOUSE_LOOK(placed)
            case "card" if not placed.face_up and self.other_back is not None:
                return cards.back(self.other_back)
            case "card" if isinstance(self.deck, Path):
                name = placed.what if placed.face_up else "back"
                path = self.deck / f"{name}.png"
                return _picture(path) if path.exists() else cards.back(cards.random_deck(rng))
            case "card":
                return self._own_card(placed)
            case "piece":
                return self._piece(placed)
            case "die":
                r, g, b = (int(c) for c in rng.integers(0, 256, 3))
                dark = r + g + b > 380
                ink = (20, 20, 24) if dark else (244, 244, 240)
                colour = (244, 242, 236) if rng.random() < 0.5 else (r, g, b)
                ink = (20, 20, 24) if sum(colour) > 380 else ink
                return things.die(int(placed.what), colour, ink, float(round(rng.uniform(12, 20))))
            case "chip":
                r, g, b = (int(c) for c in rng.integers(0, 256, 3))
                stripe = (244, 242, 236) if rng.random() < 0.7 else tuple(int(c) for c in rng.integers(0, 256, 3))
                label = str(rng.choice(["", "", "5", "10", "25", "100"]))
                return things.chip((r, g, b), stripe, int(rng.integers(4, 9)), label)
            case _ if placed.what.startswith("marker"):
                return marker(int(placed.what[6:]))
            case _:
                return things.clutter(int(placed.what))

    def _own_card(self, placed: Placed) -> Pixels:
        assert isinstance(self.deck, cards.Deck)
        return cards.face(self.deck, cards.Card.parse(placed.what)) if placed.face_up else cards.back(self.deck)

    def _piece(self, placed: Placed) -> Pixels:
        if placed.what in OWN:
            picture = own_design(placed.what)
        else:
            picture = random_design(self.rng, self.art, fonts())
        zoom = self.rng.uniform(0.8, 1.15)
        return np.asarray(cv2.resize(picture, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA), np.uint8)


@lru_cache(maxsize=50)
def marker(number: int) -> Pixels:
    """A printed calibration marker with its white rim: the commonest thing on a table that is no card."""
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side = round((36 + number % 3 * 6) * cards.PX_PER_MM)
    sheet = np.full((side * 5 // 4, side * 5 // 4, 4), 255, np.uint8)
    edge = side // 8
    square = np.asarray(cv2.aruco.generateImageMarker(words, number, side), np.uint8)
    sheet[edge : edge + side, edge : edge + side, :3] = np.maximum(square, 18)[..., None]
    return sheet


_WOODS = (
    (150, 98, 56),
    (186, 140, 90),
    (96, 60, 36),
    (60, 40, 28),
    (206, 176, 132),
    (120, 84, 60),
    (222, 206, 180),
)
_FELTS = ((28, 92, 62), (20, 70, 50), (24, 48, 110), (110, 24, 34), (34, 34, 40), (60, 110, 90))


def random_mat(rng: Rng, width_mm: float, height_mm: float) -> Mat:
    """A table top of any common kind."""
    style = str(rng.choice(["felt", "wood", "cloth", "plain"], p=[0.2, 0.38, 0.22, 0.2]))
    if style == "wood":
        base = np.array(_WOODS[int(rng.integers(len(_WOODS)))])
    elif style == "felt" and rng.random() < 0.8:
        base = np.array(_FELTS[int(rng.integers(len(_FELTS)))])
    elif rng.random() < 0.4:
        base = np.full(3, rng.integers(15, 250))
    else:
        base = rng.integers(15, 245, 3)
    r, g, b = (int(c) for c in np.clip(base + rng.integers(-14, 15, 3), 4, 252))
    return Mat(width_mm, height_mm, style, (r, g, b), int(rng.integers(1 << 20)), markers=bool(rng.random() < 0.2))


def camera(rng: Rng, size: tuple[int, int], px_per_mm: float, middle_mm: tuple[float, float], steep: float) -> View:
    """A camera anywhere above *middle_mm*, leaning by up to *steep* degrees, in any common light."""
    width, height = size
    turn, towards = rng.uniform(0, 2 * np.pi, 2)
    tilt = np.deg2rad(steep) * rng.random() ** 1.5
    about_z = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    axis = np.array([np.sin(towards), -np.cos(towards), 0.0]) * tilt
    rotation = about_z @ cv2.Rodrigues(axis)[0]
    reach = max(width, height) / px_per_mm * rng.uniform(0.9, 2.0)
    pose = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, reach]])
    focal = px_per_mm * reach
    frame = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    centre = np.array([[1, 0, -middle_mm[0]], [0, 1, -middle_mm[1]], [0, 0, 1]])
    matrix = frame @ pose @ centre
    level = rng.uniform(0.35, 1.15) if rng.random() < 0.6 else rng.uniform(0.8, 1.05)
    warm = rng.normal(0.04, 0.09)
    glare = (0.0, 0.0, 1.0, 0.0)
    if rng.random() < 0.25:
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        glare = (float(x), float(y), float(width * rng.uniform(0.05, 0.3)), float(rng.uniform(0.15, 0.9)))
    return View(
        width,
        height,
        tuple(float(v) for v in matrix.ravel()),
        gains=(
            float(level * (1 + warm)),
            float(level * (1 + rng.normal(0, 0.02))),
            float(level * (1 - 1.6 * warm)),
        ),
        slope=(float(rng.normal(0, 0.2)), float(rng.normal(0, 0.2))),
        vignette=float(rng.uniform(0, 0.35)),
        glare=glare,
        blur_px=float(rng.uniform(0, 1.1) if rng.random() < 0.7 else 0.0),
        noise=float(rng.choice([0, 1, 2, 3, 4, 6, 8, 10], p=[0.2, 0.1, 0.2, 0.15, 0.1, 0.1, 0.1, 0.05])),
    )


def spoil(picture: Pixels, rng: Rng) -> Pixels:
    """Loss of resolution, contrast and soft shadows, each on some pictures."""
    height, width = picture.shape[:2]
    if rng.random() < 0.25:
        less = rng.uniform(0.4, 0.9)
        small = cv2.resize(picture, None, fx=less, fy=less, interpolation=cv2.INTER_AREA)
        picture = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.2:
        mask = np.zeros((height // 4 + 1, width // 4 + 1), np.float32)
        corners = rng.uniform(-0.2, 1.2, (int(rng.integers(3, 6)), 2)) * (width // 4, height // 4)
        cv2.fillPoly(mask, [corners.astype(np.int32)], 1.0)
        mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(1, 10))
        shade = 1 - rng.uniform(0.15, 0.6) * cv2.resize(mask, (width, height))
        picture = (picture * shade[..., None]).astype(np.uint8)
    if rng.random() < 0.3:
        lift, power = rng.uniform(-12, 25), rng.uniform(0.75, 1.3)
        table = np.clip(255 * (np.arange(256) / 255) ** power + lift, 0, 255).astype(np.uint8)
        picture = cv2.LUT(picture, table)
    if rng.random() < 0.12:
        length = int(rng.integers(2, 6))
        kernel = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1 / length
        picture = cv2.filter2D(picture, -1, kernel if rng.random() < 0.5 else kernel.T)
    return np.asarray(picture, np.uint8)


def _a_card(rng: Rng, x: float, y: float, turn: float, backs: float) -> Placed:
    return Placed(str(PACK[int(rng.integers(52))]), x, y, turn, "card", bool(rng.random() >= backs))


def group(rng: Rng, x: float, y: float, backs: float) -> list[Placed]:
    """A few cards as they lie on tables: alone, in rows, fans, cascades, piles and tricks."""
    turn = float(rng.uniform(0, 360))
    backs = float(rng.choice([0.0, backs, 1.0], p=[0.45, 0.35, 0.2]))

    def at(along: float, across: float) -> tuple[float, float]:
        c, s = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
        return x + along * c - across * s, y + along * s + across * c

    match int(rng.choice(6, p=[0.26, 0.2, 0.22, 0.08, 0.12, 0.12])):
        case 0:
            return [_a_card(rng, x, y, turn, backs)]
        case 1:
            gap_x, gap_y = 63 + rng.uniform(-4, 14), 88 + rng.uniform(-4, 14)
            rows, columns = int(rng.integers(1, 3)), int(rng.integers(2, 6))
            return [
                _a_card(rng, *at(gap_x * i, gap_y * j), turn + rng.normal(0, 2.0), backs)
                for j in range(rows)
                for i in range(columns)
            ]
        case 2:
            step, bend = rng.uniform(9, 36), rng.uniform(-2, 9)
            count = int(rng.integers(2, 9))
            fan = [_a_card(rng, *at(step * i, 0.6 * bend * i), turn + bend * i, backs) for i in range(count)]
            return fan if rng.random() < 0.7 else fan[::-1]
        case 3:
            step = rng.uniform(14, 45)
            return [
                _a_card(rng, *at(rng.normal(0, 2), step * i), turn + rng.normal(0, 2), backs)
                for i in range(int(rng.integers(2, 6)))
            ]
        case 4:
            spread = rng.uniform(1, 8)
            return [
                _a_card(
                    rng,
                    *(np.array([x, y]) + rng.normal(0, spread, 2)),
                    turn + rng.normal(0, 1.5 * spread),
                    backs,
                )
                for _ in range(int(rng.integers(2, 9)))
            ]
        case _:
            return [
                _a_card(rng, *(np.array([x, y]) + rng.normal(0, 30, 2)), float(rng.uniform(0, 360)), backs)
                for _ in range(int(rng.integers(2, 6)))
            ]


def small_things(rng: Rng, x: float, y: float) -> list[Placed]:
    """Pieces, chips or dice, a few of one kind."""
    kind = rng.choice(["piece", "die", "chip"], p=[0.5, 0.2, 0.3])
    spread = rng.uniform(20, 70)
    out = []
    for _ in range(int(rng.integers(1, 7))):
        px, py = np.array([x, y]) + rng.normal(0, spread, 2)
        turn = float(rng.uniform(0, 360))
        if kind == "piece":
            own = rng.random() < 0.45
            what = str(rng.choice(np.array(OWN))) if own else f"other{int(rng.integers(8))}"
            out.append(Placed(what, px, py, turn, "piece", True))
        elif kind == "die":
            out.append(Placed(str(rng.integers(1, 7)), px, py, turn, "die"))
        else:
            out.append(Placed(str(rng.integers(6)), px, py, turn, "chip"))
    return out


def a_hand(rng: Rng, x: float, y: float) -> Hand:
    """A hand and its arm from any side."""
    skin = np.array([[214, 164, 134], [236, 190, 164], [150, 100, 70], [90, 60, 44]])[int(rng.integers(4))]
    r, g, b = (int(c) for c in skin + rng.integers(-12, 13, 3))
    sleeve = tuple(int(c) for c in rng.integers(10, 240, 3))
    return Hand(x, y, float(rng.uniform(0, 360)), (r, g, b), sleeve, float(rng.uniform(0.8, 1.2)))
