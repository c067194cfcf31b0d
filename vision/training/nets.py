"""The four nets: localiser, refiner, reader and embedding. Batch norm goes away on export."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

KIND_COUNT = 4


def conv(inward: int, outward: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """Convolution, norm and ReLU."""
    return nn.Sequential(
        nn.Conv2d(inward, outward, size, stride, size // 2, bias=False),
        nn.BatchNorm2d(outward),
        nn.ReLU(True),
    )


class Localiser(nn.Module):
    """Pictures -> a centre heat map a kind and the geometry of the box there, at a quarter of the size."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.PixelUnshuffle(2), conv(12, 24, 2), conv(24, 24))
        self.eighth = nn.Sequential(conv(24, 48, 2), conv(48, 48), conv(48, 48))
        self.sixteenth = nn.Sequential(conv(48, 64, 2), conv(64, 64), conv(64, 64))
        self.deep = nn.Sequential(conv(64, 96, 2), conv(96, 96))
        self.up16, self.mix16 = conv(96, 64, size=1), conv(64, 64)
        self.up8, self.mix8 = conv(64, 48, size=1), conv(48, 48)
        self.up4, self.mix4 = conv(48, 32, size=1), nn.Sequential(conv(32, 32), conv(32, 32))
        self.skip4 = conv(24, 32, size=1)
        self.heat = nn.Conv2d(32, KIND_COUNT, 1)
        self.geometry = nn.Conv2d(32, 6, 1)
        nn.init.constant_(self.heat.bias, -4.0)
        with torch.no_grad():
            self.geometry.bias.copy_(torch.tensor([0.5, 0.5, 3.5, 3.9, 0.0, 0.0]))

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the heat (the exported net gives probabilities) and the geometry."""
        quarter = self.stem(image)
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        deep = self.deep(sixteenth)

        def twice(x: Tensor) -> Tensor:
            return functional.interpolate(x, scale_factor=2.0, mode="nearest")

        sixteenth = self.mix16(twice(self.up16(deep)) + sixteenth)
        eighth = self.mix8(twice(self.up8(sixteenth)) + eighth)
        quarter = self.mix4(twice(self.up4(eighth)) + self.skip4(quarter))
        return self.heat(quarter), self.geometry(quarter)


class Refiner(nn.Module):
    """Rough crops (N, 3, 136, 96) -> where the four corners are in them (N, 8), in shares of the crop."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.PixelUnshuffle(2),
            conv(12, 16, 2),
            *(conv(16, 32, 2), conv(32, 32), conv(32, 48, 2), conv(48, 48), conv(48, 48, 2)),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(48 * 5 * 3, 128), nn.ReLU(True), nn.Linear(128, 8))
        share = 0.5 / 1.3
        low, high = 0.5 - share, 0.5 + share
        with torch.no_grad():
            self.head[-1].weight.mul_(0.1)
            self.head[-1].bias.copy_(torch.tensor([low, low, high, low, high, high, low, high]))

    def forward(self, crop: Tensor) -> Tensor:
        """The corners: x and y of top left, top right, bottom right, bottom left."""
        return self.head(self.body(crop))


class Reader(nn.Module):
    """Rectified cards (N, 3, 160, 112) -> logits of kind (3), rank (13) and suit (4)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.PixelUnshuffle(2),
            conv(12, 16, 2),
            *(conv(16, 16), conv(16, 40, 2), conv(40, 40), conv(40, 64, 2), conv(64, 64), conv(64, 48, 2)),
        )
        self.shared = nn.Sequential(nn.Flatten(), nn.Dropout(0.1), nn.Linear(48 * 5 * 4, 128), nn.ReLU(True))
        self.kind, self.rank, self.suit = nn.Linear(128, 3), nn.Linear(128, 13), nn.Linear(128, 4)

    def forward(self, crop: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits; the exported net gives probabilities."""
        seen = self.shared(self.body(crop))
        return self.kind(seen), self.rank(seen), self.suit(seen)


class Embedding(nn.Module):
    """Round pieces (N, 3, 96, 96) -> unit vectors (N, 64), near each other for one design at any rotation."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.PixelUnshuffle(2),
            conv(12, 24, 2),
            *(conv(24, 24), conv(24, 48, 2), conv(48, 48), conv(48, 64, 2), conv(64, 64), conv(64, 96, 2, 1)),
        )
        self.head = nn.Linear(96 * 3 * 3, 64, bias=False)
        self.centred = nn.BatchNorm1d(64)

    def forward(self, crop: Tensor) -> Tensor:
        """The embedding, of length one."""
        seen = self.body(crop).flatten(1)
        # in full precision: at first all embeddings are almost one, and bfloat16 would not see them apart
        with torch.autocast("cpu", enabled=False):
            return functional.normalize(self.centred(self.head(seen.float())), dim=1)
