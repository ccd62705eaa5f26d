"""What clients were told: an answer that contradicts another one is a violation at once."""

from __future__ import annotations

from typing import Any

from attrs import define, field, frozen

from ...game import Seat
from ...host import HistoryEntry, Observation, Proposal, Terms
from ...stores import FINISHED
from .newer_rounds import in_common
from .world import World

Viewer = tuple[str, Seat | None]
"""A match and a seat, None for a spectator."""


@frozen
class Acknowledged:
    """A command that a host has acknowledged."""

    match: str
    seat: Seat
    idempotency_key: bytes
    seq: int
    expected_events: int
    """After how many events it was chosen."""


@define
class Known:
    """A match that a client knows of."""

    match: str
    terms: Terms
    kind: str
    keys: dict[Seat, str] = field(factory=dict)
    """The keys of its players, as far as they have them."""
    renewed: set[Seat] = field(factory=set)
    """The seats whose keys were asked for anew: a request that was late may have replaced the last one."""
    secrets: dict[tuple[Seat, int], bytes] = field(factory=dict)
    """The secrets of a fair deal that clients have committed to, by seat and attempt."""
    revealed: set[tuple[Seat, int]] = field(factory=set)
    """The seats whose secrets a host has acknowledged, with the attempt."""
    parent: str | None = None
    """The match that it was forked from."""
    shared: int = 0
    """How many events it has in common with its parent."""
    forked_at: int = 0
    """After how many events of its parent the fork was proposed."""


@define
class Progress:
    """How far a watcher is."""

    name: str
    match: str
    fetched: int = 0
    follows_since_ms: float | None = None
    """Since when it has followed at the same host; None between two."""


@define
class Ledger:
    """Everything that any client was told."""

    world: World
    matches: dict[str, Known] = field(factory=dict)
    acknowledged: list[Acknowledged] = field(factory=list)
    watchers: list[Progress] = field(factory=list)
    refused: list[tuple[str, Seat, bytes]] = field(factory=list)
    """The commands that a host has refused: match, seat and idempotency key."""
    shown: dict[Viewer, dict[int, Any]] = field(factory=dict)
    """The command that each viewer was shown of each event, and who acted for the seat."""
    seen: dict[Viewer, dict[int, Any]] = field(factory=dict)
    """What each viewer saw of the table after so many events."""
    _noted: dict[tuple[str, Seat | None, str], tuple[Any, ...]] = field(factory=dict)
    consents: set[tuple[str, Seat, str, int, int | None]] = field(factory=set)
    """What players have proposed or accepted, be it that nobody has heard it: match, seat, kind, target, and after how
    many events it was proposed; None where the player cannot know."""
    decided: dict[tuple[str, int], str] = field(factory=dict)
    """What became of each proposal, by match and number."""
    proposed: dict[str, int] = field(factory=dict)
    """The number of the last proposal of each match that anybody has seen."""
    clocks_agree: bool = True
    """Whether no clock has jumped: where one was put back, a bot acts at once."""
    breaks: bool = False
    """Whether the hosts are upgraded to rules that show seat 1 other notes: a match then ends before they do."""
    asked_for: set[str] = field(factory=set)
    """The matches in which anybody has proposed anything."""
    away: dict[Viewer, dict[int, tuple[frozenset[Seat], int | None]]] = field(factory=dict)
    """Who each viewer was shown as absent after so many events, and which deadline."""
    told: dict[str, tuple[int, bool]] = field(factory=dict)
    """How many events of each match anybody was told of, and whether it was said to have ended."""

    def known_of(self, match: str) -> tuple[int, bool]:
        """Return what anybody was told of a match by now: how many events it has, and whether it has ended."""
        return self.told.get(match, (0, False))

    def tell(self, match: str, count: int, *, ended: bool = False, before: tuple[int, bool] = (0, False)) -> None:
        """Note how far a match is said to be; an answer knows all that anybody was told `before` it was asked for."""
        if (count, ended) < before:
            known = f"{before[0]} events{' and the end' if before[1] else ''}"
            self.world.violate(f"match {match[:4]}: {known} were known, and then {count} events are shown")
        self.told[match] = max(self.known_of(match), (count, ended))

    def acknowledge(self, match: str, seat: Seat, idempotency_key: bytes, seq: int, expected_events: int) -> None:
        """Note a receipt."""
        self.tell(match, seq + 1)
        self.acknowledged.append(Acknowledged(match, seat, idempotency_key, seq, expected_events))

    def show(self, match: str, seat: Seat | None, entry: HistoryEntry, *, marks: bool = True) -> None:
        """Note what a viewer was shown of an event, and what it can hold against the host."""
        self.tell(match, entry.seq + 1)
        is_broken = self.breaks and seat == 1
        notes = () if is_broken else tuple(each for each in entry.notes if not each.momentary)
        self._note(match, seat, f"event {entry.seq}", (entry.seat, entry.command, notes, entry.actor))
        self.shown.setdefault((match, seat), {})[entry.seq] = entry.command, entry.actor
        told = entry.told() if marks and not is_broken else None
        if told is not None:
            what = f"the mark of event {entry.seq}, with {len(entry.notes)} notes"
            self._note(match, seat, what, (told.told, told.mark))

    def decide(self, match: str, proposal: Proposal) -> None:
        """Note what a proposal is said to have become, which it must stay."""
        self.proposed[match] = max(self.proposed.get(match, 0), proposal.number)
        if proposal.state != "pending":
            before = self.decided.setdefault((match, proposal.number), proposal.state)
            if before != proposal.state:
                said = f"proposal {proposal.number} was {before}, and is {proposal.state}"
                self.world.violate(f"match {match[:4]}: {said}")

    def _note(self, match: str, seat: Seat | None, what: str, parts: tuple[Any, ...]) -> None:
        """Note what a viewer was shown, which it must always be shown alike."""
        before = self._noted.setdefault((match, seat, what), parts)
        if before != parts:
            differ = [f"{_cut(one)} or {_cut(other)}" for one, other in zip(before, parts, strict=True) if one != other]
            self.world.violate(f"match {match[:4]}: {what} was shown to {seat} in two ways: {', '.join(differ)}")

    def see(
        self, match: str, seat: Seat | None, observation: Observation, before: tuple[int, bool] = (0, False)
    ) -> None:
        """Note what a viewer saw of the table, and what was known of it when it asked."""
        ended = observation.status in FINISHED
        self.tell(match, observation.count, ended=ended, before=before)
        asks = observation.to_act or observation.legal or observation.deadline_at_ms
        if (ended or observation.stopped is not None) and asks:
            self.world.violate(f"match {match[:4]}: it takes no commands, and asks {seat} for one")
        if observation.legal and seat not in observation.to_act:
            self.world.violate(f"match {match[:4]}: seat {seat} is told what it may do, and is not to act")
        for proposal in observation.proposals:
            if match not in self.asked_for:
                self.world.violate(f"match {match[:4]}: it has a proposal of another match: {proposal.kind}")
            self.decide(match, proposal)
        if observation.view is None:
            return
        view = in_common(observation.view)
        self._note(match, seat, f"the table after {observation.count} events", (view,))
        self.seen.setdefault((match, seat), {})[observation.count] = view
        self.away.setdefault((match, seat), {})[observation.count] = observation.absent, observation.deadline_at_ms


def _cut(value: object) -> str:
    return repr(value)[:120]
