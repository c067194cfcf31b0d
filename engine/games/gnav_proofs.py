"""What the shown pieces prove about calls, silences and knocks in Gnav (O-GN1 - O-GN5).

O-GN1  A piece whose face is hidden is a *slot*. Swaps, the cat's undoing and the bag move slots about in public;
       a piece shown anywhere gives its slot a face, and with it an answer to all that was said of that slot.
O-GN2  A call says: this slot is that matador. Another face makes it a ``false_call``.
O-GN3  A swap let through says: this slot is no matador. A matador's face makes it ``matador_not_called``.
O-GN4  A knock says: this dealt slot is the fool; no knock says it is not. ``false_knock``, ``knock_missing``.
O-GN5  A face nobody sees is confined to the pieces that lie nowhere else. When the last fool lies elsewhere, a knock
       is false without its own slot being seen. What stays open for ever is ``Undecided``.

A claim is broken by the first event that leaves it no face; a face seen later can break a claim, never mend it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.pieces import PieceTable
from engine.rulings import Fault, Impossible, Undecided
from engine.seats import Seat

Slot = int
"""A piece as everybody can follow it: the slot dealt to seat s is s, those drawn from the bag count on from there."""

Proof = Fault | Impossible


@dataclass(frozen=True, slots=True)
class Claim:
    """By event number *event*, *seat* gave to understand that the face of *slot* is one of *fits*."""

    seat: Seat
    slot: Slot
    fits: frozenset[str]
    clause: str
    event: int
    why: str
    """The fault's code when the claim is broken."""
    question: str
    """The code when it stays open: ``knock_duty``, ``call``, ``let_through``, ``redraw``."""
    thing: str = ""
    """The piece named; empty for a silence, whose fault names the face that breaks it."""


@dataclass(frozen=True, slots=True)
class PutAway:
    """*seat* exchanged *slot* with the bag."""

    seat: Seat
    slot: Slot


@dataclass(frozen=True, slots=True)
class Lying:
    """Where every slot lies, which faces are known, and the claims still open."""

    table: PieceTable
    into_bag: bool
    """True: what is put away goes into the bag and can be drawn again; False: it lies aside (dealer_discard)."""
    dealt: int
    """Slots 1 ... dealt came with the deal (one number a seat, used or not); draw k made slot dealt + k."""
    at: tuple[Slot, ...]
    """The slot before each seat, index seat - 1."""
    faces: tuple[str, ...]
    """The face of each slot, index slot - 1; empty while hidden."""
    put_away: tuple[PutAway, ...] = ()
    """Draw k put away number k - 1 of these."""
    claims: tuple[Claim, ...] = ()

    def slot_of(self, seat: Seat) -> Slot:
        return self.at[seat - 1]

    def face(self, slot: Slot) -> str:
        return self.faces[slot - 1]

    @property
    def in_sight(self) -> frozenset[Slot]:
        """The slots on the table, before a seat or aside: as many different pieces."""
        lying = frozenset(self.at)
        return lying if self.into_bag else lying | {one.slot for one in self.put_away}


def deal_out(table: PieceTable, seats: int, into_bag: bool) -> Lying:
    """O-GN1: one hidden slot before each of *seats* seats."""
    return Lying(table, into_bag, seats, tuple(range(1, seats + 1)), ("",) * seats)


def swap(lying: Lying, one: Seat, other: Seat) -> Lying:
    """What lies before *one* and *other* changes places."""
    at = list(lying.at)
    at[one - 1], at[other - 1] = at[other - 1], at[one - 1]
    return replace(lying, at=tuple(at))


def draw(lying: Lying, seat: Seat) -> Lying:
    """*seat* takes a new slot from the bag, then puts his own away."""
    at = list(lying.at)
    old, at[seat - 1] = at[seat - 1], len(lying.faces) + 1
    return replace(lying, at=tuple(at), faces=(*lying.faces, ""), put_away=(*lying.put_away, PutAway(seat, old)))


def claim(lying: Lying, new: Claim, number: int) -> tuple[Lying, tuple[Proof, ...]]:
    """Hear *new* at event *number*: what is known breaks it, meets it or leaves it open; it may clash with others."""
    clash = _clashes(lying, new)
    face = lying.face(new.slot)
    if face in new.fits:
        return lying, clash
    if face or _no_face_left(lying, new):
        return lying, (*clash, _broken(new, number, face or new.thing))
    return replace(lying, claims=(*lying.claims, new)), clash


def reveal(lying: Lying, slot: Slot, piece: str, number: int) -> tuple[Lying, tuple[Proof, ...]]:
    """O-GN1: event *number* shows that *slot* is *piece*."""
    seen = lying.face(slot)
    if seen:
        return lying, () if seen == piece else (Impossible(number, "not_what_was_seen", piece),)
    faces = (*lying.faces[: slot - 1], piece, *lying.faces[slot:])
    lying = replace(lying, faces=faces)
    proofs: list[Proof] = []
    seen_copies, copies = _seen(lying, piece), lying.table.piece(piece).copies
    if seen_copies > copies:
        proofs.append(Impossible(number, "too_many_copies", piece))
    still_open = []
    for old in lying.claims:
        if old.slot == slot:
            if piece not in old.fits:
                proofs.append(_broken(old, number, piece))
        elif seen_copies >= copies and piece in old.fits and _no_face_left(lying, old):
            proofs.append(_broken(old, number, piece))
        else:
            still_open.append(old)
    return replace(lying, claims=tuple(still_open)), tuple(proofs)


def never_known(lying: Lying) -> tuple[Lying, tuple[Undecided, ...]]:
    """O-GN4: nothing more will be shown; the claims that other faces could still break stay open for ever."""
    every = frozenset(piece.name for piece in lying.table.low_to_high)
    return replace(lying, claims=()), tuple(
        Undecided(old.seat, old.clause, old.event, old.question)
        for old in lying.claims
        if any(_may_be(lying, old.slot, name) for name in every - old.fits)
    )


def could_be(lying: Lying, slot: Slot) -> frozenset[str]:
    """O-GN5: the faces that *slot* can have, by all that has been shown."""
    face = lying.face(slot)
    if face:
        return frozenset((face,))
    return frozenset(piece.name for piece in lying.table.low_to_high if _may_be(lying, slot, piece.name))


def _broken(old: Claim, number: int, proof: str) -> Fault:
    return Fault(old.seat, old.clause, old.event, old.why, number, old.thing or proof, proof)


def _no_face_left(lying: Lying, one: Claim) -> bool:
    return not any(_may_be(lying, one.slot, name) for name in one.fits)


def _may_be(lying: Lying, slot: Slot, piece: str) -> bool:
    """Whether a copy of *piece* is left for the hidden *slot*: not all are seen to lie elsewhere."""
    elsewhere = 0
    for other in lying.in_sight - _may_be_the_same(lying, slot):
        elsewhere += other != slot and lying.face(other) == piece
    return elsewhere < lying.table.piece(piece).copies


def _may_be_the_same(lying: Lying, slot: Slot) -> frozenset[Slot]:
    """A slot put into the bag may have been drawn again: the slots of later draws may be the same piece."""
    if lying.into_bag:
        for times, one in enumerate(lying.put_away, start=1):
            if one.slot == slot:
                return frozenset(range(lying.dealt + times + 1, len(lying.faces) + 1))
    return frozenset()


def _seen(lying: Lying, piece: str) -> int:
    return sum(lying.face(slot) == piece for slot in lying.in_sight)


def _clashes(lying: Lying, new: Claim) -> tuple[Proof, ...]:
    """*new* against what was said before: both cannot be true, whichever is not."""
    found: list[Proof] = []
    for old in lying.claims:
        if old.slot == new.slot and not old.fits & new.fits:
            if old.seat == new.seat:  # one of his two words is false, so he is at fault whatever shows
                knock = "knock_duty" in (old.question, new.question)
                why = "knock_and_call" if knock else "two_answers"
                found.append(Fault(new.seat, new.clause, new.event, why, new.event, new.thing, old.thing))
            else:
                found.append(Impossible(new.event, "two_answers", new.thing))
    if len(new.fits) == 1 and _said_or_seen(lying, new) > lying.table.piece(new.thing).copies:
        found.append(Impossible(new.event, "third_knock" if new.question == "knock_duty" else "third_call", new.thing))
    return tuple(found)


def _said_or_seen(lying: Lying, new: Claim) -> int:
    """On how many slots *new*'s piece lies or is said to lie, *new*'s own included."""
    said = {old.slot for old in lying.claims if old.fits == new.fits}
    seen = {slot for slot in lying.in_sight if lying.face(slot) in new.fits}
    return len(said | seen | {new.slot})
