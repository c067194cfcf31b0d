"""Writes the ONNX files, checks that they say what the nets say, and notes their checksums.

    python -m vision.training.export

Reads ``work/run/NAME.pt``; writes ``vision/models/NAME.onnx``, ``gnav_gallery.npz`` and ``SHA256SUMS``.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from torch import Tensor, nn

from vision.training.designs import OWN, own_design, shot
from vision.training.nets import Embedding, Localiser, Reader, Refiner

MODELS = Path("vision/models")
_MOST_APART = 1e-3
_SHOTS = 12


class _Shown(nn.Module):
    """The localiser or the reader with probabilities for logits."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, picture: Tensor) -> tuple[Tensor, ...]:
        """What the runtime reads."""
        out = self.net(picture)
        if isinstance(self.net, Localiser):
            return out[0].sigmoid(), out[1]
        return tuple(logits.softmax(1) for logits in out)


_NETS = {
    "localiser": (Localiser, "image", ("heat", "geometry"), (1, 3, 384, 544)),
    "refiner": (Refiner, "crop", ("corners",), (2, 3, 136, 96)),
    "reader": (Reader, "crop", ("kind", "rank", "suit"), (2, 3, 160, 112)),
    "embedding": (Embedding, "crop", ("embedding",), (2, 3, 96, 96)),
}


def export(name: str, weights: Path, target: Path) -> float:
    """Write one net and return how far onnxruntime is from torch; RuntimeError when it is too far."""
    make, wanted, told, shape = _NETS[name]
    net = make()
    net.load_state_dict(torch.load(weights, weights_only=True))
    shown = (_Shown(net) if name in ("localiser", "reader") else net).eval()
    example = torch.rand(shape)
    axes: dict[str, dict[int, str]] = {wanted: {0: "count"}, **{out: {0: "count"} for out in told}}
    if name == "localiser":
        axes = {wanted: {2: "height", 3: "width"}, **{out: {2: "rows", 3: "columns"} for out in told}}
    torch.onnx.export(
        shown, (example,), str(target), input_names=[wanted], output_names=list(told), dynamic_axes=axes,
        opset_version=17, dynamo=False,
    )  # fmt: skip
    onnx.checker.check_model(str(target))
    session = onnxruntime.InferenceSession(str(target), providers=["CPUExecutionProvider"])
    other = (1, 3, 320, 416) if name == "localiser" else (5, *shape[1:])
    apart = 0.0
    for size in (shape, other):
        picture = torch.rand(size)
        with torch.no_grad():
            ours = shown(picture)
        theirs = session.run(None, {wanted: picture.numpy()})
        for a, b in zip(ours if isinstance(ours, tuple) else (ours,), theirs, strict=True):
            apart = max(apart, float(np.abs(a.numpy() - b).max()))
    if apart > _MOST_APART:
        raise RuntimeError(f"{name}: onnxruntime and torch differ by {apart}")
    return apart


def gallery(model: Path, target: Path) -> int:
    """Embeddings of our own Gnav set in several turns and lights; returns how many."""
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    rng = np.random.default_rng(21)
    found, labels = [], []
    for number, name in enumerate(OWN):
        shots = np.stack([shot(own_design(name), rng) for _ in range(_SHOTS)])
        batch = shots.transpose(0, 3, 1, 2).astype(np.float32) / 255
        found.append(session.run(None, {"crop": batch})[0])
        labels += [number] * _SHOTS
    np.savez_compressed(
        target,
        names=np.array(OWN),
        embeddings=np.concatenate(found).astype(np.float32),
        labels=np.array(labels),
    )
    return len(labels)


def main() -> None:
    """Export what is trained."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, default=Path("work/run"))
    parser.add_argument("--out", type=Path, default=MODELS)
    parser.add_argument("names", nargs="*", default=list(_NETS))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for name in given.names:
        weights = given.run / f"{name}.pt"
        if not weights.exists():
            print(f"{name}: not trained yet")
            continue
        target = given.out / f"{name}.onnx"
        print(f"{name}: {target.name} differs from torch by {export(name, weights, target):.1e}")
        if name == "embedding":
            print("gallery:", gallery(target, given.out / "gnav_gallery.npz"), "pictures")
    files = sorted(path for path in given.out.iterdir() if path.suffix in (".onnx", ".npz"))
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (given.out / "SHA256SUMS").write_text("".join(lines))
    print("all ONNX:", round(sum(p.stat().st_size for p in files if p.suffix == ".onnx") / 1e6, 2), "MB")


if __name__ == "__main__":
    main()
