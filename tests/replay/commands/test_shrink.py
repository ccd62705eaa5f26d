"""`replay shrink`: the new log is legal, shows the same, and is no longer; where it says so, none is shorter."""

import json
from itertools import product
from pathlib import Path

import attrs
import pytest
from kifu import games
from kifu.core.game import TABLE, RuleViolation
from kifu.core.log import load, log_bytes, read, read_bytes
from kifu.core.match import Match
from kifu.core.match.game_files import load_game
from kifu.core.trace import Change
from kifu.replay.analysis.divergence import Divergence
from kifu.replay.analysis.engine import AlternativeEngine
from kifu.replay.analysis.minimize import minimize, shortened
from kifu.replay.analysis.what_if import AlternativeOptions, AtWork, compared_match
from kifu.replay.starter import FILE as STARTER
from kifu.replay.tournament.random_matches import matches

from ..conftest import LATEST_WINS, SERVE, played, rules_at_work

pytestmark = pytest.mark.ci

OF_CAKE = """
import attrs, kifu.games.cake as game, kifu.games.cake.rules as rules
from kifu.core.game import Result, winners_by
"""
TIE = """
def result(state):
    if rules.phase(state) != "over":
        return None
    counts = [[kept.count(rank) for rank in rules.RANKS] for kept in state.kept]
    return Result(rules.scores(state), winners_by(zip(rules.scores(state), counts, strict=True)))
game.GAME = game.GAME.altered(result=result)
"""
"""Another engine of cake, in which ties go to more kept 1s first (CAKE-16)."""

LEAK = """
view = game.GAME.view
def leak(state, viewer):
    seen = view(state, viewer)
    eaten = tuple(cards or shown for cards, shown in zip(state.eaten, seen.eaten, strict=True))
    return attrs.evolve(seen, eaten=eaten)
game.GAME = game.GAME.altered(view=leak)
"""
"""Another engine of cake, in which all see which cards were eaten (CAKE-R4)."""

CRASHING = """
# Every third log ends it.
import kifu.core.trace.__main__ as engine, os
answer, count = engine.respond, [0]
def crash(request):
    count[0] += 1
    return answer(request) if count[0] < 4 else os._exit(3)
engine.respond = crash
"""


def test_a_rule_at_work_is_shown_by_a_match_of_one_trick(replay, tied: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.log"
    called = replay("shrink", tied, "-o", new, "--rule", "TS-6", "--json", exits=0)
    output = json.loads(called.out)
    reading = read(new)
    assert reading.ok
    assert "TS-6" in rules_at_work(reading.match)
    assert (output["events"], output["before"], output["shows"]) == (
        reading.events,
        len(load(tied).events),
        "TS-6 at work",
    )
    assert len(reading.match.header.seats) == 3
    assert reading.events == 4  # a deal, and three cards of which two are equal
    assert not reading.match.header.options.long
    assert reading.match.header.options.first == 0
    assert reading.match.header.seats == ("seat 0", "seat 1", "seat 2")


def test_the_deals_of_the_seed_keep_it_and_other_deals_have_none(tied: Path) -> None:
    match = load(tied)
    cut = Match(match.game, attrs.evolve(match.header, seed=None))
    cut.apply(TABLE, match.events[0].command)
    assert read_bytes(shortened(cut, match, None)).header.seed == match.header.seed
    other = Match(match.game, cut.header)
    other.apply(TABLE, played("a", "b", "c", "d", most=1).events[0].command)
    assert read_bytes(shortened(other, match, None)).header.seed is None
    assert read_bytes(shortened(other, match, None)).ok


def test_a_difference_between_engines_is_shown_by_the_fewest_events(replay, tied: Path, tmp_path: Path, engine) -> None:
    other, new = engine(LATEST_WINS + SERVE), tmp_path / "new.log"
    replay("shrink", tied, "-o", new, "--engine", other, "--tries", 300, exits=0)
    match = load(new)
    with AlternativeEngine(str(other), 20.0) as alternative:
        before, divergence = (Divergence.of(compared_match(alternative, each)) for each in (load(tied), match))
    assert divergence.is_like(before)
    assert divergence.seq == len(match.events) - 1
    assert len(match.events) <= 5


def test_a_match_without_an_event_is_compared(tied: Path, engine) -> None:
    match = load(tied)
    with AlternativeEngine(str(engine(LATEST_WINS + SERVE)), 20.0) as alternative:
        assert compared_match(alternative, Match(match.game, match.header)).change is Change.SAME


def test_an_engine_that_crashes_on_an_attempt_does_not_end_the_search(replay, tied: Path, tmp_path, engine) -> None:
    other, new = engine(LATEST_WINS + CRASHING + SERVE), tmp_path / "new.log"
    called = replay("shrink", tied, "-o", new, "--engine", other, "--tries", 8, "--json", exits=0)
    output = json.loads(called.out)
    assert (output["tries"], output["ended"]) == (8, "tries")
    assert output["events"] == len(load(new).events) < len(load(tied).events)


def test_an_engine_that_crashes_on_a_log_leaves_the_others_to_go_on(replay, tied: Path, tmp_path: Path, engine) -> None:
    for number in range(5):
        (tmp_path / f"{number}.log").write_bytes(tied.read_bytes())
    called = replay("impact", tmp_path, "--engine", engine(LATEST_WINS + CRASHING + SERVE), "--json")
    *answers, whole = called.lines
    assert [each["kind"] for each in answers] == ["illegal", "failed", "illegal", "failed", "illegal"]  # asked twice
    assert "ended with exit code 3" in answers[1]["failed"]
    assert (called.code, whole["compared"], whole["skipped"]) == (1, 5, 0)


@pytest.mark.long
@pytest.mark.parametrize(("change", "events"), [(TIE, 55), (LEAK, 9)])
def test_what_shows_in_a_whole_game_is_shrunk_in_the_time_that_it_has(replay, tmp_path, engine, change, events) -> None:
    """A tie shows at the end alone: after the deal three seats play six rounds, of nine events."""
    other = engine(OF_CAKE + change + SERVE)
    with AlternativeEngine(str(other), 20.0) as alternative:
        some = matches(games.find("cake"), ("a", "b", "c", "d", "e"), {}, bytes(32), 400)
        match = next(each for each in some if compared_match(alternative, each).change is not Change.SAME)
    match.save(tmp_path / "whole.log")
    called = replay("shrink", tmp_path / "whole.log", "-o", tmp_path / "new.log", "--engine", other, "--json")
    output = json.loads(called.out)
    assert output["ended"] in ("shortest", "none")
    assert output["events"] <= events < output["before"]


def test_a_difference_of_options_stays_the_same_difference(replay, tmp_path: Path) -> None:
    (match,) = matches(games.find("cake"), ("a", "b", "c", "d"), {}, bytes(range(32)), 1)
    match.save(tmp_path / "cake.log")
    new, option = tmp_path / "new.log", "elder_votes=false"
    replay("shrink", tmp_path / "cake.log", "-o", new, "--option", option, exits=0)
    alternative = AlternativeOptions([option])
    before, after = (Divergence.of(compared_match(alternative, each)) for each in (match, load(new)))
    assert after.is_like(before)
    assert after.seq == len(load(new).events) - 1 < before.seq + 1
    again = tmp_path / "again.log"
    replay("shrink", tmp_path / "cake.log", "-o", again, "--option", option)
    assert again.read_bytes() == new.read_bytes()


def test_a_refused_command_is_shown_after_the_fewest_that_lead_to_it(replay, illegal: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.log"
    replay("shrink", illegal, "-o", new, "--rule", "TS-2", exits=0)
    (finding,) = read(new).findings
    assert (finding.kind, finding.rule) == ("rule", "TS-2")
    assert finding.seq == read(new).events - 1 < 6
    assert read(new).refused.command == read(illegal).refused.command


def test_no_match_of_the_deals_is_shorter_where_it_says_so(tied: Path) -> None:
    """Held against a search of all commands by hand."""
    match = load(tied)
    rule = match.game.rule("TS-3")
    found = minimize(match, AtWork(rule), 2000, 60)
    assert found.why == "shortest"
    deal = found.match.events[0].command
    shorter = 0
    for choice in product(range(20), repeat=len(found.match.events) - 2):
        again = Match(match.game, found.match.header)
        again.apply(TABLE, deal)
        try:
            for place in choice:
                (seat,) = again.to_act
                again.apply(seat, again.legal(seat)[place])
        except (IndexError, RuleViolation):
            continue
        shorter += AtWork(rule).holds(again) is not None
    assert shorter == 0


@attrs.frozen
class AtLeast:
    """So many events, whatever they are."""

    events: int

    def holds(self, match: Match) -> int | None:
        return self.events if len(match.events) >= self.events else None


def test_it_does_not_say_so_where_not_every_match_was_tried(tied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = load(tied)
    assert minimize(match, AtLeast(3), 4000, 60).why == "shortest"
    assert minimize(match, AtLeast(9), 4000, 60).why == "none"
    monkeypatch.setattr("kifu.replay.analysis.minimize.MAX_CHOICES", 2)
    assert minimize(match, AtLeast(3), 4000, 60).why == "none"


def test_the_search_ends_with_its_tries_or_its_time(tied: Path) -> None:
    match = load(tied)
    noted = AtWork(match.game.rule("TS-13"))
    few = minimize(match, noted, 3, 60)
    assert (few.why, few.tries) == ("tries", 3)
    assert minimize(match, noted, 1000, 0).why == "seconds"
    assert len(few.match.events) <= len(match.events)
    assert noted.holds(few.match) == len(few.match.events)


def test_takebacks_that_do_not_matter_are_dropped(tmp_path: Path) -> None:
    match = played("a", "b", "c", "d", most=4, goes_on=True)
    match.take_back(1)
    match.take_back(3)
    (seat,) = match.to_act
    match.play(seat, match.legal(seat)[0])
    found = minimize(match, AtWork(match.game.rule("TS-3")), 500, 60)
    assert len(found.match.events) == 3
    assert read_bytes(log_bytes(found.match)).ok


@pytest.mark.parametrize("name", games.names())
def test_matches_of_every_game_are_shrunk_to_legal_ones(name: str) -> None:
    game = games.find(name)
    (match,) = matches(game, ("a", "b", "c", "d"), {}, bytes(31) + b"x", 1)
    rules = sorted(rules_at_work(match))
    for number in (rules[0], rules[-1]):
        noted = AtWork(game.rule(number))
        found = minimize(match, noted, 40, 20)
        assert noted.holds(found.match) == len(found.match.events) <= len(match.events)
        assert read_bytes(log_bytes(found.match)).ok


def test_a_game_in_a_file_is_shrunk_whose_first_difference_is_in_its_scores(replay, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    source = STARTER.read_text("utf-8")
    (tmp_path / "low_card.py").write_text(source, "utf-8")
    (tmp_path / "other" / "low_card.py").write_text(source.replace("[max(cards)", "[min(cards)"), "utf-8")
    game = load_game(str(tmp_path / "low_card.py"))
    log = tmp_path / "match.log"
    next(iter(matches(game, ("Aki", "Ren", "Mio"), {}, bytes(32), 1))).save(log)
    ours, theirs = str(tmp_path / "low_card.py"), str(tmp_path / "other" / "low_card.py")
    replay("shrink", log, "--game", ours, "--engine", theirs, "-o", tmp_path / "short.log", "--tries", "300", exits=0)
    assert replay("diff", tmp_path / "short.log", "--game", ours, "--engine", theirs).code == 1
    assert (
        replay("shrink", log, "--game", ours, "--rule", "HC-3", "-o", tmp_path / "rule.log", "--tries", "300").code == 0
    )
