"""The sample logs of other programs: `replay audit` says of each what it must (`tests/cases/README.md`)."""

import json
from pathlib import Path

import pytest
from kifu import games
from kifu.core.text.texts import Texts
from kifu.replay.analysis.findings import judgement

CASES = Path(__file__).parents[1] / "cases"
WORDS = Texts("en")


def logs(folder: str) -> list[Path]:
    return sorted((CASES / folder).glob("*.log"))


def first(record: dict) -> tuple:
    """The first finding of kind `rule` or `form`, or whatever else was found."""
    breaks = [each for each in record["findings"] if each["kind"] in ("rule", "form")] or record["findings"]
    return (breaks[0]["kind"], breaks[0]["seq"], breaks[0]["rule"]) if breaks else (None, None, None)


@pytest.mark.parametrize("log", [log for game in games.names() for log in logs(game)], ids=lambda log: log.stem)
def test_a_recorded_match_is_judged_right(log: Path) -> None:
    expected = json.loads(log.with_suffix(".json").read_text())
    record = judgement(log, WORDS)
    assert {key: record[key] for key in ("ok", "finished", "points", "winners")} == {
        key: expected[key] for key in ("ok", "finished", "points", "winners")
    }
    kind, seq, rule = first(record)
    answers = [expected, *({**expected, **other} for other in expected.get("alt", []))]
    assert any(
        kind in answer.get("kinds", [answer["kind"]])
        and seq == answer["seq"]
        and (kind != "rule" or rule in answer["rules"])
        for answer in answers
    ), (expected, record["findings"])


@pytest.mark.parametrize("log", logs("damaged"), ids=lambda log: log.stem)
def test_a_damaged_log_is_reported_as_what_it_is(log: Path) -> None:
    expected = json.loads(log.with_suffix(".json").read_text())
    record = judgement(log, WORDS)
    kinds = {finding["kind"] for finding in record["findings"]}
    if not kinds:
        assert expected["ok"] or expected["may_pass"]
    else:
        assert kinds & set(expected["kinds"])
    assert set(expected["must"]) <= kinds
    for key in {"events", "finished", "points", "winners"} & set(expected):
        assert record[key] == expected[key]


def test_no_game_is_without_its_sample_logs() -> None:
    assert [game for game in games.names() if (CASES / game).is_dir()] == games.names()
