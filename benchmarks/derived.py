"""What it costs that a game is derived: High Card as its one file states it, beside the same game written by hand.

    python benchmarks/derived.py [--matches 40] [--repeat 7] [--json FILE]

Both play the same matches, and give the same views, commands, notes and bytes: that is checked first. CPU times, the
best of several rounds that take turns. The ratio is that of the derived game to the one by hand.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from time import process_time
from types import SimpleNamespace
from typing import Any, cast

import attrs
import kifu
import results
from kifu.core import game as k
from kifu.core.log import log_bytes, read_bytes
from kifu.core.match import Position
from kifu.core.match.fold import Fold
from kifu.core.match.header import new_header
from kifu.core.match.random_play import choose
from results import Figure

SEATS = ("Aki", "Ren", "Mio", "Sou")
AIM = 1.5

DERIVED = kifu.games.resolve(str(Path(__file__).parents[1] / "docs" / "examples" / "high_card.py"))
Deal: Any = DERIVED.commands[0]
Lay: Any = DERIVED.commands[1]
HC_1, HC_2, HC_3, HC_4 = DERIVED.book
DECK = tuple(map(k.Card, range(1, 31)))


# The rules.


def to_act(state: Any) -> frozenset[int]:
    if not state.rest:
        return k.DEALER
    return frozenset([seat for seat, hand in enumerate(state.hands) if hand and state.laid[seat] is None])


def legal(state: Any, seat: int) -> list[Any]:
    if seat == k.TABLE or seat not in to_act(state):
        return []
    return [Lay(card) for card in state.hands[seat]]


def apply(state: Any, seat: int, command: Any) -> Any:
    k.check_turn(to_act(state), seat, deals=isinstance(command, Deal))
    if isinstance(command, Deal):
        k.check_deck(k.DEALER, seat, command.cards, DECK)
        seats, size = len(state.hands), state.options.hand
        return k.evolve(state, hands=k.deal_hands(command.cards, seats, size), rest=command.cards[seats * size :])
    if command.card not in state.hands[seat]:
        raise k.RuleViolation(HC_2, seat, card=command.card)
    hands = k.replace_at(state.hands, seat, k.remove_card(state.hands[seat], command.card))
    laid = k.replace_at(state.laid, seat, command.card)
    if None in laid:
        return k.evolve(state, hands=hands, laid=laid)
    turned = tuple([(*cards, card) for cards, card in zip(state.turned, laid, strict=True)])
    return k.evolve(state, hands=hands, laid=(None,) * len(laid), turned=turned)


def scores(state: Any) -> tuple[int, ...]:
    highest = [max(cards) for cards in zip(*state.turned, strict=True)]
    return tuple([sum([card in highest for card in cards]) for cards in state.turned])


def result(state: Any) -> k.Result | None:
    return None if to_act(state) else k.Result(scores(state), k.winners_by(scores(state)))


def cards(state: Any) -> Iterator[Any]:
    laid = [card for card in state.laid if card is not None]
    return chain(chain.from_iterable(state.hands), laid, chain.from_iterable(state.turned), state.rest)


# Who sees what.


@attrs.frozen(slots=False)
class View:
    viewer: int | None
    seats: int
    points: tuple[int, ...]
    to_act: frozenset[int]
    options: Any
    hands: tuple[tuple[Any, ...] | None, ...]
    hand_sizes: tuple[int, ...]
    laid: tuple[Any, ...]
    laid_sizes: tuple[bool, ...]
    turned: tuple[tuple[Any, ...], ...]
    rest: tuple[Any, ...] | None
    rest_size: int


def own_rows(rows: tuple[Any, ...], viewer: int | None) -> tuple[Any, ...]:
    if viewer == k.TABLE:
        return rows
    shown: list[Any] = [None] * len(rows)
    if viewer is not None:
        shown[viewer] = rows[viewer]
    return tuple(shown)


def view(state: Any, viewer: int | None) -> View:
    return View(
        viewer=viewer,
        seats=len(state.hands),
        points=scores(state),
        to_act=to_act(state),
        options=state.options,
        hands=own_rows(state.hands, viewer),
        hand_sizes=tuple([len(hand) for hand in state.hands]),
        laid=own_rows(state.laid, viewer),
        laid_sizes=tuple([card is not None for card in state.laid]),
        turned=state.turned,
        rest=state.rest if viewer == k.TABLE else None,
        rest_size=len(state.rest),
    )


def redact(step: Any, viewer: int | None) -> Any:
    if k.visible_to(viewer, step.seat):
        return step.command
    return k.RedactedCommand("deal" if isinstance(step.command, Deal) else "lay")


def determinize(view: View, shuffler: k.Shuffler) -> Any:
    seen = [hand for hand in view.hands if hand is not None]
    laid = [card for card in view.laid if card is not None]
    pool = list(shuffler.shuffle(k.unseen_cards(DECK, *seen, laid, *view.turned, view.rest or ())))
    hands = []
    for hand, size in zip(view.hands, view.hand_sizes, strict=True):
        hands.append(tuple(sorted([pool.pop() for _ in range(size)])) if hand is None else hand)
    lies = zip(view.laid, view.laid_sizes, strict=True)
    drawn = [pool.pop() if card is None and is_there else card for card, is_there in lies]
    rest = tuple([pool.pop() for _ in range(view.rest_size)]) if view.rest is None else view.rest
    return DERIVED.state(view.options, hands=tuple(hands), laid=tuple(drawn), turned=view.turned, rest=rest)


# The table.


def explain(step: Any, viewer: int | None) -> Iterator[k.Note]:
    before, after, command = step.before, step.after, step.command
    if isinstance(command, Deal):
        yield k.Note.of("deal", HC_1, begins=k.SectionKind.DEAL, seat=step.seat)
        for seat, hand in enumerate(after.hands):
            if k.visible_to(viewer, seat):
                yield k.Note.of("hands-gained", HC_1, seat=seat, cards=hand)
        for seat, hand in enumerate(after.hands):
            if not k.visible_to(viewer, seat):
                yield k.Note.of("hands-more", HC_1, seat=seat, count=len(hand))
        if viewer == k.TABLE:
            yield k.Note.of("rest-gained", HC_1, cards=after.rest)
        else:
            yield k.Note.of("rest-more", HC_1, count=len(after.rest))
    elif k.visible_to(viewer, step.seat):
        yield k.Note.of("lay", HC_2, begins=k.SectionKind.TURN, seat=step.seat, card=command.card)
    else:
        yield k.Note.of("lay-unseen", HC_2, begins=k.SectionKind.TURN, seat=step.seat)
    if after.turned != before.turned:
        for seat, turned in enumerate(after.turned):
            yield k.Note.of("turned-gained", HC_3, seat=seat, cards=turned[-1:])
    ended = result(after)
    if ended is not None:
        yield k.Note.of("won", HC_4, seats=ended.winners, points=ended.points)


def face(card: Any) -> k.Face:
    return k.Face(str(card))


def scene(view: View) -> k.Scene:
    rest = k.card_things(view.rest, face, view.rest_size)
    places = []
    for seat, points in enumerate(view.points):
        hand = k.card_things(view.hands[seat], face, view.hand_sizes[seat], "card")
        laid, is_there = view.laid[seat], view.laid_sizes[seat]
        laid_things = k.card_things(None, face, is_there) if laid is None else k.card_things([laid], face, kind="card")
        zones = (
            k.Zone("zone-hands", hand),
            k.Zone("zone-laid", laid_things),
            k.Zone("zone-turned", k.card_things(view.turned[seat], face, kind="card")),
        )
        places.append(k.Place(seat, zones, (k.Fact("fact-points", points),)))
    return k.Scene(view.viewer, k.Place(None, (k.Zone("zone-rest", rest),)), tuple(places))


def parts(command: Any) -> tuple[k.Part, ...]:
    return (("card", command.card),) if isinstance(command, Lay) else ()


def by_hand() -> k.Game[Any, Any, Any]:
    """Return the game of the functions of this module."""
    rules = ("start", "to_act", "legal", "apply", "result", "deal", "scores", "cards")
    stated = SimpleNamespace(**{name: globals().get(name) or getattr(DERIVED, name) for name in rules})
    secrets = SimpleNamespace(view=view, redact=redact, determinize=determinize)
    table = SimpleNamespace(explain=explain, scene=scene, parts=parts, face=face)
    return k.Game(
        "high_card",
        DERIVED.seats,
        DERIVED.state,
        DERIVED.commands,
        cast("Any", stated),
        DERIVED.options,
        DERIVED.book,
        cast("Any", secrets),
        cast("Any", table),
        texts={"en": DERIVED.english},
    )


# The measure.

Works = dict[str, Callable[[], object]]


def playouts(game: Any, matches: int) -> list[Any]:
    """Play matches with nothing but the rules, and return their last states."""
    ends = []
    for number in range(matches):
        seed = number.to_bytes(32, "big")
        header = new_header(game, SEATS, {"hand": 5}, seed, match="", started=None, engine="")
        run, draws = Fold(game, header, keep_states=False), k.Shuffler(seed, 1 << 31)
        while game.to_act(run.state):
            run.apply(*(choose(Position(game, run.state), draws) or (kifu.TABLE, run.deal())))
        ends.append(run.state)
    return ends


def played(game: Any, number: int) -> kifu.Match[Any, Any, Any]:
    """Play one match at random."""
    seed = number.to_bytes(32, "big")
    match: Any = kifu.new(game, SEATS, {"hand": 5}, seed=seed, match=str(number), started=0)
    draws = k.Shuffler(seed, 1 << 31)
    while chosen := choose(match.position, draws):
        match.play(*chosen)
    return cast("kifu.Match[Any, Any, Any]", match)


def listed(function: Callable[[Any, int | None], Any], of: Iterable[Any], viewers: Iterable[int | None]) -> list[Any]:
    """Return what a function gives for each of these and each viewer, exhausted."""
    given = [function(each, viewer) for each in of for viewer in viewers]
    return [list(each) if isinstance(each, Iterator | tuple) else each for each in given]


def works_of(game: Any, matches: int) -> Works:
    """Return what is measured, each with a value by which the two games are compared."""
    mine = [played(game, number) for number in range(matches)]
    logs = [log_bytes(match) for match in mine]
    states = [state for match in mine for state in match.states]
    steps = [step for match in mine for step in match.steps]
    seats = range(len(SEATS))
    viewers = (None, *seats)
    views = [game.view(state, 0) for state in states]
    return {
        "playouts": lambda: playouts(game, matches),
        "audit": lambda: [read_bytes(log, lambda _: game, keep_states=False).ok for log in logs],
        "legal": lambda: listed(game.legal, states, seats),
        "view": lambda: [vars(each) for each in listed(game.view, states, viewers)],
        "redact": lambda: listed(game.redact, steps, viewers),
        "notes of a viewer": lambda: listed(game.explain, steps, viewers),
        "notes of the table": lambda: listed(game.explain, steps, (k.TABLE,)),
        "scene": lambda: [game.scene(view) for view in views],
        "determinize": lambda: [game.determinize(view, k.Shuffler(bytes(32), n)) for n, view in enumerate(views)],
        "cards": lambda: [sorted(game.cards(state)) for state in states],
    }


def figures(matches: int, repeat: int) -> Iterator[Figure]:
    """Measure both games; raises `AssertionError` where they give other things."""
    derived, hand = works_of(DERIVED, matches), works_of(by_hand(), matches)
    times: dict[tuple[str, int], list[float]] = {(name, which): [] for name in derived for which in (0, 1)}
    for name, work in derived.items():
        given, expected = work(), hand[name]()
        assert name == "determinize" or given == expected, name  # the decks that they draw from differ in their order
    for _ in range(repeat):
        for name in derived:
            for which, work in enumerate((derived[name], hand[name])):
                begun = process_time()
                work()
                times[name, which].append(process_time() - begun)
    for name in derived:
        mine, theirs = min(times[name, 0]), min(times[name, 1])
        yield Figure(name, mine * 1000, "ms", mine / theirs, "by hand", aim=AIM)
    mine, theirs = (sum(min(each) for (_, of), each in times.items() if of == which) for which in (0, 1))
    yield Figure("together", mine * 1000, "ms", mine / theirs, "by hand", aim=AIM)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--repeat", type=int, default=7)
    results.add_argument(parser)
    args = parser.parse_args()
    results.report("derived", figures(args.matches, args.repeat), args.json)


if __name__ == "__main__":
    main()
