"""What may be looked at only once is shown only once, by `show` and by the page, as long as the match goes on."""

import json
from pathlib import Path
from typing import Any

import kifu
import pytest
from kifu.core.game import TABLE, Takeback
from kifu.core.log import save
from kifu.core.match import Match
from kifu.core.page import export
from kifu.games.mabr.model import Conceal

FIXTURES = Path(__file__).parents[3] / "fixtures" / "mabr"


def beginning(events: int, name: str = "swaps_alone") -> Match[Any, Any, Any]:
    """Return a golden match that goes on after so many events: a draw each, then swaps."""
    whole = kifu.load(FIXTURES / f"{name}.log")
    match: Match[Any, Any, Any] = Match(whole.game, whole.header)
    for event in whole.events[:events]:
        match.apply(event.seat, event.command)
    return match


def looks(match: Match[Any, Any, Any], viewer: int | None) -> list[tuple[int, int]]:
    """Return the events after which a viewer is shown kana of cards that lie face down, and how many."""
    found = []
    for seq in range(-1, len(match.events)):
        view = match.game.view(match.shown(seq, viewer), viewer)
        shown = [kana for row, up in zip(view.kanas, view.turned, strict=True) for kana in enumerate(row)]
        shown = [kana for kana in shown if kana[1] and not any(kana[0] in up for up in view.turned)]
        if seq >= 0 and not isinstance(match.events[seq].command, Takeback):
            assert any(note.momentary for note in match.notes(seq, viewer)) is bool(shown)
        found += [(seq, len(shown))] if shown else []
    return found


def test_a_look_is_shown_until_its_seat_acts() -> None:
    assert looks(beginning(8), 1) == [(7, 1)]
    assert looks(beginning(8), 0) == []
    assert looks(beginning(9), 1) == []


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_wrong_word_is_shown_to_all_until_it_is_laid_down(viewer: int | None) -> None:
    assert looks(beginning(6, "idle_for_one_round"), viewer) == [(5, 1)]
    assert looks(beginning(7, "idle_for_one_round"), viewer) == []


def test_of_a_match_that_has_ended_every_look_is_shown() -> None:
    match = beginning(17)
    assert match.end == "over"
    assert len(looks(match, 0)) + len(looks(match, 1)) == 8
    match = beginning(9)
    match.abandon()
    assert len(looks(match, 0)) + len(looks(match, 1)) == 4


def test_the_table_sees_all_the_same() -> None:
    match = beginning(9)
    assert [match.shown(seq, TABLE) for seq in range(9)] == list(match.states)[1:]


def test_a_look_that_is_taken_back_is_over() -> None:
    match = beginning(8)
    match.take_back(6)
    assert looks(match, 1) == []
    assert isinstance(match.events[-1].command, Takeback)


def test_who_takes_a_look_again_is_named_at_the_end() -> None:
    match = beginning(9)
    match.take_back(7)
    assert match.looked_again == (1,)
    assert looks(match, 1) == [(9, 1)]
    match.apply(1, Conceal())
    assert looks(match, 1) == []
    assert beginning(17).looked_again == ()


def test_an_export_names_who_looked_again() -> None:
    pytest.importorskip("fluent", reason="needs kifu[replay]")
    match = beginning(9)
    assert "looked_again" not in export(match, [0])
    match.take_back(7)
    en, ja = export(match, [0])["looked_again"]
    assert en == ["By a takeback ", 1, " saw once more what may be looked at only once."]
    assert ja == [1, "は手を戻し、一度しか見られないものをもう一度見た。"]


@pytest.mark.parametrize(("lang", "said"), [("en", "Ren saw once more"), ("ja", "Renは手を戻し")])
def test_show_names_who_looked_again(tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: str, said: str) -> None:
    pytest.importorskip("click", reason="needs kifu[replay]")
    from kifu.replay.app import run

    match, path = beginning(9), tmp_path / "again.log"
    match.take_back(7)
    save(match, path)
    assert run(["show", str(path), "--plain", "--lang", lang]) == 0
    assert said in capsys.readouterr().out


def test_neither_show_nor_a_page_prints_an_old_look(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("click", reason="needs kifu[replay]")
    pytest.importorskip("fluent", reason="needs kifu[replay]")
    from kifu.replay.app import run

    match, path = beginning(9), tmp_path / "going.log"
    save(match, path)
    page = json.dumps(export(match, [0]), ensure_ascii=False)
    for more in ([], ["--json"], ["--step", "1"]):
        assert run(["show", str(path), "--as", "0", "--plain", "--lang", "en", *more]) == 0
    assert run(["when", str(path), "kanas", "--as", "0", "--lang", "en"]) == 0
    said = capsys.readouterr().out
    for kana in "ぶさ":  # which seat 0 drew, and laid down
        assert f'"{kana}"' not in page
        assert kana not in said
