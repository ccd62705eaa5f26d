"""The notes of a step of Marie's cake, each with its rule."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.game import Note, Seat, SectionKind, Step, remove_cards, visible_to, winners_by
from .model import PILES, RANKS, Cards, Claim, Command, Deal, Open, Rule, Settle, State, Take, Vote
from .rules import (
    MAX_EATEN,
    VALUES,
    acquirer,
    acquirers,
    all_voted,
    is_disputed,
    phase,
    result,
    score,
    voters,
    youngest,
)


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    """Yield the notes of a step; the cards of a hand and a vote only to the seats that may know them."""
    seat, after = step.seat, step.after
    match step.command:
        case Deal():
            yield from _dealt(after)
        case Open(pile):
            yield from _opened(seat, pile, after, viewer)
        case Take(cards):
            yield from _took(seat, cards, after, viewer)
        case Vote(content):
            yield from _voted(seat, content, after, viewer)
        case Claim(owner):
            yield _claimed(seat, owner, after)
        case Settle(eat):
            yield from _settled(seat, step.before.acquired, eat, after)


def _dealt(after: State) -> Iterator[Note]:
    piles, size = PILES[after.seats]
    yield Note.of("dealt", Rule.CAKE_1, begins=SectionKind.DEAL, piles=piles, size=size, out=len(after.out))
    yield Note.of("rounds", Rule.CAKE_2, rounds=piles)
    yield Note.of("first-elder", Rule.CAKE_3, seat=after.elder, youngest=youngest(after))


def _opened(seat: Seat, pile: int, after: State, viewer: Seat | None) -> Iterator[Note]:
    number = after.piles.count(())
    yield Note.of("opened", Rule.CAKE_4, begins=SectionKind.ROUND, round=number, seat=seat, pile=pile)
    if visible_to(viewer, seat):
        yield Note.of("looked", Rule.CAKE_4, seat=seat, cards=after.hand)


def _took(seat: Seat, cards: Cards, after: State, viewer: Seat | None) -> Iterator[Note]:
    heir = Seat((seat + 1) % after.seats)
    if visible_to(viewer, seat):
        yield Note.of("took-cards", Rule.CAKE_5, begins=SectionKind.TURN, seat=seat, cards=cards, to=heir)
    else:
        yield Note.of("took", Rule.CAKE_5, begins=SectionKind.TURN, seat=seat, to=heir)
    if not after.hand:
        yield from _turned_up(after)
    elif visible_to(viewer, heir):
        yield Note.of("received", Rule.CAKE_5, seat=heir, cards=after.hand)


def _turned_up(after: State) -> Iterator[Note]:
    yield Note.of("youngest", Rule.CAKE_6, seat=youngest(after))
    for seat, pair in enumerate(after.pairs):
        yield Note.of("turned-up", Rule.CAKE_7, seat=seat, cards=pair)
    key = "elder-votes" if after.options.elder_votes else "elder-silent"
    yield Note.of(key, Rule.CAKE_R3, seat=after.elder)


def _voted(seat: Seat, content: bool, after: State, viewer: Seat | None) -> Iterator[Note]:
    if visible_to(viewer, seat):
        yield Note.of("voted-content" if content else "voted-discontent", Rule.CAKE_8, seat=seat)
    else:
        yield Note.of("voted", Rule.CAKE_8, seat=seat)
    if all_voted(after):
        yield from _counted(after)


def _counted(after: State) -> Iterator[Note]:
    discontent = tuple(seat for seat in voters(after) if after.votes[seat] is False)
    yield Note.of("votes", Rule.CAKE_8, discontent=discontent)
    if is_disputed(after):
        yield Note.of("disputed", Rule.CAKE_9, count=len(discontent), order=tuple(acquirers(after)))
        return
    yield Note.of("undisputed", Rule.CAKE_11, count=len(discontent))
    yield Note.of("order", Rule.CAKE_R1, order=tuple(acquirers(after)))
    yield _acquired(after)


def _acquired(after: State) -> Note:
    return Note.of("acquired", Rule.CAKE_11, begins=SectionKind.TURN, seat=acquirer(after), cards=after.acquired)


def _claimed(seat: Seat, owner: Seat, after: State) -> Note:
    if owner == seat:
        return Note.of("claimed-own", Rule.CAKE_10, begins=SectionKind.TURN, seat=seat, cards=after.acquired)
    return Note.of("claimed", Rule.CAKE_9, begins=SectionKind.TURN, seat=seat, owner=owner, cards=after.acquired)


def _settled(seat: Seat, pair: Cards, eat: Cards, after: State) -> Iterator[Note]:
    keep = remove_cards(pair, eat)
    if keep:
        yield Note.of("kept", Rule.CAKE_12, seat=seat, cards=keep)
    if eat:
        yield Note.of("ate", Rule.CAKE_12, seat=seat, cards=eat)
        yield Note.of("face-down", Rule.CAKE_R4, seat=seat)
        if len(after.eaten[seat]) == MAX_EATEN:
            yield Note.of("sated", Rule.CAKE_13, seat=seat, most=MAX_EATEN)
    match phase(after):
        case "settle":
            yield _acquired(after)
        case "open":
            yield Note.of("next-elder", Rule.CAKE_14, seat=after.elder)
        case "over":
            yield from _ended(after)
        case _:
            return


def _ended(after: State) -> Iterator[Note]:
    ended = result(after)
    if ended is None:
        return
    yield from (_scored(after, Seat(seat)) for seat in range(after.seats))
    yield Note.of("scored", Rule.CAKE_15, points=ended.points)
    yield from _tie_breaks(after, winners_by(ended.points))
    if len(ended.winners) > 1:
        yield Note.of("shared", Rule.CAKE_R2, seats=ended.winners)
    else:
        yield Note.of("won", Rule.CAKE_16, seats=ended.winners)


def _scored(state: State, seat: Seat) -> Note:
    """Return the note of what a seat's kept cards score, rank by rank, and its eaten ones."""
    kept, eaten = state.kept[seat], len(state.eaten[seat])
    counts = {rank: kept.count(rank) for rank in RANKS if rank in kept}
    return Note.of(
        "scored-kinds",
        Rule.CAKE_15,
        seat=seat,
        cards=tuple(counts),
        counts=tuple(counts.values()),
        scores=tuple(VALUES[count] for count in counts.values()),
        eaten=eaten,
        points=score(kept, eaten),
    )


def _tie_breaks(state: State, tied: tuple[Seat, ...]) -> Iterator[Note]:
    """Yield a note for each rank, from the 7s down, at which some of the tied seats fall behind."""
    for rank in reversed(RANKS):
        counts = {seat: state.kept[seat].count(rank) for seat in tied}
        ahead = tuple(seat for seat in tied if counts[seat] == max(counts.values()))
        if ahead != tied:
            yield Note.of("tie-break", Rule.CAKE_16, tied=tied, card=rank, seats=ahead)
            tied = ahead
