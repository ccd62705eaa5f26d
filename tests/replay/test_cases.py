"""The sample logs of other programs: `replay audit` says of each what it must (`tests/cases/README.md`)."""

import json
from pathlib import Path

import pytest
from kifu import games
from kifu.core.text.texts import Texts
from kifu.replay.analysis.findings import judgement

from .conftest import CASES

WORDS = Texts("en")


def logs(folder: str) -> list[Path]:
    return sorted((CASES / folder).glob("*.log"))


def first(record: dict) -> tuple:
    """The first finding of kind `rule` or `form`, or whatever else was found."""
    breaks = [each for each in record["findings"] if each["kind"] in ("rule", "form")] or record["findings"]
    return (breaks[0]["kind"], breaks[0]["seq"], breaks[0]["rule"]) if breaks else (None, None, None)


def is_right(log: Path) -> bool:
    """Whether the judgement of a recorded match is the expected one, or one of the others that are right too."""
    expected = json.loads(log.with_suffix(".json").read_text())
    record = judgement(log, WORDS)
    kind, seq, rule = first(record)
    return all(record[key] == expected[key] for key in ("ok", "finished", "points", "winners")) and any(
        kind in answer.get("kinds", [answer["kind"]])
        and seq == answer["seq"]
        and (kind != "rule" or rule in answer["rules"])
        for answer in [expected, *({**expected, **other} for other in expected.get("alt", []))]
    )


def is_reported(log: Path) -> bool:
    """Whether the judgement of a damaged log names the damage, and what the match was before it."""
    expected = json.loads(log.with_suffix(".json").read_text())
    record = judgement(log, WORDS)
    kinds = {finding["kind"] for finding in record["findings"]}
    may_be = kinds & set(expected["kinds"]) if kinds else expected["ok"] or expected["may_pass"]
    return (
        bool(may_be)
        and set(expected["must"]) <= kinds
        and all(record[key] == expected[key] for key in {"events", "finished", "points", "winners"} & set(expected))
    )


@pytest.mark.parametrize("game", games.names())
def test_recorded_matches_are_judged_right(game: str) -> None:
    assert logs(game)
    assert [log.stem for log in logs(game) if not is_right(log)] == []


def test_damaged_logs_are_reported_as_what_they_are() -> None:
    assert logs("damaged")
    assert [log.stem for log in logs("damaged") if not is_reported(log)] == []


def test_no_game_is_without_its_sample_logs() -> None:
    assert [game for game in games.names() if (CASES / game).is_dir()] == games.names()
