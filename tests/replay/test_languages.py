"""Every verb speaks Japanese when asked: no English sentence is left in what it prints."""

import json
import pickle
import re
import sys
from pathlib import Path

import pytest
from kifu.core.text.texts import Texts
from kifu.replay.analysis.verdict_words import audit_words
from kifu.replay.call_errors import CallError, UserMessage

from .conftest import CASES, FIXTURES

CAKE = FIXTURES / "cake"
LOG = CAKE / "tie_broken.log"
OTHER = CAKE / "two_eaten.log"

CALLS = {
    "audit": ("audit", LOG, CAKE / "shared_victory.log", CASES / "take_and_share/002-illegal.log", "--jobs", "1"),
    "golden": ("golden", CAKE, "--jobs", "1"),
    "diff of logs": ("diff", LOG, OTHER),
    "diff of the same": ("diff", LOG, LOG),
    "diff of traces": ("diff", LOG.with_suffix(".trace"), OTHER),
    "stats": ("stats", CAKE, "--jobs", "1"),
    "stats of a match of two": ("stats", FIXTURES / "mabr/two_seats.log"),
    "stats of what goes on": ("stats", FIXTURES / "take_and_share/unfinished.log"),
    "rules": ("rules", "cake", "--coverage", CAKE),
    "when": ("when", LOG, "len(piles)"),
    "show": ("show", LOG),
    "show a bad log": ("show", CASES / "take_and_share/002-illegal.log", "--from", "110"),
    "show a damaged log": ("show", CASES / "damaged" / "023-after_end_noise.log", "--from", "55"),
    "audit of damage": ("audit", CASES / "damaged", "--jobs", "1"),
    "stats of damage": ("stats", CASES / "damaged", "--jobs", "1"),
    "impact of damage": ("impact", CASES / "damaged", "--option", "long=true", "--jobs", "1"),
}
NAMES = {
    *["Aki", "Ren", "Mio", "Sou", "Yui", "kifu", "log", "trace", "oracle", "cake", "gosne", "mabr", "palace", "logs"],
    *["take", "and", "share", "nil", "false", "meta", "msgpack", "over", "abandoned"],
    *["end", "events", "points", "winners", "chain", "chess"],
    "long",  # an option that a rule names
}
"""What may be there in Latin letters: names of people, files, games, programs and parts of a log."""


SLOW = ("impact of damage", "golden")


@pytest.mark.parametrize(
    "call", [pytest.param(call, id=name, marks=[pytest.mark.ci] * (name in SLOW)) for name, call in CALLS.items()]
)
def test_it_speaks_japanese(replay, call: tuple[object, ...]) -> None:
    called = replay("--lang", "ja", *call)
    assert called.code in ((0, 1, 2) if CASES / "damaged" in call else (0, 1))
    out = re.sub("'[^']*'", "", called.out)
    for path in sorted((str(each) for each in call if isinstance(each, Path)), key=len, reverse=True):
        out = out.replace(path, "")
    assert re.search("[ぁ-んァ-ン一-龠]", out)
    words = re.findall(r"(?<![\w.=/-])[a-z]{3,}\b(?![=/()\[-])", out)
    assert not [word for word in words if word not in NAMES], out
    assert not re.findall(r"[ぁ-んァ-ヶ一-龠）」](?:[:;,] | ?\().*", out), "punctuation is of full width"


@pytest.mark.ci
def test_json_says_of_damage_what_it_says_in_every_language(replay) -> None:
    """A program shall know it again; what breaks a rule is said by the catalogue, as it always was."""
    english, japanese = (
        replay("audit", CASES / "damaged", "--jobs", "1", "--json", "--lang", lang).lines for lang in ("en", "ja")
    )
    assert len(english) == len(japanese) > 100
    for one, other in zip(english, japanese, strict=True):
        for ours, theirs in zip(one["findings"], other["findings"], strict=True):
            assert ours == theirs or re.search("席|テーブル", theirs["message"])


def test_differences_from_a_golden_log_are_printed_in_japanese(replay, tmp_path) -> None:
    for suffix in (".log", ".trace", ".json"):
        (tmp_path / "a.x").with_suffix(suffix).write_bytes(LOG.with_suffix(suffix).read_bytes())
    (tmp_path / "b.log").write_bytes(OTHER.read_bytes())
    (tmp_path / "c.log").write_bytes(b"no log")
    verdict = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    (tmp_path / "a.json").write_text(json.dumps({**verdict, "events": 3}), encoding="utf-8")
    (tmp_path / "a.trace").write_bytes(OTHER.with_suffix(".trace").read_bytes()[:2200])
    out = replay("golden", tmp_path, "--lang", "ja").out
    assert f"events：保存時 3、現在 {verdict['events']}\n" in out
    assert re.search("a.trace：トレースが[0-9]+手目の後で切れている\n", out)
    assert "b.jsonがない。replay golden --blessで保存する\n" in out
    assert "c.log：ヘッダー：棋譜ではない：ヘッダーで始まっていない\n" in out
    english = replay("golden", tmp_path).out
    assert f"events: stored 3, now {verdict['events']}\n" in english
    assert "b.json is missing; replay golden --bless stores it\n" in english


@pytest.mark.ci
def test_a_log_that_an_engine_cannot_use_is_reported_in_japanese(replay, tmp_path) -> None:
    (tmp_path / "a.log").write_bytes(b"no log")
    called = replay("diff", tmp_path, "--engine", sys.executable, "--lang", "ja")
    assert f"{tmp_path / 'a.log'}：ヘッダー：棋譜ではない：ヘッダーで始まっていない\n" in called.out
    (data,) = replay("diff", tmp_path, "--engine", sys.executable, "--lang", "ja", "--json").lines
    assert data["error"] == "header: this is not a log: it does not begin with a header"


@pytest.mark.parametrize(
    ("winners", "lang", "said"),
    [
        ([0, 1, 2], "en", "shared by all seats"),
        ([0, 1, 2], "ja", "全席が同じ結果"),
        ([], "en", "nobody wins"),
        ([], "ja", "勝者なし"),
        ([0, 1], "en", "won by seat 0 and seat 1"),
        ([0, 1], "ja", "席0、席1の勝ち"),
    ],
)
def test_an_audit_says_who_won_and_of_no_draw_and_no_common_loss_that_it_is_won(winners, lang, said) -> None:
    record = {"game": "go", "events": 3, "finished": True, "points": [1] * 3, "winners": winners, "digests": "checked"}
    words = audit_words({**record, "ok": True, "findings": []}, Texts(lang, "kifu.replay"))
    assert said in words.summary


def test_a_verb_without_the_option_refuses_in_the_language_of_the_locale(replay, monkeypatch) -> None:
    call = "trace", LOG, "-o", __file__
    assert "and is not an earlier trace; give another name" in replay(*call).err
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert "すでにあり、以前のトレースではない。" in replay(*call).err
    assert "there is no such seat" in replay("show", LOG, "--as", "9", "--lang", "en").err


def test_a_pickled_error_keeps_its_message_in_every_language() -> None:
    sent = CallError(
        "no-condition",
        "{value} is not a condition: compare it with something",
        value=UserMessage("a-list", "a list of {length}", length=7),
    )
    got = pickle.loads(pickle.dumps(sent))
    assert (type(got), got.message) == (CallError, sent.message)
    assert str(got) == "a list of 7 is not a condition: compare it with something"
    assert Texts("ja").message(got.message) == "長さ7の並びは条件ではない。何かと比べる"


def test_a_long_path_is_printed_whole(tmp_path) -> None:
    path = tmp_path / ("long" * 50)
    assert str(CallError("file-there", "{file}: it exists already", file=path)) == f"{path}: it exists already"


def test_logs_are_counted_by_a_counter_that_goes_beyond_nine() -> None:
    """つ ends at nine."""
    texts = Texts("ja", "kifu.replay")
    assert texts.format("audit-total", logs=43, fine=11, found=32) == "棋譜43件：異常なし11、異常あり32"
    catalogue = (Path(__file__).parents[2] / "replay" / "texts" / "ja.ftl").read_text("utf-8")
    assert not re.findall(r"\$(?:logs|count) \}つ", catalogue)
