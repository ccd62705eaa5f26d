"""Engines that were modified beside ours: each change is noticed, with its kind, and whether it is a leak."""

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import attrs
import pytest
from kifu import games
from kifu.core.errors import Message
from kifu.core.game import TABLE, Game, Note, RedactedCommand, Result, RuleViolation, Scene, TableRule, evolve
from kifu.core.log import read_bytes
from kifu.core.match import registry
from kifu.core.trace import Change, Comparison, Refusal, Trace, compare, option_fields, read_trace, trace_log
from kifu.core.trace.__main__ import main as engine
from kifu.core.trace.change import OPTION_FIELDS
from kifu.core.trace.facets import LISTED
from kifu.core.trace.write import log_chain, outcome
from kifu.games.palace.model import Rule as PalaceRule
from kifu.games.take_and_share.model import Deal, Play, Rule

pytestmark = pytest.mark.ci  # some seconds

FIXTURES = Path(__file__).parents[3] / "fixtures"
LOGS = {
    "take_and_share": ("four_seats", "three_seats"),
    "cake": ("four_seats", "one_discontent"),
    "palace": ("three_seats",),
}
Modify = Callable[[Game], dict[str, Any]]
MODIFIED: dict[str, tuple[str, Change, bool, Modify]] = {}
"""By a sentence: the game, the kind of change, whether it is a leak, and what is altered."""


def modified(
    says: str, kind: Change, game: str = "take_and_share", *, leak: bool = False
) -> Callable[[Modify], Modify]:
    def add(modify: Modify) -> Modify:
        MODIFIED[says] = (game, kind, leak, modify)
        return modify

    return add


def around(game: Game, name: str, change: Callable[..., Any]) -> dict[str, Any]:
    """Alter a function: what it returns is passed on, with what it was called with."""
    function = getattr(game, name)
    return {name: lambda *args: change(function(*args), *args)}


def noted(game: Game, change: Callable[[Note], Note]) -> dict[str, Any]:
    """Alter each note."""
    return around(game, "explain", lambda notes, *_: list(map(change, notes)))


def refusing(game: Game, when: Callable[..., RuleViolation | None]) -> dict[str, Any]:
    def apply(state, seat, command):
        if (refused := when(state, seat, command)) is not None:
            raise refused
        return game.apply(state, seat, command)

    return {"apply": apply}


def refused_otherwise(game: Game, change: Callable[..., RuleViolation]) -> dict[str, Any]:
    def apply(state, seat, command):
        try:
            return game.apply(state, seat, command)
        except RuleViolation as violation:
            raise change(violation, state, seat, command) from None

    return {"apply": apply}


def without(game: Game, rule: Any) -> dict[str, Any]:
    """Accept what this rule refuses, where only `apply` is changed."""

    def apply(state, seat, command):
        try:
            return game.apply(state, seat, command)
        except RuleViolation as violation:
            if violation.rule is rule:
                return state
            raise

    return {"apply": apply}


modified("a rule is gone, and the lists know nothing of it", Change.MORE)(lambda game: without(game, Rule.TS_3))


@modified("a rule is gone from the rules and from the lists", Change.MORE)
def gone(game):
    def legal(state, seat):
        listed = list(game.legal(state, seat))
        if listed and isinstance(listed[0], Play):
            return iter([Play(card) for card in state.hands[seat]])
        return iter(listed)

    return {**without(game, Rule.TS_3), "legal": legal, "legal_by_kind": None}


def fewer(listed: Iterator, *_: Any) -> Iterator:
    some = list(listed)
    return iter(some[1:] if len(some) > 3 else some)


modified("one of the legal commands is not listed", Change.FEWER)(lambda game: around(game, "legal", fewer))
modified("players are shown fewer than are listed", Change.FEWER)(
    lambda game: around(game, "legal_by_kind", lambda kinds, *_: [kind[:2] for kind in kinds])
)
modified("two are listed that the rules refuse", Change.MORE)(
    lambda game: around(game, "legal", lambda listed, *_: iter([*listed, Play(101), Play(203)]))
)
modified("the legal commands come in another order", Change.WORDS)(
    lambda game: around(game, "legal", lambda listed, *_: iter(list(listed)[::-1]))
)
modified("they are without number", Change.MORE)(lambda game: around(game, "open_ended", lambda *_: True))
modified("another seat may act, too", Change.MORE)(
    lambda game: around(game, "to_act", lambda seats, _: seats | {0} if seats and TABLE not in seats else seats)
)


@modified("of many legal commands the last is not listed", Change.FEWER, "palace")
def shorter(game):
    def legal(state, seat):
        listed = list(game.legal(state, seat))
        return iter(listed[:-1] if len(listed) > LISTED else listed)

    return {"legal": legal, "legal_by_kind": None}


@modified("a recorded command is forbidden now", Change.ILLEGAL)
def strict(game):
    def when(state, seat, command):
        dull = isinstance(command, Play) and command.card % 100 == 3
        return RuleViolation(Rule.TS_2, seat, card=command.card) if dull else None

    return refusing(game, when)


modified("what nobody plays is forbidden now", Change.FEWER)(
    lambda game: refusing(
        game,
        lambda state, seat, command: (
            RuleViolation(Rule.TS_2, seat, card=command.card)
            if isinstance(command, Play) and command.card not in NEXT.get(state, ())
            else None
        ),
    )
)
NEXT: dict[Any, tuple[int, ...]] = {}
"""The cards that are played next in the logs, by the state before."""

modified("the deck is dealt otherwise", Change.ILLEGAL)(
    lambda game: around(game, "deal", lambda deal, *_: Deal(deal.cards[::-1]))
)
modified("a refusal names another rule", Change.WORDS)(
    lambda game: refused_otherwise(
        game,
        lambda violation, state, seat, command: (
            RuleViolation(Rule.TS_2, seat, **violation.facts) if violation.rule is Rule.TS_3 else violation
        ),
    )
)
modified("a refusal has another fact", Change.WORDS)(
    lambda game: refused_otherwise(
        game, lambda violation, state, seat, command: RuleViolation(violation.rule, seat, **violation.facts, more="x")
    )
)
modified("a refusal tells a card of another hand", Change.VIEW, leak=True)(
    lambda game: refused_otherwise(
        game,
        lambda violation, state, seat, command: RuleViolation(
            violation.rule, seat, **violation.facts, next=state.hands[(seat + 1) % len(state.hands)][:1]
        ),
    )
)


def reordered(state, before, seat, command):
    return evolve(state, shares=state.shares[::-1]) if isinstance(command, Play) else state


modified("cards lie in another order", Change.STATES)(lambda game: around(game, "apply", reordered))
modified("another seat leads before the first deal", Change.STATES)(
    lambda game: around(game, "start", lambda state, *_: evolve(state, lead=1))
)
modified("a score so far is one more", Change.STATES)(
    lambda game: around(game, "scores", lambda scores, _: (scores[0] + 1, *scores[1:]))
)
modified("a seat gets a point more", Change.RESULT)(
    lambda game: around(
        game, "result", lambda end, _: end and Result((end.points[0] + 1, *end.points[1:]), end.winners)
    )
)
modified("the lowest wins", Change.RESULT)(
    lambda game: around(game, "result", lambda end, _: end and Result(end.points, (end.points.index(min(end.points)),)))
)
modified("a note is by another rule", Change.WORDS)(
    lambda game: noted(game, lambda note: attrs.evolve(note, rule=note.rule and Rule.TS_1))
)
modified("a note has a value more, which its text leaves out", Change.WORDS)(
    lambda game: noted(game, lambda note: attrs.evolve(note, values=(*note.values, ("more", 7))))
)


@modified("the table looks otherwise", Change.WORDS)
def redrawn(game):
    def scene(made: Scene, *_: Any) -> Scene:
        return attrs.evolve(made, places=made.places[::-1])

    return around(game, "scene", scene)


GAME = games.find("take_and_share")
modified("a seat sees the hand of its neighbour", Change.VIEW, leak=True)(
    lambda game: around(
        game,
        "view",
        lambda view, state, viewer: (
            evolve(view, hands=(*view.hands[:1], state.hands[1], *view.hands[2:])) if viewer == 0 else view
        ),
    )
)
modified("a spectator sees a hand", Change.VIEW, leak=True)(
    lambda game: around(
        game,
        "view",
        lambda view, state, viewer: (
            view if viewer is not None else evolve(view, hands=(state.hands[0], *view.hands[1:]))
        ),
    )
)
modified("a seat does not see the trick", Change.VIEW)(
    lambda game: around(game, "view", lambda view, _, viewer: evolve(view, trick=()) if viewer == 2 else view)
)
for function in ("apply", "legal", "view", "explain", "scene", "result", "to_act"):

    def crash(game, function=function):
        calls = iter(range(10**6))

        def fail(value, *_):
            if next(calls) > 20:
                raise KeyError("planted")
            return value

        return around(game, function, fail)

    modified(f"{function} raises an exception", Change.FAILED)(crash)

modified("votes are not hidden", Change.VIEW, "cake", leak=True)(
    lambda game: {"redact": lambda step, _: step.event.command}
)
modified("commands are hidden from spectators", Change.VIEW, "cake")(
    lambda game: around(
        game, "redact", lambda command, step, viewer: RedactedCommand("x") if viewer is None else command
    )
)
modified("what one seat looked at is told to all", Change.VIEW, "cake", leak=True)(
    lambda game: {"explain": lambda step, _: game.explain(step, TABLE)}
)
modified("a seat is told less", Change.VIEW, "cake")(
    lambda game: around(game, "explain", lambda notes, _, viewer: () if viewer == 1 else notes)
)
modified("two palaces may be inspected for a pair, though none are listed", Change.MORE, "palace")(
    lambda game: without(game, PalaceRule.PAL_14)
)
modified("a moment lasts for ever", Change.VIEW, "palace")(
    lambda game: noted(game, lambda note: attrs.evolve(note, momentary=not note.momentary))
)
modified("a note has another key", Change.WORDS, "cake")(
    lambda game: noted(game, lambda note: attrs.evolve(note, key=f"x-{note.key}"))
)


def serve(says: str) -> None:
    """Be that engine for another process."""
    game, _, _, modify = MODIFIED[says]
    import_module(f"kifu.games.{game}").GAME = games.find(game).altered(**modify(games.find(game)))
    registry.find.cache_clear()
    engine()


def logs_of(game: str) -> list[bytes]:
    return [(FIXTURES / game / f"{name}.log").read_bytes() for name in LOGS[game]]


@cache
def of_ours(log: bytes) -> tuple[Trace, frozenset[str]]:
    """Return the trace of our engine, and the fields that hold options."""
    return read_trace(trace_log(log)), option_fields(read_bytes(log).match)


def compared(game: str, changes: dict[str, Any]) -> list[Comparison]:
    other, found = games.find(game).altered(**changes), []
    for log in logs_of(game):
        ours, options = of_ours(log)
        found.append(compare(ours, read_trace(trace_log(log, lambda _: other)), options))
    return found


@pytest.fixture(scope="module", autouse=True)
def known() -> None:
    for log in logs_of("take_and_share"):
        for step in read_bytes(log).match.steps:
            NEXT[step.before] = (*NEXT.get(step.before, ()), getattr(step.command, "card", 0))


@pytest.mark.parametrize("says", MODIFIED)
def test_a_modified_engine_is_noticed_with_its_kind(says: str) -> None:
    game, kind, leak, modify = MODIFIED[says]
    found = compared(game, modify(games.find(game)))
    worst = max(found, key=lambda each: each.change)
    assert (worst.change, any(each.leaks for each in found)) == (kind, leak), [
        (each.change, each.leaks, each.worst and each.worst.fields) for each in found
    ]


def reworded(violation: RuleViolation, *_: Any) -> RuleViolation:
    if violation.rule is not TableRule.FORM or "why" not in violation.facts:
        return violation
    why = violation.facts["why"]
    return RuleViolation(TableRule.FORM, violation.seat, why=Message(why.key, f"reworded: {why.english}", **why.values))


HARMLESS: dict[str, Modify] = {
    "functions have other names": lambda game: {
        "apply": lambda *args: game.apply(*args),
        "view": lambda *a: game.view(*a),
    },
    "legal commands are made at once": lambda game: around(game, "legal", lambda listed, *_: list(listed)),
    "notes are made at once": lambda game: around(game, "explain", lambda notes, *_: tuple(notes)),
    "a refusal has other words": lambda game: refused_otherwise(game, reworded),
    "nothing is counted faster": lambda game: {"legal_by_kind": None},
}


@pytest.mark.parametrize("says", HARMLESS)
@pytest.mark.parametrize("game", LOGS)
def test_a_harmless_change_is_not_reported(game: str, says: str) -> None:
    assert {each.change for each in compared(game, HARMLESS[says](games.find(game)))} == {Change.SAME}


def packed_backwards(trace):
    """Return the trace of an engine whose states have their fields in the reverse order."""
    steps = tuple(attrs.evolve(step, state=step.state[::-1]) for step in trace.steps)
    return attrs.evolve(trace, shape=dict(reversed(trace.shape.items())), steps=steps)


def test_another_layout_is_noticed_unless_the_game_says_so() -> None:
    trace, _ = of_ours(logs_of("cake")[0])
    other = packed_backwards(trace)
    comparison = compare(trace, other)
    assert (comparison.change, comparison.layout_due) == (Change.LAYOUT, trace.layout + 1)
    assert compare(trace, attrs.evolve(other, layout=trace.layout + 1)).change is Change.SAME


def test_outcomes_alone_are_compared_quickly_and_say_so() -> None:
    log, _ = logs_of("take_and_share")
    game, chain = games.find("take_and_share"), log_chain(log)
    for says, kind in (
        ("a seat gets a point more", Change.RESULT),
        ("a recorded command is forbidden now", Change.ILLEGAL),
    ):
        other = game.altered(**MODIFIED[says][3](game))
        theirs = outcome(read_bytes(log, lambda _, other=other: other), chain)
        assert compare(read_trace(outcome(read_bytes(log), chain)), read_trace(theirs)).change is kind
    same = compare(*[read_trace(outcome(read_bytes(log, keep_states=False), chain))] * 2, OPTION_FIELDS)
    assert same.change is Change.SAME
    assert same.left_out.key == "compare-fast"


def test_a_failure_is_told_with_the_exception_and_the_event() -> None:
    (first, _) = compared("take_and_share", MODIFIED["legal raises an exception"][3](GAME))
    assert isinstance(first.b.refusal, Refusal)
    assert first.b.refusal.failed
    assert "planted" in first.b.refusal.why
    assert first.b.refusal.seq == len(first.b.steps) - 1
