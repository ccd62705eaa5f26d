"""How Marie's cake tells and shows itself: the notes of a step, each with its rule, and the scene of a view."""

from __future__ import annotations

from collections.abc import Iterator

from ...core import game as k
from .model import Cards, Claim, Command, Deal, Open, Rule, Settle, State, Take, Vote, all_voted
from .rules import MAX_EATEN, PILES, RANKS, VALUES, acquirer, acquirers, is_disputed, phase, result, score, youngest
from .view import View


def explain(step: k.Step[State, Command], viewer: int | None) -> Iterator[k.Note]:
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


def _dealt(after: State) -> Iterator[k.Note]:
    piles, size = PILES[after.seats]
    yield k.Note.of("dealt", Rule.CAKE_1, begins=k.SectionKind.DEAL, piles=piles, size=size, out=len(after.out))
    yield k.Note.of("rounds", Rule.CAKE_2, rounds=piles)
    yield k.Note.of("first-elder", Rule.CAKE_3, seat=after.elder, youngest=youngest(after))


def _opened(seat: int, pile: int, after: State, viewer: int | None) -> Iterator[k.Note]:
    number = after.piles.count(())
    yield k.Note.of("opened", Rule.CAKE_4, begins=k.SectionKind.ROUND, round=number, seat=seat, pile=pile)
    if k.visible_to(viewer, seat):
        yield k.Note.of("looked", Rule.CAKE_4, seat=seat, cards=after.hand)


def _took(seat: int, cards: Cards, after: State, viewer: int | None) -> Iterator[k.Note]:
    heir = k.Seat((seat + 1) % after.seats)
    if k.visible_to(viewer, seat):
        yield k.Note.of("took-cards", Rule.CAKE_5, begins=k.SectionKind.TURN, seat=seat, cards=cards, to=heir)
    else:
        yield k.Note.of("took", Rule.CAKE_5, begins=k.SectionKind.TURN, seat=seat, to=heir)
    if not after.hand:
        yield from _turned_up(after)
    elif k.visible_to(viewer, heir):
        yield k.Note.of("received", Rule.CAKE_5, seat=heir, cards=after.hand)


def _turned_up(after: State) -> Iterator[k.Note]:
    yield k.Note.of("youngest", Rule.CAKE_6, seat=youngest(after))
    for seat, pair in enumerate(after.pairs):
        yield k.Note.of("turned-up", Rule.CAKE_7, seat=seat, cards=pair)
    key = "elder-votes" if after.options.elder_votes else "elder-silent"
    yield k.Note.of(key, Rule.CAKE_R3, seat=after.elder)


def _voted(seat: int, content: bool, after: State, viewer: int | None) -> Iterator[k.Note]:
    if k.visible_to(viewer, seat):
        yield k.Note.of("voted-content" if content else "voted-discontent", Rule.CAKE_8, seat=seat)
    else:
        yield k.Note.of("voted", Rule.CAKE_8, seat=seat)
    if all_voted(after):
        yield from _counted(after)


def _counted(after: State) -> Iterator[k.Note]:
    discontent = tuple(k.Seat(seat) for seat, vote in enumerate(after.votes) if vote is False)
    yield k.Note.of("votes", Rule.CAKE_8, discontent=discontent)
    if is_disputed(after):
        yield k.Note.of("disputed", Rule.CAKE_9, count=len(discontent), order=tuple(acquirers(after)))
        return
    yield k.Note.of("undisputed", Rule.CAKE_11, count=len(discontent))
    yield k.Note.of("order", Rule.CAKE_R1, order=tuple(acquirers(after)))
    yield _acquired(after)


def _acquired(after: State) -> k.Note:
    return k.Note.of("acquired", Rule.CAKE_11, begins=k.SectionKind.TURN, seat=acquirer(after), cards=after.acquired)


def _claimed(seat: int, owner: int, after: State) -> k.Note:
    if owner == seat:
        return k.Note.of("claimed-own", Rule.CAKE_10, begins=k.SectionKind.TURN, seat=seat, cards=after.acquired)
    return k.Note.of("claimed", Rule.CAKE_9, begins=k.SectionKind.TURN, seat=seat, owner=owner, cards=after.acquired)


def _settled(seat: int, pair: Cards, eat: Cards, after: State) -> Iterator[k.Note]:
    keep = k.remove_cards(pair, eat)
    if keep:
        yield k.Note.of("kept", Rule.CAKE_12, seat=seat, cards=keep)
    if eat:
        yield k.Note.of("ate", Rule.CAKE_12, seat=seat, cards=eat)
        yield k.Note.of("face-down", Rule.CAKE_R4, seat=seat)
        if len(after.eaten[seat]) == MAX_EATEN:
            yield k.Note.of("sated", Rule.CAKE_13, seat=seat, most=MAX_EATEN)
    match phase(after):
        case "settle":
            yield _acquired(after)
        case "open":
            yield k.Note.of("next-elder", Rule.CAKE_14, seat=after.elder)
        case "over":
            yield from _ended(after)
        case _:
            return


def _ended(after: State) -> Iterator[k.Note]:
    ended = result(after)
    if ended is None:
        return
    yield from (_scored(after, k.Seat(seat)) for seat in range(after.seats))
    yield k.Note.of("scored", Rule.CAKE_15, points=ended.points)
    yield from _tie_breaks(after, k.winners_by(ended.points))
    if len(ended.winners) > 1:
        yield k.Note.of("shared", Rule.CAKE_R2, seats=ended.winners)
    else:
        yield k.Note.of("won", Rule.CAKE_16, seats=ended.winners)


def _scored(state: State, seat: int) -> k.Note:
    """Return the note of what a seat's kept cards score, rank by rank, and its eaten ones."""
    kept, eaten = state.kept[seat], len(state.eaten[seat])
    counts = {rank: kept.count(rank) for rank in RANKS if rank in kept}
    return k.Note.of(
        "scored-kinds",
        Rule.CAKE_15,
        seat=seat,
        cards=tuple(counts),
        counts=tuple(counts.values()),
        scores=tuple(VALUES[count] for count in counts.values()),
        eaten=eaten,
        points=score(kept, eaten),
    )


def _tie_breaks(state: State, tied: tuple[int, ...]) -> Iterator[k.Note]:
    """Yield a note for each rank, from the 7s down, at which some of the tied seats fall behind."""
    for rank in reversed(RANKS):
        counts = {seat: state.kept[seat].count(rank) for seat in tied}
        ahead = tuple(seat for seat in tied if counts[seat] == max(counts.values()))
        if ahead != tied:
            yield k.Note.of("tie-break", Rule.CAKE_16, tied=tied, card=rank, seats=ahead)
            tied = ahead


TINTS = ("red", "orange", "yellow", "green", "blue", "purple", "ink")


def face(card: k.Card) -> k.Face:
    """Return how a card looks."""
    return k.Face(str(card), TINTS[card - 1])


def scene(view: View) -> k.Scene:
    """Return the scene of a view."""
    table = k.Place(
        seat=None,
        zones=(k.Zone("zone-piles", _piles(view)), k.Zone("zone-out", k.card_bundle(view.out, face, view.out_size))),
        facts=(k.Fact("fact-round", view.round, PILES[view.seats][0]),),
    )
    return k.Scene(view.viewer, table, tuple(_place(view, k.Seat(seat)) for seat in range(view.seats)))


def _piles(view: View) -> tuple[k.Thing, ...]:
    piles = enumerate(zip(view.piles, view.pile_sizes, strict=True))
    return tuple(thing for i, (pile, size) in piles for thing in k.card_bundle(pile, face, size, ("pile", i), i + 1))


def _place(view: View, seat: int) -> k.Place:
    asked = seat in view.to_act
    in_hand = k.card_things(view.hand, face, view.hand_size, "card") if view.phase == "take" and asked else ()
    acquired = k.card_things(view.acquired, face, kind="card") if view.phase == "settle" and asked else ()
    kept, eaten = view.kept[seat], view.eaten_sizes[seat]
    return k.Place(
        seat=seat,
        zones=(
            k.Zone("zone-hand", in_hand),
            k.Zone("zone-pair", k.card_bundle(view.pairs[seat], face, view.pair_sizes[seat], ("pair", seat))),
            k.Zone("zone-acquired", acquired),
            k.Zone("zone-kept", k.card_things(kept, face)),
            k.Zone("zone-eaten", k.card_bundle(view.eaten[seat], face, eaten)),
        ),
        facts=(k.Fact("fact-points", score(kept, eaten)), k.Fact("fact-eaten", eaten, MAX_EATEN)),
        marks=_marks(view, seat),
    )


def _marks(view: View, seat: int) -> tuple[str, ...]:
    marks = ["mark-elder"] if seat == view.elder and view.phase != "over" else []
    if view.voted[seat]:
        marks.append({None: "mark-voted", True: "mark-content", False: "mark-discontent"}[view.votes[seat]])
    return tuple(marks)


def parts(command: Command) -> tuple[k.Part, ...]:
    """Return the parts of a command; a settle names the cards to eat, then the button that keeps the rest."""
    match command:
        case Open(pile):
            return (("pile", pile),)
        case Take(cards):
            return k.card_parts(cards)
        case Vote(content):
            return (("vote", "content" if content else "discontent"),)
        case Claim(owner):
            return (("pair", owner),)
        case Settle(eat):
            return (*k.card_parts(eat), ("keep", "rest"))
        case Deal():
            return ()
