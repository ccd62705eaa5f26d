"""What may lie behind a view of Hearts, what happened in a step and by which rule, and what the table looks like."""

from collections.abc import Iterator
from typing import Any

from kifu.core import game as k

from . import rules
from .rules import CLUBS_2, DECK, HEARTS, PASSED, RANKS, SEATS, SUITS, Command, Deal, Pass, Play, Rule, State, suit


def determinize(view: Any, shuffler: k.Shuffler) -> State:
    """Return a state with this view, in which all that it does not show is dealt anew."""
    hidden = k.unseen_cards(DECK, *view.hands, *view.passed, view.trick, *view.taken) if view.dealt else []
    pool = list(shuffler.shuffle(hidden))
    to_lead = CLUBS_2 in pool and not view.passing and not view.trick
    if to_lead:  # its holder is the leader, as everybody knows
        pool.remove(CLUBS_2)
    hands, passed = [], []
    for seat in range(SEATS):
        own = to_lead and seat == view.leader
        drawn = k.draw_cards(view.hands[seat], view.hand_sizes[seat] - own, pool)
        hands.append((CLUBS_2, *drawn) if own else drawn)
        passed.append(k.draw_cards(view.passed[seat], PASSED, pool) if view.has_passed[seat] else None)
    return k.state_behind(State, view, hands=tuple(hands), passed=tuple(passed))


def face(card: k.Card) -> k.Face:
    """Return how a card looks."""
    return k.Face(SUITS[suit(card)] + RANKS[card % 13], "red" if suit(card) in (1, HEARTS) else "ink")


def explain(step: k.Step[State, Command], viewer: int | None) -> Iterator[k.Note]:
    """Yield the notes of a step that a seat may see; the text of each is the message `note-KEY`."""
    match step.command:
        case Deal():
            yield from _dealt(step.after, viewer)
        case Pass(cards):
            yield from _passed(step, cards, viewer)
        case Play(card):
            yield from _played(step, card)


def _dealt(after: State, viewer: int | None) -> Iterator[k.Note]:
    yield k.Note.of("dealt", Rule.HEARTS_1, begins=k.SectionKind.DEAL, deal=after.dealt, of=after.options.deals)
    for seat, hand in enumerate(after.hands):
        if k.visible_to(viewer, seat):
            yield k.Note.of("hand", Rule.HEARTS_1, seat=seat, cards=hand)
    yield k.Note.of("to-pass", Rule.HEARTS_2, step=rules.step_of(after))
    if not after.passing:
        yield k.Note.of("leads-first", Rule.HEARTS_3, seat=after.leader)


def _passed(step: k.Step[State, Command], cards: tuple[k.Card, ...], viewer: int | None) -> Iterator[k.Note]:
    before, after = step.before, step.after
    to = (step.seat + rules.step_of(before)) % SEATS
    if k.visible_to(viewer, step.seat):
        yield k.Note.of("passed-cards", Rule.HEARTS_2, seat=step.seat, to=to, cards=cards)
    else:
        yield k.Note.of("passed", Rule.HEARTS_2, seat=step.seat, to=to)
    if after.passing:
        return
    for seat, hand in enumerate(after.hands):
        if k.visible_to(viewer, seat):
            yield k.Note.of("hand", Rule.HEARTS_2, seat=seat, cards=hand)
    yield k.Note.of("leads-first", Rule.HEARTS_3, seat=after.leader)


def _played(step: k.Step[State, Command], card: k.Card) -> Iterator[k.Note]:
    before, after, seat = step.before, step.after, step.seat
    if not before.trick:
        rule = Rule.HEARTS_3 if card == CLUBS_2 else Rule.HEARTS_4
        yield k.Note.of("led", rule, begins=k.SectionKind.TRICK, seat=seat, card=card)
    elif suit(card) == suit(before.trick[0]):
        yield k.Note.of("followed", Rule.HEARTS_5, seat=seat, card=card)
    else:
        yield k.Note.of("discarded", Rule.HEARTS_5, seat=seat, card=card)
    if suit(card) == HEARTS and not rules.is_broken(before):
        yield k.Note.of("broken", Rule.HEARTS_7)
    if after.trick:
        return
    trick = (*before.trick, card)
    winner = rules.taker(before.leader, trick)
    yield k.Note.of("taken", Rule.HEARTS_8, seat=winner, cards=trick, points=sum(map(rules.value, trick)))
    if not any(after.hands):
        yield from _ended(after)


def _ended(after: State) -> Iterator[k.Note]:
    """Yield the notes of a deal's end, and of the game's."""
    if max(rules.points(after.taken)) * (SEATS - 1) == sum(rules.points(after.taken)):
        yield k.Note.of("moon", Rule.HEARTS_10, seat=rules.points(after.taken).index(0))
    yield k.Note.of("scored", Rule.HEARTS_9, points=rules.scores(after))
    ended = rules.result(after)
    if ended is not None:
        yield k.Note.of("won", Rule.HEARTS_11, seats=ended.winners)


def scene(view: Any) -> k.Scene:
    """Return the table: the trick in the middle, then every seat."""
    middle = k.Place(
        None,
        zones=(k.Zone("zone-trick", k.card_things(view.trick, face)),),
        facts=(k.Fact("fact-deal", view.dealt, view.options.deals),),
    )
    return k.Scene(view.viewer, middle, tuple(_place(view, seat) for seat in range(SEATS)))


def _place(view: Any, seat: int) -> k.Place:
    """Return what lies before a seat; its first fact is its score."""
    leads = seat == view.leader and not view.passing and any(view.hand_sizes)
    return k.Place(
        seat,
        zones=(
            k.Zone("zone-hand", k.card_things(view.hands[seat], face, view.hand_sizes[seat], "card")),
            k.Zone("zone-passed", k.card_bundle(view.passed[seat], face, PASSED * view.has_passed[seat])),
            k.Zone("zone-taken", k.card_things(view.taken[seat], face)),
        ),
        facts=(k.Fact("fact-points", view.points[seat]),),
        marks=("mark-leads",) if leads else (),
    )
