"""Only steps that read an option are folded again under other options: nothing else may come of it."""

from enum import Enum
from pathlib import Path
from typing import Literal, NewType

import attrs
import pytest
from attrs import frozen
from kifu import games
from kifu.core.game import Seat, Takeback
from kifu.core.log import log_bytes, read_bytes
from kifu.core.match import registry
from kifu.games.take_and_share.model import State
from kifu.replay.analysis import what_if
from kifu.replay.analysis.divergence import Divergence
from kifu.replay.analysis.option_reads import OptionReads, WatchedGame, fields_of_options
from kifu.replay.analysis.what_if import AlternativeOptions

from ..conftest import played

FIXTURES = Path(__file__).parents[3] / "fixtures"
CHANGES = {
    "cake": ("elder_votes=false", "first=1"),
    "gosne": ("whistleblower=true", "hands=4"),
    "mabr": ("min_word=4", "judge=table", "pass_after_void=false"),
    "palace": ("open_colour=table", "end_place=exact"),
    "take_and_share": ("long=true", "long=false", "first=2"),
}


@pytest.mark.parametrize(("game", "typed"), [(game, typed) for game, some in CHANGES.items() for typed in some])
def test_what_is_folded_again_in_part_ends_as_what_is_folded_again_from_the_start(game: str, typed: str) -> None:
    logs = sorted((FIXTURES / game).glob("*.log"), key=lambda each: each.stat().st_size)[:6]
    for log in (each.read_bytes() for each in logs):
        with AlternativeOptions([typed]) as part:
            reading = part.read(log)
            if reading.match is not None:
                assert part.outcome(log, reading) == AlternativeOptions([typed]).outcome(log, read_bytes(log))


def test_few_steps_are_folded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    again = []
    fold = what_if.Fold.apply
    log = log_bytes(played("a", "b", "c", "d"))
    with AlternativeOptions(["long=true"]) as part:
        reading = part.read(log)
        monkeypatch.setattr(what_if.Fold, "apply", lambda self, *args: again.append(1) or fold(self, *args))
        part.outcome(log, reading)
    assert 0 < len(again) <= 2, "the deal and the last share"


def test_a_step_reads_an_option_if_any_of_its_rules_looks_at_one() -> None:
    game = games.find("take_and_share")
    looks = attrs.evolve(game, apply=lambda state, *rest: game.apply(state, *rest) if hash(state.options) else None)
    for watched, whole in ((game, False), (looks, True)):
        reads = WatchedGame.of(watched)
        match = played("a", "b", "c", "d", most=9)
        reading = read_bytes(log_bytes(match), lambda _, reads=reads: reads.watched)
        assert reading.match is not None
        assert reading.match.state == match.state, "watched options compare as ever"
        assert len(reads.steps) == len(match.events)
        assert all(reads.steps) == whole


def test_a_match_with_a_takeback_is_folded_again_from_the_start() -> None:
    match = played("a", "b", "c", "d", most=9)
    match.abandoned = False
    match.apply(-1, Takeback(4))
    reads = OptionReads()
    taken, not_taken = (
        read_bytes(log, reads.find).match for log in (log_bytes(match), log_bytes(played("a", "b", "c")))
    )
    assert taken is not None
    assert not_taken is not None
    assert reads.of(taken) is None
    assert reads.of(not_taken) is not None


def test_a_step_that_only_its_rules_tell_from_another_is_folded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.find("take_and_share")

    def apply(state, seat, command):
        after = game.apply(state, seat, command)
        return attrs.evolve(after, lead=Seat(3)) if len(after.trick) == 2 and state.options.long else after

    other = attrs.evolve(game, apply=apply)
    monkeypatch.setattr(registry, "find", lambda _: other)
    log = log_bytes(played("a", "b", "c", "d", most=9))
    with AlternativeOptions(["long=true"]) as part:
        outcome = part.outcome(log, part.read(log))
    assert outcome.divergence == Divergence(2, fields=frozenset({"lead"}))
    assert outcome == AlternativeOptions(["long=true"]).outcome(log, read_bytes(log, lambda _: other))


def test_a_game_whose_states_could_hold_options_anywhere_is_folded_again_from_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = games.find("take_and_share")
    state = attrs.make_class("Anywhere", {"inside": attrs.field(default=None, type=object)}, (State,), frozen=True)
    start = game.start
    other = attrs.evolve(game, start=lambda options, seats: state(**vars(start(options, seats))))
    monkeypatch.setattr(registry, "find", lambda _: other)
    reads = OptionReads()
    match = read_bytes(log_bytes(played("a", "b", "c", "d", most=9)), reads.find).match
    assert match is not None
    assert len(match.events) == 9
    assert reads.of(match) is None


Card = NewType("Card", int)


class Colour(Enum):
    RED = "red"


@frozen
class Options:
    long: bool = False


@frozen
class Pile:
    cards: tuple[Card, ...]
    below: "Pile | None" = None


@frozen
class Deep:
    options: Options


@frozen
class Flat:
    options: Options
    piles: tuple[Pile, ...]
    colour: Colour | None
    kind: Literal["a", "b"]
    votes: tuple[bool | None, str]


@pytest.mark.parametrize("kind", [Deep, "Nowhere", object, list, tuple[object, ...], Options | None])
def test_options_that_could_lie_deeper_in_a_state_are_not_watched(kind: object) -> None:
    state = attrs.make_class("State", {"options": attrs.field(type=Options), "other": attrs.field(type=kind)})
    assert fields_of_options(state, Options) is None
    assert fields_of_options(tuple, Options) is None


def test_the_options_of_a_flat_state_are_known() -> None:
    assert fields_of_options(Flat, Options) == ("options",)
    for name in games.names():
        game = games.find(name)
        assert fields_of_options(type(game.start(game.options(), game.seats[-1])), game.options) == ("options",)
