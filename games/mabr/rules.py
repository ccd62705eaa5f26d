"""The rules of MABR, in the order of the rulebook; every judgement names its rule."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain

from ...core import game as k
from . import lexicon
from .model import (
    FIXED,
    KANA,
    LETTER,
    LETTERS,
    Conceal,
    Deal,
    Draw,
    Judge,
    Kanas,
    Message,
    Options,
    Pass,
    Places,
    Rule,
    State,
    Swap,
    Word,
    laid,
    value,
)
from .search import CARDS, draws_left

GOALS = {2: 20, 3: 18, 4: 16}
"""The points at which the last turns begin, by the number of seats (MABR-11)."""
GOAL_WORD = 4
"""The fewest kana of the word that reaches the goal (MABR-12)."""
A_TO_Z = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def check_options(options: Options, seats: int) -> None:
    """Refuse words of less than one letter, a number of rounds below 0 and an unknown lexicon.

    There is no upper bound: logs are out there whose shortest word is longer than the cards can make.
    """
    if options.min_word < 1:
        why = Message("shortest-word", "a word has at least 1 letter, not {given}", given=options.min_word)
        raise k.OptionError("min_word", why)
    if options.idle_rounds < 0:
        why = Message("idle-rounds", "a number of rounds is 0 or more, not {given}", given=options.idle_rounds)
        raise k.OptionError("idle_rounds", why)
    if options.judge == "lexicon":
        lexicon.check(options.lexicon)


def idle_rules(options: Options, seats: int) -> tuple[Rule, ...]:
    """Return the rule of rounds in which nothing happens unless it holds, and of the one judge unless there is one."""
    idle = () if options.idle_rounds else (Rule.MABR_R10,)
    return idle if options.judge == "table" and seats == 2 else (*idle, Rule.MABR_R11)


def start(options: Options, seats: int) -> State:
    """Set the table before the deal."""
    nothing: tuple[Kanas, ...] = ((),) * seats
    nowhere: tuple[Places, ...] = ((),) * seats
    return State(options, (), nothing, nowhere, (), 0, 0, None, None, (), (), False, False, 0)


def to_act(state: State) -> frozenset[int]:
    """Return the seat in turn, the judges of its declaration, the table for the deal, or nobody after the end."""
    if state.declared is not None:
        return _judges(state.votes, state.turn)
    if not state.stacks:
        return k.DEALER
    return k.NOBODY if is_over(state) else k.ALONE[state.turn]


@cache
def _judges(votes: tuple[bool | None, ...], turn: int) -> frozenset[int]:
    return frozenset(k.Seat(seat) for seat, vote in enumerate(votes) if vote is None and seat != turn)


def _deal(state: State, seat: int, deal: Deal) -> State:
    """Lay out the shuffled stacks (MABR-1)."""
    if [letter for letter, _ in deal.stacks] != list(LETTERS):
        why = Message("the-stacks", "the stacks are {letters}, in this order", letters=" ".join(LETTERS))
        raise k.malformed_command(seat, why)
    for _, stack in deal.stacks:
        for kana in stack:
            if kana not in CARDS:
                raise k.malformed_command(seat, Message("on-no-card", "{kana} is on no card", kana=repr(kana)))
    k.check_turn(to_act(state), seat, deals=True)
    for letter, stack in deal.stacks:
        if sorted(stack) != sorted(KANA[letter]):
            expected = Message("the-stack", "in stack {letter} each of {kana} once", letter=letter, kana=KANA[letter])
            raise k.RuleViolation(k.TableRule.DEAL, seat, expected=expected)

    return k.evolve(state, stacks=tuple([stack for _, stack in deal.stacks]))


def _check_turn(state: State, seat: int, called: str = "a turn") -> None:
    """Raise a violation of OVER, TURN or ORDER: while a declaration is judged, nothing else may come."""
    k.check_order(to_act(state), seat, called, "a turn" if state.declared is None else "judge")


def _check_action(state: State, seat: int, *, first_round: bool) -> None:
    """Raise a violation also where the first round has no such action, or what is visible is not laid down.

    MABR-R5 stands in the place of ORDER and so before the other rules and rulings.
    """
    _check_turn(state, seat)
    if is_first_round(state) and not first_round:
        raise k.RuleViolation(Rule.MABR_2, seat)
    if state.look:
        raise k.RuleViolation(Rule.MABR_R5, seat, visible=len(state.look))


def is_first_round(state: State) -> bool:
    """Return True if every seat still has to draw (MABR-2)."""
    return state.turns < len(state.rows)


def _draw(state: State, seat: int, draw: Draw) -> State:
    """Declare an abbreviation (MABR-3)."""
    abbreviation = draw.abbreviation
    if not abbreviation or not A_TO_Z.issuperset(abbreviation):
        raise k.malformed_command(seat, Message("an-abbreviation", "an abbreviation is one or more of A to Z"))
    _check_action(state, seat, first_round=True)
    for letter, stack in zip(LETTERS, state.stacks, strict=True):
        if abbreviation.count(letter) > len(stack):
            raise k.RuleViolation(Rule.MABR_4, seat, abbreviation=abbreviation, letter=letter, left=len(stack))
    if abbreviation in state.used:
        raise k.RuleViolation(Rule.MABR_5, seat, abbreviation=abbreviation)
    for letter in abbreviation:
        if letter not in KANA:
            raise k.RuleViolation(Rule.MABR_R1, seat, abbreviation=abbreviation, letter=letter)
    if len(abbreviation) < 2:
        raise k.RuleViolation(Rule.MABR_R2, seat, abbreviation=abbreviation)
    if state.options.judge == "table":
        return _declare(state, draw)
    if abbreviation not in lexicon.find(state.options.lexicon).abbreviations:
        raise k.RuleViolation(Rule.MABR_R7, seat, declared=abbreviation, lexicon=state.options.lexicon)
    return _take(state, abbreviation)


def _take(state: State, abbreviation: str) -> State:
    """Take a card of each letter into the row, to be looked at (MABR-3)."""
    stacks, seat = list(state.stacks), state.turn
    drawn = []
    for letter in abbreviation:
        at = LETTERS.index(letter)
        drawn.append(stacks[at][0])
        stacks[at] = stacks[at][1:]
    row = state.rows[seat]
    return k.evolve(
        state,
        stacks=tuple(stacks),
        rows=k.replace_at(state.rows, seat, (*row, *drawn)),
        used=(*state.used, abbreviation),
        look=tuple(range(len(row), len(row) + len(drawn))),
        progress=state.turns + 1,
    )


def _word(state: State, seat: int, word: Word) -> State:
    """Declare a word and its cards (MABR-7)."""
    _check_spelling(seat, word)
    _check_action(state, seat, first_round=False)
    _check_cards(state, seat, word)
    claim = score(state, seat) + claimed(state, seat, word)
    if claim >= GOALS[state.seats] and len(word.word) < GOAL_WORD:
        raise k.RuleViolation(Rule.MABR_12, seat, word=word.word, claim=claim, goal=GOALS[state.seats])
    for kana in laid(word.word):
        if kana not in CARDS:
            raise k.RuleViolation(Rule.MABR_R3, seat, how="kana", word=word.word, kana=kana)
    if len(word.word) < state.options.min_word:
        raise k.RuleViolation(Rule.MABR_R3, seat, how="short", word=word.word, least=state.options.min_word)
    if state.options.judge == "table":
        return _declare(state, word)
    if word.word not in lexicon.find(state.options.lexicon).words:
        raise k.RuleViolation(Rule.MABR_R7, seat, declared=word.word, lexicon=state.options.lexicon)
    return _turn_up(state, word)


def _check_spelling(seat: int, word: Word) -> None:
    for kana in word.word:
        if not "ぁ" <= kana <= "ゖ":
            raise k.malformed_command(seat, Message("in-hiragana", "a word is written in hiragana"))
    k.check_count(seat, word.cards, len(word.word))
    for card in word.cards:
        if card not in FIXED if isinstance(card, str) else card < 0:
            why = Message("no-place-or-letter", "{card} is neither a place nor a fixed letter", card=repr(card))
            raise k.malformed_command(seat, why)


def _check_cards(state: State, seat: int, word: Word) -> None:
    """Check each declared kana against the card's letter or, face up, its kana (MABR-7, MABR-8).

    A kana that is on no card at all is left to MABR-R3.
    """
    row, turned = state.rows[seat], state.turned[seat]
    for card in word.cards:
        if isinstance(card, int) and card >= len(row):
            raise k.RuleViolation(Rule.MABR_7, seat, how="place", card=card)
        if word.cards.count(card) > 1:
            raise k.RuleViolation(Rule.MABR_7, seat, how="twice", card=card)
    down = newly_turned(state, seat, word)
    if not down:
        raise k.RuleViolation(Rule.MABR_7, seat, how="none", word=word.word)
    for kana, place in down:
        if kana in CARDS and LETTER.get(kana) != LETTER[row[place]]:
            raise k.RuleViolation(Rule.MABR_7, seat, how="letter", card=place, letter=LETTER[row[place]], kana=kana)
    for kana, card in zip(laid(word.word), word.cards, strict=True):
        shows = FIXED[card] if isinstance(card, str) else row[card] if card in turned else kana
        if kana in CARDS and kana != shows:
            raise k.RuleViolation(Rule.MABR_8, seat, card=card, shows=shows, kana=kana)


def newly_turned(state: State, seat: int, word: Word) -> list[tuple[str, int]]:
    """Return the declared kana and the place of each face-down card of a word, in its order."""
    turned = state.turned[seat]
    declared = zip(laid(word.word), word.cards, strict=True)
    return [(kana, card) for kana, card in declared if isinstance(card, int) and card not in turned]


def claimed(state: State, seat: int, word: Word) -> int:
    """Count the points that a word brings if every card is as declared (MABR-9)."""
    return sum([value(kana) for kana, _ in newly_turned(state, seat, word)])


def _turn_up(state: State, word: Word) -> State:
    """Turn up the cards of a word: for good if each is as declared (MABR-9), else to be shown to all (MABR-R4)."""
    seat = state.turn
    row = state.rows[seat]
    new: list[int] = []
    for kana, place in newly_turned(state, seat, word):
        new.append(place)
        if row[place] != kana:
            return k.evolve(state, look=tuple(new), shown=True)

    up = tuple(sorted([*state.turned[seat], *new]))
    after = k.evolve(state, turned=k.replace_at(state.turned, seat, up), progress=state.turns + 1)
    if state.reached is None and score(after, seat) >= GOALS[state.seats]:
        after = k.evolve(after, reached=seat)
    return _end_turn(after)


def score(state: State, seat: int) -> int:
    """Count the points of a seat: those of its face-up cards (MABR-9)."""
    row = state.rows[seat]
    return sum([value(row[place]) for place in state.turned[seat]])


def _swap(state: State, seat: int, swap: Swap) -> State:
    """Exchange two face-down cards of one letter (MABR-10); places keep their numbers (MABR-R9)."""
    if not 0 <= swap.seat < state.seats or swap.place < 0 or swap.other < 0:
        why = Message("a-place", "a place is 0 or more, a seat 0 to {last}", last=state.seats - 1)
        raise k.malformed_command(seat, why)
    _check_action(state, seat, first_round=False)
    if swap.seat == seat:
        raise k.RuleViolation(Rule.MABR_10, seat, how="own")
    for whose, place in ((seat, swap.place), (swap.seat, swap.other)):
        if place >= len(state.rows[whose]):
            raise k.RuleViolation(Rule.MABR_10, seat, how="place", whose=whose, place=place)
        if place in state.turned[whose]:
            raise k.RuleViolation(Rule.MABR_10, seat, how="face-up", whose=whose, place=place)
    mine, theirs = state.rows[seat][swap.place], state.rows[swap.seat][swap.other]
    if LETTER[mine] != LETTER[theirs]:
        raise k.RuleViolation(Rule.MABR_10, seat, how="letter", mine=LETTER[mine], theirs=LETTER[theirs])

    rows = k.replace_at(state.rows, seat, k.replace_at(state.rows[seat], swap.place, theirs))
    rows = k.replace_at(rows, swap.seat, k.replace_at(rows[swap.seat], swap.other, mine))
    return k.evolve(state, rows=rows, look=(swap.place,))


def _conceal(state: State, seat: int, _: Conceal) -> State:
    """Lay down what was looked at or shown, which ends the turn (MABR-6, MABR-R5)."""
    _check_turn(state, seat)
    if not state.look:
        raise k.RuleViolation(Rule.MABR_R5, seat, visible=0)
    return _end_turn(k.evolve(state, look=(), shown=False))


def _pass(state: State, seat: int, _: Pass) -> State:
    """End the turn without doing anything (MABR-R6)."""
    _check_action(state, seat, first_round=True)
    if not has_leave_to_pass(state) and draws_left(state):
        raise k.RuleViolation(Rule.MABR_R6, seat)
    return _end_turn(state, passes=state.passes + 1)


def has_leave_to_pass(state: State) -> bool:
    """Return True if the seat in turn may pass although it can draw (MABR-R6)."""
    if is_first_round(state):
        return state.voided and state.options.pass_after_void
    return state.options.is_pass_free


def _end_turn(state: State, passes: int = 0) -> State:
    return k.evolve(state, turns=state.turns + 1, passes=passes, voided=False)


def _declare(state: State, declared: Draw | Word) -> State:
    """Put a declaration before the other seats (MABR-R7)."""
    return k.evolve(state, declared=declared, votes=(None,) * state.seats)


def _judge(state: State, seat: int, judge: Judge) -> State:
    """Judge what was declared; when all have, it is void or carried out (MABR-R7)."""
    _check_turn(state, seat, "judge")
    votes = k.replace_at(state.votes, seat, judge.accept)
    if votes.count(None) > 1:
        return k.evolve(state, votes=votes)
    declared = state.declared
    decided = k.evolve(state, declared=None, votes=())
    if is_void(votes) or declared is None:
        return k.evolve(decided, voided=True)
    return _take(decided, declared.abbreviation) if isinstance(declared, Draw) else _turn_up(decided, declared)


def is_void(votes: tuple[bool | None, ...]) -> bool:
    """Return True if more than half of the other seats object (MABR-R7)."""
    return 2 * votes.count(False) > len(votes) - 1


apply = k.applying({Deal: _deal, Draw: _draw, Word: _word, Swap: _swap, Conceal: _conceal, Pass: _pass, Judge: _judge})
"""Return the state after the command, or raise `RuleViolation`."""


def is_over(state: State) -> bool:
    """Return True if the game has ended.

    Either the turn has come back to who reached the goal (MABR-13), or every seat's last turn was a pass (MABR-R6), or
    nobody has drawn, and no word has succeeded, for as many rounds as end the game (MABR-R10).
    """
    if state.reached == state.turn or state.passes == len(state.rows):
        return True
    return 0 < state.options.idle_rounds * len(state.rows) <= state.turns - state.progress


def scores(state: State) -> tuple[int, ...]:
    """Return the points of each seat so far (MABR-9)."""
    return tuple([score(state, seat) for seat in range(state.seats)])


def result(state: State) -> k.Result | None:
    """Return the points and the winners by points, then by fewer face-up cards (MABR-14, MABR-R8)."""
    if not is_over(state):
        return None
    points = scores(state)
    return k.Result(points, k.winners_by((total, -len(up)) for total, up in zip(points, state.turned, strict=True)))


def deal(state: State, shuffler: k.Shuffler) -> Deal:  # the deal needs nothing of the state
    """Return a deal of thirteen shuffled stacks (MABR-1)."""
    return Deal(tuple((letter, shuffler.shuffle(stack)) for letter, stack in KANA.items()))


def cards(state: State) -> Iterator[str]:
    """Yield the cards of all places together, by their kana."""
    return chain(FIXED.values(), *state.stacks, *state.rows)
