"""The view of each seat of MABR, what it has forgotten, and what is told only for a moment."""

from typing import Any

import pytest
from kifu.core.game import RedactedCommand, Seat
from kifu.core.game.shuffle import Shuffler
from kifu.games.mabr import GAME
from kifu.games.mabr.model import Command, Conceal, Draw, Judge, State, Swap, Word

from ..at_table import AtTable
from .at_mabr import AT_TABLE, table

AT = AtTable(GAME)
play = AT.play
VIEWERS = (0, 1, 2, None)


def kanas(state: State, viewer: int | None) -> list[str]:
    """Write each seat's row as the viewer sees it: a dot for a kana that it does not see."""
    view = GAME.view(state, None if viewer is None else Seat(viewer))
    return ["".join(kana or "." for kana in row) for row in view.kanas]


LAID_DOWN = table("つぶそ", "たばさ", "ち", up=((1,),))
LOOKING = play(LAID_DOWN, (0, Draw("NHK")))
SWAPPED = play(LAID_DOWN, (0, Swap(0, Seat(1), 0)))
TAISOU = Word("たいそう", (0, "I", 2, "U"))
"""A word that is wrong at its first card, which is つ."""
SHOWN = play(LAID_DOWN, (0, TAISOU))
ASKED = play(table("つぶそ", "たばさ", "ち", up=((1,),), options=AT_TABLE), (0, Draw("NHK")))
JUDGED = play(ASKED, (1, Judge(False)))


@pytest.mark.parametrize(
    ("state", "shown", "others"),
    [
        pytest.param(LAID_DOWN, {}, [".ぶ.", "...", "."], id="nobody sees a card that was laid down"),
        pytest.param(
            LOOKING, {0: [".ぶ.なはか", "...", "."]}, [".ぶ....", "...", "."], id="who drew looks at the drawn cards"
        ),
        pytest.param(play(LOOKING, (0, Conceal())), {}, [".ぶ....", "...", "."], id="until they are laid down"),
        pytest.param(
            SWAPPED, {0: ["たぶ.", "...", "."]}, [".ぶ.", "...", "."], id="who swapped looks at what he got alone"
        ),
        pytest.param(SHOWN, {}, ["つぶ.", "...", "."], id="all see a wrong word up to the first wrong card"),
        pytest.param(play(SHOWN, (0, Conceal())), {}, [".ぶ.", "...", "."], id="until it is laid down"),
    ],
)
def test_who_sees_which_kana(state: State, shown: dict[int, list[str]], others: list[str]) -> None:
    for viewer in VIEWERS:
        assert kanas(state, viewer) == shown.get(viewer, others), viewer
        assert GAME.view(state, viewer).letters[1:] == ("TBS", "T")


@pytest.mark.parametrize(
    ("state", "seat", "command", "momentary"),
    [
        (LAID_DOWN, 0, Draw("NHK"), ["looks"]),
        (LAID_DOWN, 0, Swap(0, Seat(1), 0), ["looks"]),
        (LAID_DOWN, 0, TAISOU, ["wrong"]),
        (play(ASKED, (1, Judge(True))), 2, Judge(True), ["looks"]),
        (LOOKING, 0, Conceal(), []),
        (LAID_DOWN, 0, Word("つい", (0, "I")), []),
    ],
)
def test_mabr_6_what_a_look_shows_is_momentary_and_nothing_else(
    state: State, seat: int, command: Command, momentary: list[str]
) -> None:
    """What may not be looked at again is told once, and while it is shown nothing but laying down is legal.

    So a match that shows such a note only as long as its event is the last one shows it just as long as the look.
    """
    assert [note.key for note in AT.told(state, seat, command) if note.momentary] == momentary
    if momentary:
        assert [*GAME.legal(play(state, (seat, command)), Seat(0))] == [Conceal()]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_how_a_seat_judged_is_hidden_until_all_have(viewer: int | None) -> None:
    view = GAME.view(JUDGED, viewer)
    assert view.judged == (False, True, False)
    assert view.votes == (None, False if viewer == 1 else None, None)
    assert AT.redacted(Judge(False), Seat(1), viewer) == (Judge(False) if viewer == 1 else RedactedCommand("judge"))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_twin_draws_anew_what_its_own_seat_has_forgotten(viewer: int | None) -> None:
    def drawn(state: State, of: Any) -> set[Any]:
        view = GAME.view(state, None if viewer is None else Seat(viewer))
        return {of(GAME.determinize(view, Shuffler(bytes(32), number))) for number in range(60)}

    for seat in (0, 1, 2):
        assert drawn(LAID_DOWN, lambda twin, seat=seat: twin.rows[seat][0]) == set("たちつてと")
    assert drawn(LAID_DOWN, lambda twin: twin.rows[0][1]) == {"ぶ"}
    assert drawn(JUDGED, lambda twin: twin.votes[1]) == ({False} if viewer == 1 else {True, False})
