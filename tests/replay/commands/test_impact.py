"""`replay impact`: over many logs, what a change makes of each; damage is told, the others go on."""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import attrs
import pytest
from kifu import games
from kifu.core.game import RuleViolation, Takeback
from kifu.core.log import load, log_bytes, read_bytes
from kifu.core.match import Match
from kifu.core.match.engine import engine_name
from kifu.core.text.texts import Texts
from kifu.core.trace import Change, compare, read_trace, trace_log
from kifu.replay.analysis.divergence import ACCEPTS, Divergence
from kifu.replay.analysis.impacts import Impact, Tally
from kifu.replay.analysis.what_if import AlternativeOptions, compared_match
from kifu.replay.logs.locations import SkippedLog
from kifu.replay.logs.worker_pool import CHUNK
from kifu.replay.tournament.random_matches import matches

from ..conftest import CASES, LATEST_WINS, ROOT, SERVE, played, rules_at_work


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Matches of two games, enough to be shared among processes; one of them with a takeback."""
    folder = tmp_path_factory.mktemp("impact")
    for name, count in (("take_and_share", 2 * CHUNK), ("cake", 3)):
        for match in matches(games.find(name), ("a", "b", "c", "d"), {}, bytes(32), count):
            match.save(folder / f"{name}-{match.header.match}.log")
    match = played("a", "b", "c", "d", most=20, goes_on=True)
    match.take_back(4)
    match.save(folder / "takeback.log")
    return folder


def under(path: Path, **options: object) -> tuple[object, str | None]:
    """Play a log again under other options by hand: its result and the rule that refused, if any."""
    old = load(path)
    match = Match(old.game, attrs.evolve(old.header, seed=None, options=attrs.evolve(old.header.options, **options)))
    try:
        for event in old.events:
            match.apply(event.seat, event.command)
    except RuleViolation as violation:
        return match.result, violation.rule.number
    return match.result, None


@pytest.mark.ci
@pytest.mark.parametrize(("options", "typed"), [({"long": True}, "long=true"), ({"first": 1}, "first=1")])
@pytest.mark.parametrize("jobs", [1, 2])
def test_each_log_is_judged_as_by_hand_and_in_order(replay, logs: Path, options: dict, typed: str, jobs: int) -> None:
    called = replay("impact", logs, "--option", typed, "--jobs", jobs, "--json", exits=1)
    *answers, whole = called.lines
    assert [each["log"] for each in answers] == [str(path) for path in sorted(logs.iterdir())]
    judged = [each for each in answers if "skipped" not in each]
    for answer in judged:
        result, rule = under(Path(answer["log"]), **options)
        assert answer["rule"] == rule
        assert answer["winners"][1] == (None if result is None else list(result.winners))
    counts = Counter((each["kind"], each["rule"]) for each in judged)
    expected: Counter[tuple[str, str]] = Counter()
    for kind, some in whole["kinds"].items():
        for each in some:
            expected[kind, each["rule"]] += each["logs"]
    assert expected == counts
    assert whole["compared"] + whole["others"] + whole["skipped"] == len(answers)
    for kind, some in whole["kinds"].items():
        for each in some:
            group = (kind, each["rule"], each["first"])
            events = [one["events"] for one in judged if (one["kind"], one["rule"], one["first"]) == group]
            assert len(events) == each["logs"]
            (shortest,) = [other for other in judged if other["log"] == each["shortest"]]
            assert shortest["events"] == min(events)


@pytest.mark.ci
def test_what_already_is_so_changes_nothing(replay, logs: Path) -> None:
    called = replay("impact", logs, "--option", "long=false", exits=0)
    *lines, looked = called.out.splitlines()
    assert re.fullmatch(r"Views, notes, legal commands and refusals were compared in \d+ of \d+ steps", looked)
    assert lines == [
        "  17  same",
        "17 logs compared",
        "3 of games without this option",
        f"take_and_share: rules that no log reaches: {' '.join(silent_rules('take_and_share', logs))}",
    ]


def silent_rules(game: str, logs: Path) -> list[str]:
    """The rules of a game that no note of its logs names."""
    reached = set().union(*(rules_at_work(load(path)) for path in logs.glob("*.log") if load(path).game.name == game))
    return [rule.number for rule in games.find(game).book if rule.number not in reached]


def test_other_digests_change_nothing_but_are_named_before_the_damage(replay, logs, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("kifu.core.log.reader.digest", lambda state: bytes(8))
    log, good = tmp_path / "other.log", (logs / "takeback.log").read_bytes()
    log.write_bytes(good)
    assert replay("impact", log, "--option", "long=true", "--json").lines[0]["kind"] == "same"
    log.write_bytes(good[:-3])
    called = replay("impact", log, "--option", "long=true")
    assert called.err.startswith(f"replay: nothing could be compared: {log}: digest: event 0: ")


def test_an_illegal_log_stays_so_or_becomes_legal(replay, illegal: Path) -> None:
    reading = read_bytes(illegal.read_bytes())
    assert reading.refused == attrs.evolve(reading.match.events[1], seq=6, seat=reading.refused.seat)
    (answer, _) = replay("impact", illegal, "--option", "long=true", "--json").lines
    assert answer["kind"] == "same"


def test_a_command_that_the_option_allows_becomes_legal() -> None:
    """A lead that is another seat's under `first=1` is refused; without the option it is not."""
    match = played("a", "b", "c", "d", most=2)
    header = attrs.evolve(match.header, seed=None, options=attrs.evolve(match.header.options, first=1))
    other = Match(match.game, header)
    other.apply(match.events[0].seat, match.events[0].command)
    other.events.append(match.events[1])
    other._fold.states.append(other.state)
    log = log_bytes(other, digests=False)
    reading = read_bytes(log)
    assert [each.rule for each in reading.findings] == ["TURN"]
    comparison = AlternativeOptions(["first=0"]).compared(log, reading)
    assert comparison.change is Change.MORE
    assert (comparison.a.refusal.rule, comparison.b.refusal) == ("TURN", None)


def test_takebacks_are_taken_back_under_the_other_option_too(logs: Path) -> None:
    log = (logs / "takeback.log").read_bytes()
    reading = read_bytes(log)
    assert isinstance(reading.match.events[-1].command, Takeback)
    assert AlternativeOptions(["long=true"]).compared(log, reading).change is Change.SAME


def test_what_is_no_command_at_all_stays_refused_under_any_option() -> None:
    malformed = CASES / "damaged" / "025-event_field_bytes.log"
    reading = read_bytes(malformed.read_bytes())
    assert reading.refused is None
    comparison = AlternativeOptions(["long=true"]).compared(malformed.read_bytes(), reading)
    assert comparison.a.refusal == comparison.b.refusal
    assert (comparison.a.refusal.seq, comparison.a.refusal.rule) == (4, "FORM")


def test_where_an_engine_fails_nothing_is_said_to_be_refused() -> None:
    def apply(state, seat, command):
        raise KeyError("planted")

    match = played("a", "b", "c", "d", most=4)
    both = match.game, match.game.altered(apply=apply)
    traces = [trace_log(log_bytes(match), lambda _, game=game: game) for game in both]
    divergence = Divergence.of(compare(*map(read_trace, traces)))
    assert divergence.text(Texts("en", "kifu.replay")) == "a command at which the other engine fails"


@pytest.mark.ci
def test_this_engine_changes_nothing(replay, logs: Path) -> None:
    called = replay("impact", logs, "--engine", sys.executable, exits=0)
    first, second, *unreached, engines, _, hint = called.out.splitlines()
    assert engines == f"A: {engine_name()}  B: {engine_name()}"
    assert re.match(r"A: kifu [0-9][^ ]*\+[0-9a-f]{8}  B: ", engines)
    assert hint == f"No log reaches a change. Others may: replay seek cake --engine {sys.executable}"
    assert [first, second] == ["  20  same", "20 logs compared"]
    assert unreached == [
        f"{game}: rules that no log reaches: {' '.join(silent_rules(game, logs))}"
        for game in ("cake", "take_and_share")
    ]


@pytest.mark.ci
def test_a_game_in_a_file_is_compared_with_the_file_of_its_other_version(replay, tmp_path: Path, monkeypatch) -> None:
    nim = (ROOT / "docs" / "examples" / "nim.py").read_text("utf-8")
    ours = "ours" + "-of-long-ago" * 7  # a path longer than what else is printed
    for folder, text in ((ours, nim), ("their games", nim.replace("in (1, 2, 3)", "in (1, 2, 3, 4)"))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "nim.py").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path / ours)
    monkeypatch.delitem(sys.modules, "nim", raising=False)  # that of another test

    def called(*args: str) -> list[str]:
        run = replay(*args)
        assert run.out, run.err
        return run.out.splitlines()

    assert called("simulate", "nim.py", "--games", "9", "-o", "logs", "--seed", "0" * 64, "--jobs", "1")
    other = called("impact", "logs", "--game", "nim.py", "--engine", "../their games/nim.py")
    assert any("more legal" in line for line in other)
    assert any(re.fullmatch(r"A: kifu \S+, (nim\+\w+)  B: kifu \S+, (?!\1)nim\+\w+", line) for line in other)
    (tmp_path / "their games" / "nim.py").write_text(f"{nim}# The same.\n", "utf-8")
    *_, hint = called("impact", "logs", "--game", "nim.py", "--engine", "../their games/nim.py", "--jobs", "1")
    _, *seek = shlex.split(hint.partition(": ")[2])
    assert called(*seek, "--tries", "2")[0].startswith("no difference in 2 matches")
    *_, hint = called("impact", "logs", "--game", "nim.py", "--engine", sys.executable, "--jobs", "1")
    assert hint == "nim is in a file, which both sides play: give its other version, --engine OTHER.py"


WHOLE_TRACES = """
import kifu.core.trace.__main__ as engine
from kifu.core.trace import trace_log
engine.respond = lambda request: {"trace": trace_log(request["log"], named=True)}
engine.main()
"""


@pytest.mark.ci
def test_an_engine_that_knows_only_whole_traces_is_compared_too(replay, logs: Path, engine) -> None:
    called = replay("impact", logs / "takeback.log", "--engine", engine(WHOLE_TRACES))
    assert (called.code, called.out.splitlines()[0]) == (0, "  1  same")


def test_the_shortest_of_each_kind_and_rule_is_kept_and_little_else() -> None:
    tally = Tally()
    for number in range(1000):
        rule = ("X-1", "X-2")[number % 2]
        tally.add(Impact(f"{number}.log", Change.ILLEGAL, 2000 - number, rule, 3))
        tally.add(SkippedLog(f"other-{number}.log", "no such option", other_game=True))
        tally.add(SkippedLog(f"damaged-{number}.log", "torn"))
    assert [(each.rule, each.logs, each.shortest.log) for each in tally.of(Change.ILLEGAL)] == [
        ("X-1", 500, "998.log"),
        ("X-2", 500, "999.log"),
    ]
    assert [each.log for each in tally.skipped] == [f"damaged-{number}.log" for number in range(10)]
    assert (tally.damaged, tally.others, tally.other.log) == (1000, 1000, "other-0.log")


@pytest.mark.ci
def test_logs_are_grouped_by_what_differs_first_and_one_step_of_each_group_is_shown(replay, logs: Path, engine) -> None:
    called = replay("impact", logs, "--engine", engine(LATEST_WINS + SERVE), exits=1)
    lines = called.out.splitlines()
    (place,) = (place for place, line in enumerate(lines) if "refused by TURN; first by TS-6" in line)
    step = int(re.search(r"differs from step (\d+)", lines[place + 1]).group(1))
    match = load(Path(lines[place + 1].partition(": ")[2]))
    assert any(note.rule is not None and note.rule.number == "TS-6" for note in match.steps[step].notes)
    assert lines[place + 2].strip().endswith(f"{match.game.face(match.events[step].command.card).text}  TS-3  TS-6")


def test_an_option_that_changes_only_a_note_is_a_difference() -> None:
    game = games.find("take_and_share")

    def explain(step, viewer):
        for note in game.explain(step, viewer):
            yield attrs.evolve(note, key="other") if step.before.options.long and note.key == "led" else note

    match = played("a", "b", "c", "d", most=6)
    told = Match(game.altered(explain=explain), attrs.evolve(match.header, seed=None))
    for event in match.events:
        told.apply(event.seat, event.command)
    lead = next(step.seq for step in told.steps if any(note.key == "led" for note in step.notes))
    assert compared_match(AlternativeOptions(["long=false"]), told).change is Change.SAME
    found = Divergence.of(compared_match(AlternativeOptions(["long=true"]), told))
    assert (found.seq, found.fields, found.notes) == (lead, frozenset(), {"TS-2"})


def test_divergences_are_alike_by_what_differs_not_where() -> None:
    assert Divergence(3, (ACCEPTS, "X-1")).is_like(Divergence(9, (ACCEPTS, "X-1")))
    assert not Divergence(3, (ACCEPTS, "X-1")).is_like(Divergence(3, (ACCEPTS, "X-2")))
    assert Divergence(3, fields=frozenset("ab")).is_like(Divergence(4, fields=frozenset("bc")))
    assert not Divergence(3, fields=frozenset("a")).is_like(Divergence(3, fields=frozenset("b")))
    assert Divergence(3, notes=frozenset({"X-1", "X-2"})).is_like(Divergence(4, notes=frozenset({"X-1"})))
    assert not Divergence(3, notes=frozenset({"X-1"})).is_like(Divergence(4, notes=frozenset({"X-2"})))
    assert not Divergence(-1, fields=frozenset("a")).is_like(Divergence(3, fields=frozenset("a")))


@pytest.mark.ci
def test_ctrl_c_ends_it_at_once_with_one_line(logs: Path, tmp_path: Path) -> None:
    for number in range(60):
        for path in logs.glob("cake-*.log"):
            (tmp_path / f"{number}-{path.name}").write_bytes(path.read_bytes())
    call = [sys.executable, "-c", "from kifu.replay import main; main()", "impact", str(tmp_path), "--jobs", "2"]
    process = subprocess.Popen(
        [*call, "--option", "first=1", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 130, "interrupted, not come to its end"
    assert err == b"replay: interrupted\n"
