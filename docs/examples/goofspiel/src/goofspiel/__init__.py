"""Goofspiel: all bid for a prize at once, face down, and the highest bid takes it. The most points win."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from kifu.core import game as k


class Rule(k.RuleBook):
    """The rulebook, a sentence a member: `GOO_1` is rule GOO-1. A ruling of your own is `GOO_R1`."""

    GOO_1 = "The prizes lie in a row, shuffled or in order, and the first is turned up; each seat has the same bids."
    GOO_2 = "For each prize everybody bids one card of the hand, face down, in any order."
    GOO_3 = "When all have bid, the bids are turned up, and the highest takes the prize, if nobody else bid as much."
    GOO_4 = "After the last prize the most points win; ties share the victory, or are a draw."


Cards = tuple[k.Card, ...]


@k.options
class Options:
    """The options of the game; each has a default."""

    size: Literal[4, 7, 10, 13] = 13
    """How many prizes there are, and bids in each hand."""
    order: Literal["shuffled", "ascending", "descending"] = "shuffled"
    """In which order the prizes come; nothing is dealt where it is known."""


@k.command("deal")
class Deal:
    """The shuffled prizes, the first one to be bid for first."""

    prizes: Cards = k.secret()


@k.command("bid")
class Bid:
    """A card of the hand, face down."""

    card: k.Card = k.secret()


Command = Deal | Bid


def turned_up(state: State, viewer: int | None) -> bool | tuple[bool, ...]:
    """Everybody, of those that have been turned up; all of them where their order is known (GOO-1)."""
    if state.options.order != "shuffled":
        return True
    return tuple(at <= len(state.shown[0]) for at in range(len(state.prizes)))


@k.state
class State:
    """The whole table. What can be derived is not stored."""

    options: Options
    prizes: Cards = k.seen_by(turned_up, sizes="")
    """All prizes in their order; before the deal there are none."""
    hands: tuple[Cards, ...] = k.own()
    bids: tuple[k.Card | None, ...] = k.own(sizes="has_bid")
    """The bids that lie face down."""
    shown: tuple[Cards, ...] = k.public()
    """Each seat's bids that were turned up, round by round."""


def numbers(options: Options) -> Cards:
    """Return the prizes, ascending; each hand is the same."""
    return tuple(k.Card(number) for number in range(1, options.size + 1))


def start(options: Options, seats: int) -> State:
    """Return the state before the first event (GOO-1)."""
    known = {"shuffled": (), "ascending": numbers(options), "descending": numbers(options)[::-1]}
    return State(options, known[options.order], (numbers(options),) * seats, (None,) * seats, ((),) * seats)


def to_act(state: State) -> frozenset[int]:
    """Return the seats that are to act: the table where prizes are dealt, then all who have not bid yet."""
    if not state.prizes:
        return k.DEALER
    return frozenset(seat for seat, hand in enumerate(state.hands) if hand and state.bids[seat] is None)


def deal(state: State, shuffler: k.Shuffler) -> Deal:
    """Return the table's command."""
    return Deal(shuffler.shuffle(numbers(state.options)))


def apply(state: State, seat: int, command: Command) -> State:
    """Return the state after a command; raises `Illegal` if a rule forbids it."""
    if isinstance(command, Bid):
        return _bid(state, seat, command.card)
    k.check_deck(k.DEALER, seat, command.prizes, numbers(state.options))
    return k.evolve(state, prizes=command.prizes)


def _bid(state: State, seat: int, card: k.Card) -> State:
    """Bid a card face down; the last one turns all of them up (GOO-2, GOO-3)."""
    k.check_cards(seat, [card], numbers(state.options))
    if card not in state.hands[seat]:
        raise k.Illegal("GOO-2", card=card)

    hands = k.replace_at(state.hands, seat, k.remove_card(state.hands[seat], card))
    bids = k.replace_at(state.bids, seat, card)
    if None in bids:
        return k.evolve(state, hands=hands, bids=bids)
    shown = tuple((*cards, card) for cards, card in zip(state.shown, bids, strict=True) if card is not None)
    return k.evolve(state, hands=hands, bids=(None,) * len(bids), shown=shown)


def legal(state: State, seat: int) -> Iterator[Command]:
    """Yield exactly the commands that `apply` accepts from a seat that is to act."""
    return map(Bid, state.hands[seat])


def taker(bids: Sequence[k.Card]) -> int | None:
    """Return the seat whose bid takes the prize; None if two bid as much (GOO-3)."""
    return bids.index(max(bids)) if bids.count(max(bids)) == 1 else None


def points(prizes: Sequence[k.Card | None], shown: tuple[Cards, ...]) -> tuple[int, ...]:
    """Return the sum of the prizes that each seat has taken."""
    takers = [taker(bids) for bids in zip(*shown, strict=True)]
    return tuple(
        sum(prize or 0 for prize, by in zip(prizes, takers, strict=False) if by == seat) for seat in range(len(shown))
    )


def scores(state: State) -> tuple[int, ...]:
    """Return the score of each seat so far."""
    return points(state.prizes, state.shown)


def result(state: State) -> k.Result | None:
    """Return the points and the seats with the most, once nobody is to act (GOO-4)."""
    return None if to_act(state) else k.Result(scores(state), k.winners_by(scores(state)))


def determinize(view: Any, shuffler: k.Shuffler) -> State:
    """Return a state with this view, in which the bids and prizes that it does not show are drawn anew."""
    whole = numbers(view.options)
    left = list(shuffler.shuffle(k.unseen_cards(whole, [prize for prize in view.prizes if prize])))
    prizes = tuple(left.pop() if prize is None else prize for prize in view.prizes)
    hands, bids = list(view.hands), list(view.bids)
    for seat, hand in enumerate(view.hands):
        if hand is None:
            unseen = list(shuffler.shuffle(k.unseen_cards(whole, view.shown[seat])))
            bids[seat] = unseen.pop() if view.has_bid[seat] else None
            hands[seat] = tuple(sorted(unseen))
    return k.state_behind(State, view, prizes=prizes, hands=tuple(hands), bids=tuple(bids))


def explain(step: k.Step[State, Command], viewer: int | None) -> Iterator[k.Note]:
    """Yield the notes of a step that a seat may see; the text of each is the message `note-KEY`."""
    before, after = step.before, step.after
    if before == start(before.options, len(before.hands)):  # without a deal the first bid tells the set-up
        yield k.Note.of(
            "laid-out", Rule.GOO_1, begins=k.SectionKind.ROUND, count=len(after.prizes), prize=after.prizes[0]
        )
    if isinstance(step.command, Deal):
        return
    yield k.Note.of("bid", Rule.GOO_2, begins=k.SectionKind.TURN, seat=step.seat)
    if after.shown != before.shown:
        bids, turn = tuple(cards[-1] for cards in after.shown), len(after.shown[0])
        by, prize = taker(bids), after.prizes[turn - 1]
        if by is None:
            yield k.Note.of("tied", Rule.GOO_3, cards=bids, prize=prize)
        else:
            yield k.Note.of("taken", Rule.GOO_3, cards=bids, prize=prize, seat=by)
        if turn < len(after.prizes):
            yield k.Note.of("prize", Rule.GOO_1, prize=after.prizes[turn])
    ended = result(after)
    if ended is not None:
        yield k.Note.of("won", Rule.GOO_4, seats=ended.winners, points=ended.points)


def face(card: k.Card) -> k.Face:
    """Return how a card looks."""
    return k.Face(str(card))


def scene(view: Any) -> k.Scene:
    """Return the prize of this round and all in a row, a track that the match walks along, then every seat."""
    turn, total = len(view.shown[0]), len(view.prizes)
    prizes = tuple(k.Thing(() if prize is None else (face(prize),)) for prize in view.prizes)
    row = k.Zone("zone-prizes", prizes, k.track([str(number + 1) for number in range(total)]))
    fact = k.Fact("fact-prize", min(turn + 1, total), total)
    middle = k.Place(None, (k.Zone("zone-prize", prizes[turn : turn + 1]), row), (fact,))
    return k.Scene(view.viewer, middle, tuple(_place(view, seat) for seat in range(len(view.hand_sizes))))


def _place(view: Any, seat: int) -> k.Place:
    """Return what lies before a seat; its first fact is its score."""
    hand, bid = view.hands[seat], view.bids[seat]
    return k.Place(
        seat,
        zones=(
            k.Zone("zone-hand", k.card_things(hand, face, view.hand_sizes[seat], "card")),
            k.Zone("zone-bid", k.card_things(None if bid is None else [bid], face, int(view.has_bid[seat]))),
            k.Zone("zone-shown", k.card_things(view.shown[seat], face)),
        ),
        facts=(k.Fact("fact-points", view.points[seat]),),
    )


GAME = k.Game.of(__name__, seats=range(2, 6), state=State, book=Rule, texts=__name__)
