"""The simulated camera: what lies on the simulated table, drawn as a camera over it would see it.

It takes pictures only when something moved (the real camera goes on, and the eye looks closely only then): a hand
over the table first, then a few still pictures. The pictures depend on the seed and on what happened, never on the
clock.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable

import numpy as np

from controller.simulated.world import Thing, World
from engine.seats import Seat
from hardware.camera import CameraFrame
from vision.render import Hand, Mat, Placed, Scene, View, over_table, render
from vision.zones import FAN_STEP_MM, Layout, ZoneKind

STILLS = 3
"""Still pictures after each movement, and more as long as the eye wants them ..."""
MOST_STILLS = 16
"""... but no more than this: then it asks, or somebody shifts the card."""
PIXELS = {"gurka": (1600, 900), "gnav": (2304, 1296)}
"""Width and height of the pictures: a piece is smaller than a card, and wants the Pi camera's binned size."""


class SimulatedCamera:
    """A ``FrameSource`` over *world*, whose mat is *layout*; *eye_waits*: whether the eye wants another picture.

    *frames_per_s* None: as fast as they are wanted.
    """

    def __init__(
        self,
        world: World,
        layout: Layout,
        *,
        eye_waits: Callable[[], bool] = lambda: False,
        frames_per_s: float | None = None,
        hands: bool = True,
    ) -> None:
        self._world = world
        self._layout = layout
        self._eye_waits = eye_waits
        self._pause = 0.0 if frames_per_s is None else 1 / frames_per_s
        self._hands = hands
        self._mat = Mat(layout.width_mm, layout.height_mm)
        self._view: View = over_table((layout.width_mm, layout.height_mm), *PIXELS[layout.game])
        self._shown: tuple[Placed, ...] = ()
        self._nudges = 0
        self._left = STILLS
        self._more = MOST_STILLS - STILLS
        self._hand_left = 0
        self._number = 0
        self._wake = asyncio.Event()
        self._wake.set()
        self._quiet = asyncio.Event()

    def stir(self, *, nudge: bool = False) -> None:
        """Something may have moved: if so, take pictures again. *nudge*: things are shifted a little as well."""
        self._nudges += nudge
        placed = self._placed()
        if placed != self._shown:
            self._hand_left = int(self._hands)
        self._left, self._more = STILLS, MOST_STILLS - STILLS
        self._quiet.clear()
        self._wake.set()

    async def quiet(self) -> None:
        """Wait till every picture was taken, and the next is asked for."""
        await self._quiet.wait()

    async def next(self) -> CameraFrame:
        """The next picture; waits while nothing moves."""
        while self._left == 0:
            if self._more and self._eye_waits():
                self._left, self._more = 1, self._more - 1
                break
            self._wake.clear()
            self._quiet.set()
            await self._wake.wait()
        if self._pause:
            await asyncio.sleep(self._pause)
        placed = self._placed()
        # the first picture is of the table as it stands when the camera is switched on, however fast the players are
        hands = self._hand(placed) if self._hand_left and self._number else ()
        if hands:
            self._hand_left -= 1
        else:
            self._left -= 1
        self._number += 1
        seen = self._shown if hands else placed
        pixels = await asyncio.to_thread(self._draw, seen, hands)
        if not hands:
            self._shown = placed
        return CameraFrame(pixels, time.monotonic(), self._number)

    async def close(self) -> None:
        """Nothing to let go."""

    def picture(self) -> np.ndarray:
        """What the camera would see now: for people to look at."""
        return self._draw(self._placed(), ())

    def _draw(self, placed: tuple[Placed, ...], hands: tuple[Hand, ...]) -> np.ndarray:
        rng = np.random.default_rng((self._world.seed, self._number))
        frame, _ = render(Scene(placed, self._mat, hands), self._view, rng)
        return frame

    def _hand(self, placed: tuple[Placed, ...]) -> tuple[Hand, ...]:
        """A hand where the first change is, reaching in from that player's side."""
        moved = [one for one in placed if one not in self._shown] or [one for one in self._shown if one not in placed]
        if not moved:
            return ()
        one = moved[0]
        zone = self._layout.at(one.x_mm, one.y_mm)
        return (Hand(one.x_mm, one.y_mm, 90.0 + (zone.turn_deg if zone else 0)),)

    def _placed(self) -> tuple[Placed, ...]:
        placed: list[Placed] = []
        for seat, laid in self._world.laid.items():
            if self._world.truth.public.game == "gnav":
                piece = (laid or self._world.hands[seat])[0]
                placed.append(self._piece(ZoneKind.SPOT, seat, piece, face_up=bool(laid)))
            else:
                placed += [self._card(seat, place, card) for place, card in enumerate(laid)]
        for place, (seat, piece) in enumerate(self._world.aside.items()):
            shown = seat in self._world.aside_shown
            placed.append(self._piece(ZoneKind.ASIDE, seat, piece, face_up=shown, place=place))
        return tuple(placed)

    def _card(self, seat: Seat, place: int, card: Thing) -> Placed:
        """Cards lie in a fan before the player, each index to be seen."""
        zone = self._layout.zone(ZoneKind.SEAT, seat)
        rng = self._rng(f"{seat} {place}")
        along = (place - 2.5) * FAN_STEP_MM + rng.uniform(-2, 2)
        across = rng.uniform(-3, 3)
        x, y = zone.centre
        turn = np.deg2rad(zone.turn_deg)
        return Placed(
            str(card),
            round(x + along * float(np.cos(turn)) - across * float(np.sin(turn)), 2),
            round(y + along * float(np.sin(turn)) + across * float(np.cos(turn)), 2),
            zone.turn_deg + rng.uniform(-4, 4),
        )

    def _piece(self, kind: ZoneKind, seat: Seat, piece: Thing, *, face_up: bool, place: int = 0) -> Placed:
        zone = self._layout.zone(kind, seat if kind is ZoneKind.SPOT else None)
        rng = self._rng(f"{kind} {seat}")
        x, y = zone.centre
        return Placed(
            "back" if not face_up else str(piece),  # the hidden piece does not even enter the picture
            x + (place * 44.0 - 22.0 if kind is ZoneKind.ASIDE else 0.0) + rng.uniform(-4, 4),
            y + rng.uniform(-4, 4),
            rng.uniform(0, 360),
            "piece",
            face_up,
        )

    def _rng(self, where: str) -> random.Random:
        return random.Random(f"{self._world.seed} {self._world.deals} {where} {self._nudges}")
