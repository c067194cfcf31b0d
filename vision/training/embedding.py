"""Trains the embedding of round pieces.   python -m vision.training.embedding --steps 5000

Each step draws new designs, so the net never sees one twice: it learns what makes two designs the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from vision.training.designs import OWN, in_style, own_design, random_design, random_style, shot
from vision.training.fit import Batch, Plan, arguments, fit, pictures
from vision.training.nets import Embedding
from vision.training.tables import fonts

DESIGNS = 40
SHOTS = 4
_SHARPNESS = 16.0
_MARGIN = 0.1


def batches(art: Path, rng: np.random.Generator) -> Iterator[Batch]:
    """Shots of designs, and the design's number of each: many of our own set, the rest from strange sets.

    Designs of one set are told apart by little, so they teach most.
    """
    sets: list[list[np.ndarray]] = []
    while True:
        own = [own_design(OWN[i]) for i in rng.choice(len(OWN), DESIGNS * 2 // 5, replace=False)]
        style = random_style(rng)
        sets = [*sets, [in_style(style, rng, art, fonts()) for _ in range(8)]][-40:]
        others = [design for i in rng.permutation(len(sets) - 1)[:6] for design in sets[i]]
        others = sets[-1] + [others[i] for i in rng.permutation(len(others))]
        designs = (own + others)[:DESIGNS]
        frames = [shot(design, rng) for design in designs for _ in range(SHOTS)]
        yield pictures(frames), torch.arange(len(designs)).repeat_interleave(SHOTS)


def loss_of(net: nn.Module, batch: Batch) -> Tensor:
    """Each shot must be nearer to the others of its design than to those of any other."""
    crops, numbers = batch
    with torch.autocast("cpu", torch.bfloat16):
        found = net(crops)
    found = found.float()
    alike = found @ found.T
    same = numbers[:, None] == numbers[None, :]
    itself = torch.eye(len(numbers), dtype=torch.bool)
    logits = _SHARPNESS * (alike - _MARGIN * same.float())
    logits = logits.masked_fill(itself, -1e4)
    likely = logits.log_softmax(1)
    return -(likely * (same & ~itself)).sum() / (same & ~itself).sum()


def tester(art: Path) -> Callable[[nn.Module], str]:
    """A line on designs it has not seen: the nearest of four shots each; and on our own set."""
    rng = np.random.default_rng(99)
    strange = [random_design(rng, art, fonts()) for _ in range(60)]
    own = [own_design(name) for name in OWN]
    sets = {
        name: (
            pictures([shot(d, rng) for d in designs for _ in range(4)]),
            pictures([shot(d, rng) for d in designs for _ in range(6)]),
        )
        for name, designs in (("own", own), ("strange", strange))
    }

    def test(net: nn.Module) -> str:
        said = []
        for name, (gallery, asked) in sets.items():
            known, found = net(gallery), net(asked)
            alike = found @ known.T
            best = alike.max(1)
            right = best.indices // 4 == torch.arange(len(found)) // 6
            same = (torch.arange(len(found)) // 6)[:, None] == (torch.arange(len(known)) // 4)[None, :]
            stranger = alike.masked_fill(same, -1).max(1).values
            mine = alike.masked_fill(~same, -1).max(1).values
            cut = stranger.quantile(0.95)
            kept = float((mine > cut).float().mean())
            said.append(f"{name} {float(right.float().mean()):.4f}, kept {kept:.3f} at {float(cut):.2f}")
        return "; ".join(said)

    return test


def main() -> None:
    """Train, or go on training."""
    given = arguments(__doc__, 5000).parse_args()
    torch.manual_seed(given.seed)

    def source(step: int) -> Iterator[Batch]:
        return batches(given.art, np.random.default_rng([given.seed, step, 3]))

    plan = Plan(given.steps, given.rate)
    fit(Embedding(), "embedding", plan, given.out, source, loss_of, tester(given.art), given.start_from)


if __name__ == "__main__":
    main()
