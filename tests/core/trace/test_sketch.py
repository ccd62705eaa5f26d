"""Sketches: what differs is noticed as by whole traces, and what a log is looked at for is drawn by the log alone."""

from collections import Counter
from functools import cache

import pytest
from attrs import evolve
from kifu import games
from kifu.core.errors import TraceError
from kifu.core.log import log_bytes
from kifu.core.testing.play import played
from kifu.core.trace import Change, Comparison, compare, option_fields, read_trace, trace, trace_log
from kifu.core.trace.change import OPTION_FIELDS
from kifu.core.trace.read import Sketch
from kifu.core.trace.sketch import choose, compare_sketches, differing, sketch
from kifu.core.trace.write import WHOLE, Part, log_chain, outcome, read_log

from .test_modified_engines import HARMLESS, LOGS, MODIFIED, known, logs_of  # noqa: F401 (a fixture)

ours = cache(read_log)
"""A log as our engine reads it."""
EVERY = {seq: 11 * (seq + 1) for seq in range(-1, 200)}
"""Every step, each with its scene."""


def sketched(log: bytes, game, looks=None) -> tuple[Comparison, list[Part]]:
    """Compare by sketches with a game of other functions; and the parts of traces that were asked for."""
    both, chain, asked = (ours(log), read_log(log, lambda _: game)), log_chain(log), []

    def traced(part: Part):
        asked.append(part)
        return tuple(read_trace(trace(each, chain, part)) for each in both)

    looks = choose(both[0].match, chain)[0] if looks is None else looks
    sketches = tuple(read_trace(sketch(each, chain, looks)) for each in both)
    return compare_sketches(sketches, traced, option_fields(both[0].match)), asked


@pytest.mark.ci
@pytest.mark.parametrize("says", MODIFIED)
def test_who_looks_at_every_step_finds_what_whole_traces_tell(says: str) -> None:
    game, kind, leak, modify = MODIFIED[says]
    found = [sketched(log, games.find(game).altered(**modify(games.find(game))), EVERY)[0] for log in logs_of(game)]
    assert (max(each.change for each in found), any(each.leaks for each in found)) == (kind, leak)


@pytest.mark.ci
@pytest.mark.parametrize("says", HARMLESS)
def test_a_harmless_change_needs_no_trace(says: str) -> None:
    for game in LOGS:
        other = games.find(game).altered(**HARMLESS[says](games.find(game)))
        comparison, asked = sketched(logs_of(game)[0], other, EVERY)
        assert (comparison.change, asked) == (Change.SAME, [])


@pytest.mark.ci
@pytest.mark.parametrize(
    "says", ["a rule is gone, and the lists know nothing of it", "a seat sees the hand of its neighbour"]
)
def test_what_shows_to_one_seat_or_to_nobody_is_noticed_in_some_log_and_at_the_right_step(says: str) -> None:
    """A sketch looks at one viewer after one step in twenty."""
    game = games.find("take_and_share")
    _, kind, leak, modify = MODIFIED[says]
    other = game.altered(**modify(game))
    for number in range(100):
        log = log_bytes(played(game, 4, game.options(), number))
        comparison, asked = sketched(log, other)
        if comparison.change is not Change.SAME:
            break
    assert (comparison.change, bool(comparison.leaks), len(asked)) == (kind, leak, 1)
    whole = compare(*(read_trace(trace_log(log, lambda _, each=each: each)) for each in (game, other)))
    assert {each.seq for each in comparison.steps} <= {each.seq for each in whole.steps}


def test_the_same_steps_are_looked_at_each_time_and_rare_ones_more_often() -> None:
    game, looked, seen = games.find("take_and_share"), Counter(), Counter()
    for number in range(30):
        match = played(game, 4, game.options(), number)
        chain = log_chain(log_bytes(match))
        looks, reached = choose(match, chain)
        assert (looks, reached) == choose(match, chain)
        kinds = {step.seq: tuple(note.key for note in step.notes) for step in match.steps}
        often = Counter(kinds.values())
        for seq, kind in kinds.items():
            looked[often[kind] > 1] += seq in looks
            seen[often[kind] > 1] += 1
    assert looked[False] / seen[False] > 2 * looked[True] / seen[True]


@pytest.mark.parametrize("spoilt", [{}, {"looks": [[]]}, {"looks": [3]}, {"states": None}, {"more": 1}])
def test_a_spoilt_sketch_is_refused(spoilt: dict) -> None:
    made = {"states": [], "acts": [], "looks": [], "options": 0}
    log = logs_of("cake")[0]
    good = read_trace(outcome(ours(log), log_chain(log), {"sketch": made}))
    assert good.sketch == Sketch(**made)
    with pytest.raises(TraceError, match="the sketch in its head is malformed"):
        read_trace(outcome(ours(log), log_chain(log), {"sketch": (made | spoilt) if spoilt else []}))


def test_states_that_are_packed_otherwise_need_all_steps_but_not_for_an_option_more() -> None:
    log = logs_of("cake")[0]
    one = read_trace(sketch(ours(log), log_chain(log), {3: 1, 8: 2}))
    backwards = evolve(one, shape=dict(reversed(one.shape.items())))
    assert differing(one, backwards, OPTION_FIELDS, chosen=False) == Part(looks=[3, 8])
    more = evolve(one, shape={**one.shape, "options": {**one.shape["options"], "more": None}})
    assert not differing(one, more, OPTION_FIELDS, chosen=False).steps
    assert differing(one, evolve(one, sketch=None), OPTION_FIELDS, chosen=False) == WHOLE


def test_a_part_is_read_of_an_engine_that_fails_between_its_steps() -> None:
    def scene(view):
        raise KeyError("planted")

    game, log = games.find("cake"), log_bytes(played(games.find("cake"), 3, games.find("cake").options(), 7))
    reading = read_log(log, lambda _: game.altered(scene=scene))
    assert read_trace(trace(reading, log_chain(log), Part({4, 9}, {9}))).refusal.seq == 9
