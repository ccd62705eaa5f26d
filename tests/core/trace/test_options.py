"""An option that an upcast adds is no difference between two engines; what else changed is still seen."""

import json
from pathlib import Path
from typing import Any

import attrs
import pytest
from kifu.core.game import Past, Seat, options, state
from kifu.core.log import log_bytes, read_bytes
from kifu.core.log.findings import audit_record
from kifu.core.match import Match
from kifu.core.trace import Change, compare, option_fields, read_trace, trace_log
from kifu.core.trace.golden import check

from ..log.pebbles import GAME, Options, State, Take
from ..log.test_versions import LOGS


@options
class OldOptions:
    heap: int = 10


@state
class OldState:
    options: OldOptions
    heap: int
    turn: Seat
    taken: tuple[int, ...]


def old(state: State) -> OldState:
    return OldState(OldOptions(state.options.heap), state.heap, state.turn, state.taken)


def new(state: OldState) -> State:
    return State(Options(state.options.heap, "wins"), state.heap, state.turn, state.taken)


BEFORE = GAME.altered(
    version=2,
    options=OldOptions,
    check_options=lambda options, seats: None,
    start=lambda options, seats: OldState(options, options.heap, 0, (0,) * seats),
    apply=lambda state, seat, take: old(GAME.apply(new(state), seat, take)),
    result=lambda state: GAME.result(new(state)),
    past=Past(2, {1: GAME.past.upcasts[1]}),
)
"""The game as it was at rules version 2, before the option `last`."""


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """An old log, with the trace and the end that the game of its time stored."""
    content = (LOGS / "two.log").read_bytes()
    log = tmp_path / "two.log"
    log.write_bytes(content)
    log.with_suffix(".trace").write_bytes(trace_log(content, lambda _: BEFORE))
    log.with_suffix(".json").write_text(json.dumps(audit_record(read_bytes(content, lambda _: BEFORE))))
    return log


def todays(**changes: Any) -> Any:
    return lambda _: GAME.altered(**changes)


def test_a_golden_log_stays_green_when_an_upcast_adds_an_option(golden: Path) -> None:
    assert read_bytes(golden.read_bytes(), todays()).digests == "unchecked"
    assert json.loads(golden.with_suffix(".json").read_text())["digests"] == "checked"
    checked = check(golden, todays())
    assert list(checked.lines()) == []
    assert checked.ok


def test_a_view_that_changed_besides_is_still_seen(golden: Path) -> None:
    def view(state: State, viewer: int | None) -> State:
        return attrs.evolve(state, heap=0) if viewer == 1 else state

    checked = check(golden, todays(view=view))
    assert {field.path for field in checked.comparison.first.fields} == {"view(1).heap"}


def test_a_rule_that_changed_besides_is_still_seen(golden: Path) -> None:
    checked = check(golden, todays(legal=lambda state, seat: iter(list(GAME.legal(state, seat))[:1])))
    assert {field.path for field in checked.comparison.first.fields} == {"legal(0)"}


def test_two_traces_are_compared_without_the_option(golden: Path) -> None:
    before = read_trace(golden.with_suffix(".trace").read_bytes())
    after = read_trace(trace_log(golden.read_bytes(), todays()))
    comparison = compare(before, after)
    assert comparison.change is Change.SAME
    assert comparison.left_out is None


def test_the_field_of_the_options_is_known_by_its_class_whatever_its_name() -> None:
    @attrs.frozen(slots=False)
    class Renamed:
        heap: int
        chosen: Options

    game = GAME.altered(view=lambda state, viewer: Renamed(state.heap, state.options))
    match = Match(game, read_bytes(log_of_one_take(), todays()).header)
    assert option_fields(match) == {"options", "chosen"}


def log_of_one_take() -> bytes:
    match = read_bytes((LOGS / "two.log").read_bytes(), todays()).match
    short: Match = Match(GAME, match.header)
    short.apply(0, Take(1))
    return log_bytes(short)
