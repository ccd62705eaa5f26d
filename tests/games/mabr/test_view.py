"""The view of each seat of MABR, and what it has forgotten."""

from __future__ import annotations

from typing import Any

import pytest
from kifu.core.game import RedactedCommand, Seat, evolve
from kifu.core.game.shuffle import Shuffler
from kifu.games.mabr import GAME
from kifu.games.mabr.model import KANA, Command, Conceal, Draw, Judge, Options, State, Swap, Word

from ..at_table import AtTable

AT = AtTable(GAME)
play = AT.play
STACKS = tuple(tuple(kanas) for kanas in KANA.values())
AT_TABLE = Options(judge="table")
VIEWERS = (0, 1, 2, None)


def table(*rows: str, options: Options | None = None, **places: Any) -> State:
    """Lay a table in the third round, seat 0 in turn: a row of kana for each seat, all other cards in their stacks."""
    drawn = "".join(rows)
    state = GAME.start(options or Options(), len(rows))
    stacks = tuple(tuple(kana for kana in stack if kana not in drawn) for stack in STACKS)
    return evolve(state, stacks=stacks, rows=tuple(map(tuple, rows)), turns=2 * len(rows), **places)


def kanas(state: State, viewer: int | None) -> list[str]:
    """Write each seat's row as the viewer sees it: a dot for a kana that it does not see."""
    view = GAME.view(state, None if viewer is None else Seat(viewer))
    return ["".join(kana or "." for kana in row) for row in view.kanas]


def noted(state: State, seat: int, command: Command, viewer: int | None) -> str:
    """Return the notes of a command for a viewer, as one text."""
    return repr([(note.key, note.values) for note in AT.told(state, seat, command, viewer)])


def determinizations(state: State, viewer: int | None, count: int = 20) -> list[State]:
    view = GAME.view(state, None if viewer is None else Seat(viewer))
    return [GAME.determinize(view, Shuffler(bytes(32), number)) for number in range(count)]


LAID_DOWN = table("つぶそ", "たばさ", "ち", turned=((1,), (), ()))
LOOKING = play(LAID_DOWN, (0, Draw("NHK")))
SWAPPED = play(LAID_DOWN, (0, Swap(0, Seat(1), 0)))
TAISOU = Word("たいそう", (0, "I", 2, "U"))
"""A word that is wrong at its first card, which is つ."""
SHOWN = play(LAID_DOWN, (0, TAISOU))
ASKED = play(evolve(LAID_DOWN, options=AT_TABLE), (0, Draw("NHK")))
JUDGED = play(ASKED, (1, Judge(False)))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_nobody_sees_a_card_that_was_laid_down(viewer: int | None) -> None:
    assert kanas(LAID_DOWN, viewer) == [".ぶ.", "...", "."]
    assert GAME.view(LAID_DOWN, viewer).letters == ("TBS", "TBS", "T")


@pytest.mark.parametrize("viewer", VIEWERS)
def test_only_who_drew_looks_at_the_drawn_cards_until_they_are_laid_down(viewer: int | None) -> None:
    assert kanas(LOOKING, viewer)[0] == (".ぶ.なはか" if viewer == 0 else ".ぶ....")
    assert kanas(play(LOOKING, (0, Conceal())), viewer)[0] == ".ぶ...."
    for kana in "なはか":
        assert (kana in noted(LAID_DOWN, 0, Draw("NHK"), viewer)) is (viewer == 0)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_only_who_swapped_looks_and_only_at_what_he_got(viewer: int | None) -> None:
    assert kanas(SWAPPED, viewer) == (["たぶ.", "...", "."] if viewer == 0 else [".ぶ.", "...", "."])
    text = noted(LAID_DOWN, 0, Swap(0, Seat(1), 0), viewer)
    assert ("た" in text) is (viewer == 0)
    assert "つ" not in text


@pytest.mark.parametrize("viewer", VIEWERS)
def test_all_see_the_cards_of_a_wrong_word_up_to_the_first_wrong_one(viewer: int | None) -> None:
    assert kanas(SHOWN, viewer)[0] == "つぶ."
    assert kanas(play(SHOWN, (0, Conceal())), viewer)[0] == ".ぶ."
    assert "そ" not in noted(LAID_DOWN, 0, TAISOU, viewer).replace(TAISOU.word, "")


def momentary(state: State, seat: int, command: Command) -> list[str]:
    return [note.key for note in AT.told(state, seat, command) if note.momentary]


def test_mabr_6_what_a_look_shows_is_momentary_and_nothing_else() -> None:
    """What may not be looked at again is told once: the drawn and swapped cards, and those of a wrong word."""
    assert momentary(LAID_DOWN, 0, Draw("NHK")) == ["looks"]
    assert momentary(LAID_DOWN, 0, Swap(0, Seat(1), 0)) == ["looks"]
    assert momentary(LAID_DOWN, 0, TAISOU) == ["wrong"]
    accepted = play(ASKED, (1, Judge(True)))
    assert momentary(accepted, 2, Judge(True)) == ["looks"]
    assert momentary(LOOKING, 0, Conceal()) == []
    assert momentary(LAID_DOWN, 0, Word("つい", (0, "I"))) == []


def test_mabr_6_while_a_momentary_note_is_shown_nothing_but_laying_down_is_legal() -> None:
    """So a match that shows such a note only as long as its event is the last one shows it just as long as the look."""
    for state in (LOOKING, SWAPPED, SHOWN, play(ASKED, (1, Judge(True)), (2, Judge(True)))):
        assert [*GAME.legal(state, Seat(0))] == [Conceal()]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_how_a_seat_judged_is_hidden_until_all_have(viewer: int | None) -> None:
    view = GAME.view(JUDGED, viewer)
    assert view.judged == (False, True, False)
    assert view.votes == (None, False if viewer == 1 else None, None)
    assert AT.redacted(Judge(False), Seat(1), viewer) == (Judge(False) if viewer == 1 else RedactedCommand("judge"))
    assert "object" not in noted(ASKED, 1, Judge(False), viewer)
    assert "('object', (1,))" in noted(JUDGED, 2, Judge(True), viewer)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_twin_draws_anew_what_its_own_seat_has_forgotten(viewer: int | None) -> None:
    seen = {
        determinization.rows[seat][0]
        for determinization in determinizations(LAID_DOWN, viewer, 60)
        for seat in (0, 1, 2)
    }
    assert seen == set("たちつてと")
    assert {determinization.rows[0][1] for determinization in determinizations(LAID_DOWN, viewer)} == {"ぶ"}


def test_a_twin_draws_the_stacks_and_the_hidden_judgements_anew() -> None:
    assert len({determinization.stacks[0] for determinization in determinizations(LAID_DOWN, 0)}) > 1
    assert {determinization.votes[1] for determinization in determinizations(JUDGED, 0)} == {True, False}
    assert {determinization.votes[1] for determinization in determinizations(JUDGED, 1)} == {False}


def test_the_scene_shows_the_letter_side_of_a_card_that_was_laid_down() -> None:
    scene = GAME.scene(GAME.view(LOOKING, Seat(1)))
    assert [thing.faces[0].text for thing in scene.places[0].zones[0].things] == ["T", "ぶ", "S", "N", "H", "K"]
    assert [thing.marks for thing in scene.places[0].zones[0].things][3:] == [("mark-looked-at",)] * 3
