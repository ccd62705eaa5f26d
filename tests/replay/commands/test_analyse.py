"""`replay show --analyse`: the same seed gives the same bytes, in words and as JSON."""

import json
import sys
from pathlib import Path

import pytest
from kifu.core.match import Match
from kifu.core.page import LANGS
from kifu.core.text.texts import Texts
from kifu.core.wire import wire_of
from kifu.games import find
from kifu.replay.analysis import decisions
from kifu.replay.analysis.analysis_text import gain, percent, reasons, remarks
from kifu.replay.analysis.match_analyser import MatchAnalyser

from ..conftest import played


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search and play out little: these tests are about the verb."""
    for name, value in {"ITERATIONS": 4, "FIRST_PAIRS": 2, "DEPTH": 12}.items():
        monkeypatch.setattr(decisions, name, value)
    monkeypatch.setattr("kifu.replay.commands.export.PAIRS", 4)


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """The first trick of a match."""
    first_trick().save(tmp_path / "short.log")
    return tmp_path / "short.log"


def first_trick() -> Match:
    return played("Aki", "Ren", "Mio", "Sou", most=7, goes_on=True)


def test_every_decision_is_a_line(replay, short: Path) -> None:
    called = replay("show", short, "--analyse", "--pairs", 4, "--json")
    head, *lines, last = called.lines
    match = first_trick()
    expected = decisions.decisions_of(match)
    assert called.code == 0
    assert (head["analysis"], head["decisions"], head["pairs"]) == (1, len(expected), 4)
    assert [(line["seq"], line["seat"]) for line in lines] == [(each.seq, each.seat) for each in expected]
    for line, decision in zip(lines, expected, strict=True):
        tag, fields = wire_of(match.game).encode(decision.played)
        assert (line["played"]["tag"], line["played"]["fields"]) == (tag, json.loads(json.dumps(fields)))
        assert line["pairs"] == 4
        mean, low, high = line["value_loss"]
        assert low <= mean <= high
        assert mean == pytest.approx(line["best"]["value"] - line["played"]["value"], abs=2e-4)
    assert last == {"turning_points": [line["seq"] for line in lines if line["swing"]]}


@pytest.mark.ci
def test_the_same_call_gives_the_same_bytes_also_over_an_earlier_analysis(replay, short: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.analysis"
    call = ("show", short, "--analyse", "--pairs", 3, "--analysis", file)
    out, content = replay(*call).out, file.read_bytes()
    json_out = replay("show", short, "--analyse", "--pairs", 3, "--json").out.encode()
    assert content == b"".join(json_out.splitlines(keepends=True)[:-1])
    for there in (b"", content[:-5]):
        file.write_bytes(there)
        assert (replay(*call).out, file.read_bytes()) == (out, content)


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_decision_is_told_before_the_next_one_is_judged(replay, short: Path, monkeypatch, capsys, form) -> None:
    told: list[str] = []

    def judged(*given):
        told.append(capsys.readouterr().out)
        return decisions.judge(*given)

    monkeypatch.setattr("kifu.replay.analysis.analysis_file.judge", judged)
    replay("show", short, "--analyse", "--pairs", 2, *form)
    assert told[1:]
    for each, decision in zip(told[1:], decisions.decisions_of(first_trick()), strict=False):
        assert f'"seq": {decision.seq}, ' in each if form else f" {decision.seq} " in each.replace("◆", " ")


@pytest.mark.ci
def test_a_server_analyses_by_this_verb(replay, short: Path, tmp_path: Path) -> None:
    analyser, file, own = MatchAnalyser(tmp_path, pairs=3), tmp_path / "server.analysis", tmp_path / "own.analysis"
    file.touch()
    command = analyser.command(short, file)
    assert command[:4] == (sys.executable, "-P", "-m", "kifu.replay")
    assert replay(*command[4:]).code == 0
    replay("show", short, "--analyse", "--pairs", 3, "--analysis", own)
    assert file.read_bytes() == own.read_bytes()
    lines = [json.loads(line) for line in own.read_bytes().splitlines()[1:]]
    match = first_trick()
    assert analyser.remarks(match, lines) == remarks(lines, match.game, match.header.seats, LANGS)


def test_an_analysis_of_another_version_is_never_touched(refused, short: Path, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(b'{"analysis": 2}\n')
    assert "not an earlier analysis" in refused("show", short, "--analyse", "--analysis", file)
    assert file.read_bytes() == b'{"analysis": 2}\n'
    refused("show", short, "--analyse", "--pairs", 2, "--analysis", tmp_path / "none" / "game.analysis")


@pytest.mark.parametrize(("best", "played"), [(0.675, 0.325), (0.425, 0.15), (0.3, 0.304), (0.1, 0.2)])
def test_chances_add_up_as_they_are_printed(best: float, played: float) -> None:
    """68 % and 32 % are 36 apart, whatever their means are."""
    shown = [int(percent(chance).removesuffix(" %")) for chance in (best, played)]
    assert gain({"best": {"chance": best}, "played": {"chance": played}}) == max(0, shown[0] - shown[1])


@pytest.mark.ci
def test_turning_points_have_their_reason_in_words(replay, short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions.Judgement, "is_swing", True)
    english = replay("show", short, "--analyse", "--pairs", 3).out
    assert "◆" in english
    assert "of the time, this" in english or "further ahead" in english
    assert "What happened: Aki" in english or "What happened: Ren" in english
    japanese = replay("show", short, "--analyse", "--pairs", 3, "--lang", "ja").out
    assert "分かれ目" in japanese
    assert "よりよい手：" in japanese


@pytest.mark.parametrize(("points", "more"), [(7.0, True), (5.9, False)])
def test_a_reason_begins_with_what_was_better_and_ends_with_points_that_speak_for_it(points: float, more: bool) -> None:
    played, best = ({"tag": "play", "fields": {"card": card}} for card in (5, 105))
    line = {"seat": 0, "pairs": 9, "swing": True, "value_loss": [0.3, 0.2]}
    line |= {"played": {**played, "chance": 0.1, "points": 6.0}, "best": {**best, "chance": 0.5, "points": points}}
    said = reasons(line, Texts("en", "kifu.replay"), find("take_and_share"), ["Aki", "Ren", "Mio"])
    assert said[0] == "Better: play a card: ♥5. It wins 50 % of the time, this 10 %."
    assert said[1:] == ["On average Aki then ends with 7.0 points instead of 6.0."] * more


def test_a_bad_log_is_analysed_up_to_its_error(replay, illegal: Path) -> None:
    called = replay("show", illegal, "--analyse", "--pairs", 2, exits=1)
    assert "TS-2" in called.out


@pytest.fixture
def ended(tmp_path: Path) -> Path:
    """The first trick of a match that was abandoned then."""
    played("Aki", "Ren", "Mio", "Sou", most=7).save(tmp_path / "ended.log")
    return tmp_path / "ended.log"


def exported(replay, log: Path, *more: object) -> dict:
    called = replay("export", log, "-o", "-", "--format", "json", "--analyse", *more, exits=0)
    return json.loads(called.out)


@pytest.mark.ci
def test_an_export_says_of_each_decision_what_the_analysis_says(replay, ended: Path) -> None:
    lines = replay("show", ended, "--analyse", "--pairs", 4, "--json").lines[1:-1]
    remarks = exported(replay, ended)["analysis"]
    assert [(each["step"], each["seat"], each["swing"]) for each in remarks] == [
        (line["seq"], line["seat"], line["swing"]) for line in lines
    ]
    for each, line in zip(remarks, lines, strict=True):
        english, japanese = ("".join(map(str, text)) for text in each["text"])
        assert f"{100 * line['played']['chance']:.0f} %" in english
        assert f"{100 * line['played']['chance']:.0f} %" in japanese
        assert english != japanese


@pytest.mark.ci
def test_an_export_for_a_seat_has_its_decisions_alone(replay, ended: Path, monkeypatch) -> None:
    computed: list[int] = []
    judge = decisions.judge
    spied = lambda decision, *args: (computed.append(decision.seat), judge(decision, *args))[1]  # noqa: E731
    monkeypatch.setattr("kifu.replay.analysis.analysis_file.judge", spied)
    seat = decisions.decisions_of(first_trick())[0].seat
    own = exported(replay, ended, "--as", seat)["analysis"]
    assert {each["seat"] for each in own} == {seat} == set(computed)
    assert len(exported(replay, ended)["analysis"]) > len(own)


@pytest.mark.ci
def test_the_turning_points_of_a_seat_are_those_of_its_own_decisions(replay, ended: Path, monkeypatch) -> None:
    monkeypatch.setattr("kifu.replay.analysis.analysis_text.TURNING_POINTS", 1)
    monkeypatch.setattr(decisions.Judgement, "is_swing", True)
    for seat in {each.seat for each in decisions.decisions_of(first_trick())}:
        own = exported(replay, ended, "--as", seat)["analysis"]
        assert [each["turning_point"] for each in own].count(True) == 1


def test_a_match_that_goes_on_is_not_analysed_for_an_export(refused, short: Path) -> None:
    for options in ((), ("--as", "0")):
        said = refused("export", short, "-o", "-", "--analyse", *options)
        assert said == "replay: the match has not ended: make the analysis once it has\n"
