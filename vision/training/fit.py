"""What all trainers share: shards, a schedule, averaged weights, and a checkpoint to go on from."""

from __future__ import annotations

import argparse
import copy
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast to learn."""

    steps: int
    rate: float = 3e-3
    warm_up: int = 200
    decay: float = 0.02
    keep_every: int = 500
    average: float = 0.998


def arguments(about: str | None, steps: int) -> argparse.ArgumentParser:
    """The options that all trainers have."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--data", type=Path, default=Path("work/data"))
    parser.add_argument("--art", type=Path, default=Path("work/art"))
    parser.add_argument("--out", type=Path, default=Path("work/run"))
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start-from", type=Path, help="weights to begin with when there is no checkpoint yet")
    return parser


def decode(code: np.ndarray) -> np.ndarray:
    """RGB of JPEG bytes."""
    return cv2.cvtColor(cv2.imdecode(code, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)


class Shelf:
    """The shards of one kind that are there by now; looks again for new ones now and then."""

    def __init__(self, folder: Path, what: str, held_back: int = 1) -> None:
        self._folder, self._what, self._held_back = folder, what, held_back
        self.shards: list[dict[str, np.ndarray]] = []
        self._paths: list[Path] = []
        self.look()

    def look(self) -> None:
        """Load the shards that came since; the first *held_back* are for the test."""
        paths = sorted(p for p in self._folder.glob(f"{self._what}_[0-9]*.npz") if ".part" not in p.name)
        for path in paths[self._held_back :]:
            if path not in self._paths:
                with np.load(path) as shard:
                    self.shards.append({key: shard[key] for key in shard.files})
                self._paths.append(path)

    def held_back(self) -> list[dict[str, np.ndarray]]:
        """The shards to test with."""
        paths = sorted(p for p in self._folder.glob(f"{self._what}_[0-9]*.npz") if ".part" not in p.name)
        out = []
        for path in paths[: self._held_back]:
            with np.load(path) as shard:
                out.append({key: shard[key] for key in shard.files})
        return out

    def pick(self, rng: np.random.Generator, starts: str) -> tuple[dict[str, np.ndarray], int]:
        """A shard and the number of a picture in it, any picture as likely as any other."""
        sizes = np.array([len(s[starts]) - 1 for s in self.shards])
        shard = self.shards[int(rng.choice(len(sizes), p=sizes / sizes.sum()))]
        return shard, int(rng.integers(len(shard[starts]) - 1))


Batch = tuple[Tensor, ...]


def fit(
    net: nn.Module,
    name: str,
    plan: Plan,
    out: Path,
    batches: Callable[[int], Iterator[Batch]],
    loss_of: Callable[[nn.Module, Batch], Tensor],
    test: Callable[[nn.Module], str],
    start_from: Path | None = None,
) -> None:
    """Learn, and write ``out/name.pt`` (averaged weights) beside the checkpoint ``out/name.ckpt``.

    *batches* is given the step to go on from. Prints a line each hundred steps and the test at checkpoints.
    """
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    out.mkdir(parents=True, exist_ok=True)
    net = net.to(memory_format=torch.channels_last)
    mean = copy.deepcopy(net)
    optimiser = torch.optim.AdamW(net.parameters(), lr=plan.rate, weight_decay=plan.decay)
    step, checkpoint = 0, out / f"{name}.ckpt"
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=True)
        net.load_state_dict(saved["net"])
        mean.load_state_dict(saved["mean"])
        optimiser.load_state_dict(saved["optimiser"])
        step = saved["step"]
        print(f"{name}: going on from step {step}", flush=True)
    elif start_from is not None:
        net.load_state_dict(torch.load(start_from, weights_only=True))
        mean.load_state_dict(net.state_dict())
    began, shown, losses = time.time(), step, []
    source = batches(step)
    while step < plan.steps:
        rise = min(1.0, (step + 1) / plan.warm_up)
        for group in optimiser.param_groups:
            group["lr"] = plan.rate * rise * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * step / plan.steps)))
        net.train()
        loss = loss_of(net, next(source))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step += 1
        losses.append(float(loss.detach()))
        keep = min(plan.average, (1 + step) / (10 + step))
        with torch.no_grad():
            for ours, theirs in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
                if ours.dtype.is_floating_point:
                    ours.lerp_(theirs, 1 - keep)
                else:
                    ours.copy_(theirs)
        if step % 100 == 0:
            pace = (time.time() - began) / (step - shown)
            left = (plan.steps - step) * pace / 60
            late = float(np.mean(losses[-100:]))
            print(
                f"{name} {step}/{plan.steps} loss {late:.4f} {pace:.2f} s a step, {left:.0f} min left",
                flush=True,
            )
        if step % plan.keep_every == 0 or step == plan.steps:
            state = {"net": net.state_dict(), "mean": mean.state_dict(), "optimiser": optimiser.state_dict()}
            torch.save(state | {"step": step}, checkpoint.with_suffix(".new"))
            checkpoint.with_suffix(".new").rename(checkpoint)
            mean.eval()
            torch.save(mean.state_dict(), out / f"{name}.pt")
            with torch.no_grad():
                print(f"{name} {step} test: {test(mean)}", flush=True)


def pictures(frames: list[np.ndarray]) -> Tensor:
    """RGB pictures as a batch (N, 3, H, W), 0 ... 1."""
    batch = torch.from_numpy(np.ascontiguousarray(np.stack(frames).transpose(0, 3, 1, 2))).float() / 255
    return batch.contiguous(memory_format=torch.channels_last)


def relit(batch: Tensor, rng: np.random.Generator) -> Tensor:
    """Each picture a little brighter or darker, in another tint, with other contrast, and some grey."""
    count = len(batch)
    gain = torch.from_numpy(
        rng.uniform(0.75, 1.25, (count, 1, 1, 1)) * rng.uniform(0.93, 1.07, (count, 3, 1, 1))
    ).float()
    lift = torch.from_numpy(rng.uniform(-0.06, 0.06, (count, 1, 1, 1))).float()
    return (batch * gain + lift).clamp(0, 1)
