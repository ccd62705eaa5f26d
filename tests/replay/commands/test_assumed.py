"""A record of which something is assumed is shown as such at every door."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kifu
import pytest
from kifu import TABLE, UNKNOWN
from kifu.core.game import Card
from kifu.core.log.json_form import from_json
from kifu.core.text.texts import Texts
from kifu.games.take_and_share.model import Deal
from small_poker import GAME as POKER
from small_poker import Call, Raise
from small_poker import Deal as PokerDeal

POKER_FILE = Path(__file__).parents[3] / "docs" / "examples" / "small_poker.py"


@pytest.fixture
def assumed(match: Any, tmp_path: Path) -> Path:
    """The log of a match of Take & Share of whose deal every third card is assumed."""
    cards = tuple(card if place % 3 else UNKNOWN for place, card in enumerate(match.events[0].command.cards))
    events = [(TABLE, Deal(cards)), *[(each.seat, each.command) for each in match.events if each.seat != TABLE]]
    path = tmp_path / "assumed.log"
    found = kifu.reconstruct("take_and_share", match.header.seats, events)
    assert found.assumed is not None
    assert found.assumed.of in (48, 60)
    found.save(path)
    return path


def words_of(path: Path) -> str:
    assumed = kifu.load(path).assumed
    assert assumed is not None
    return f"{assumed.count} of {assumed.of} cards are assumed"


@pytest.mark.parametrize(
    "call", [["show"], ["show", "--as", "1"], ["audit"], ["show", "--step", "0"], ["show", "--step", "0", "--as", "1"]]
)
def test_it_is_said_in_words(call: list[str], assumed: Path, replay: Callable[..., Any]) -> None:
    out = replay(*call, assumed).out
    words = words_of(assumed)
    assert words in out or words.replace(" of ", " of these ") in " ".join(out.split())


def test_audit_says_that_it_is_legal_for_some_deal(assumed: Path, replay: Callable[..., Any]) -> None:
    called = replay("audit", assumed)
    assert called.code == 0
    assert f"legal for some deal; {words_of(assumed)}" in called.out
    (record,) = map(json.loads, replay("audit", "--json", assumed).out.splitlines())
    assert record["ok"]
    assert record["assumed"]["deal"] == "some"


def test_pages_tables_and_figures_have_it(assumed: Path, tmp_path: Path, replay: Callable[..., Any]) -> None:
    replay("export", assumed, "-o", tmp_path / "page.json")
    assert json.loads((tmp_path / "page.json").read_text("utf-8"))["assumed"][0] == words_of(assumed)
    assert "1 partly assumed" in replay("stats", assumed).out
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs kifu[stats]")
    replay("table", assumed, "-o", tmp_path / "events.parquet")
    first, second, *_ = parquet.read_table(tmp_path / "events.parquet").to_pylist()
    assert first["assumed"] > 0 == second["assumed"]
    (whole,) = parquet.read_table(tmp_path / "events.matches.parquet").to_pylist()
    assert whole["assumed"] == first["assumed"]


def test_the_mark_stays_without_names(assumed: Path, tmp_path: Path, replay: Callable[..., Any]) -> None:
    replay("export", assumed, "--anonymous", "-o", tmp_path / "new.log")
    assert words_of(tmp_path / "new.log") == words_of(assumed)


def test_no_host_takes_it(assumed: Path, tmp_path: Path, replay: Callable[..., Any]) -> None:
    called = replay("store", "import", f"sqlite:{tmp_path / 'store.db'}", assumed)
    assert called.code != 0
    assert "it proves nothing, and no host takes it" in called.out + called.err


def test_a_recorded_match_says_nothing_of_it(log: Path, replay: Callable[..., Any]) -> None:
    for verb in ("show", "audit", "stats"):
        assert "assumed" not in replay(verb, log).out


# What the rules forbid, with the deal that is assumed.


def judged(tmp_path: Path, replay: Callable[..., Any], deal: tuple[int, ...], *, assumed: list[list[Any]]) -> Any:
    """Audit a game of Leduc in which seat 0 raises thrice, or the deal is another than the deck."""
    cards = PokerDeal(tuple(map(Card, (1, 2, 0, 0, 1, 2))))
    events = [(TABLE, cards), (0, Raise()), (1, Raise()), (0, Call())]
    match = kifu.reconstruct(POKER, ["Ann", "Ben"], events, {"variant": "leduc"})
    match.save(tmp_path / "a.json")
    form = json.loads((tmp_path / "a.json").read_text("utf-8"))
    form["header"]["assumed"] = assumed
    form["events"][0]["fields"]["cards"] = deal
    form["events"][3]["tag"] = "call" if sorted(deal) != [0, 0, 1, 1, 2, 2] else "raise"
    for event in form["events"]:
        del event["chain"]
        event["digest"] = None
    (tmp_path / "a.log").write_bytes(from_json(json.dumps(form).encode()))
    called = replay("audit", "--json", "--game", POKER_FILE, tmp_path / "a.log")
    said = replay("audit", "--game", POKER_FILE, tmp_path / "a.log").out
    (record,) = map(json.loads, called.out.splitlines())
    assert [each["kind"] for each in record["findings"]] == ["rule"]
    return record, said


def test_audit_says_that_no_deal_at_all_allows_it(tmp_path: Path, replay: Callable[..., Any]) -> None:
    record, said = judged(tmp_path, replay, (1, 2, 0, 0, 1, 2), assumed=[[0, "cards"]])
    assert (record["findings"][0]["rule"], record["assumed"]["deal"]) == ("POK-4", "none")
    assert "no deal at all allows event 3: all 90 ways were tried" in said


def test_audit_says_that_another_deal_would_allow_it(tmp_path: Path, replay: Callable[..., Any]) -> None:
    record, said = judged(tmp_path, replay, (1, 2, 0, 0, 1, 1), assumed=[[0, "cards", 4], [0, "cards", 5]])
    assert (record["findings"][0]["rule"], record["assumed"]["deal"]) == ("DEAL", "other")
    assert "another deal allows event 0" in said


def test_japanese_has_the_words(assumed: Path) -> None:
    pytest.importorskip("fluent.runtime", reason="needs kifu[replay]")
    match = kifu.load(assumed)
    texts = Texts("ja")
    notes = [texts.note(note, match.game) for note in match.steps[0].notes if note.key.startswith("assumed")]
    assert len(notes) == 1
    assert "記録になく、補ったもの" in notes[0]
