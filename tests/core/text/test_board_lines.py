"""Boards in lines of text: coordinates of the field, empty spaces as empty, whatever the kind of board."""

from types import SimpleNamespace
from typing import Any

import pytest
from kifu.core.env.text.drawing import SceneText
from kifu.core.game import Board, Face, Place, Scene, Thing, Zone, grid, hex_grid, lay, pits, stack, track
from kifu.core.text.board_lines import board_lines
from kifu.core.text.texts import Texts
from kifu.replay.render.table import SceneRenderer
from kifu.replay.stepper.cards import Drawing

CROSS, RING, RED = (
    Thing((Face(text, tint, shape="piece"),)) for text, tint in (("×", "ink"), ("○", "ink"), ("", "red"))
)
EMPTY = Thing(count=0)
HOMEWARD = track(["start", "1", "2", "home"], 2)
ROUND = track(["1", "2", "3", "4", "5"], 3, winding=True)
GAME = SimpleNamespace(name="test", catalogues=("kifu.core.text",), face=str)
SEED = Face("", "orange", shape="piece")

BOARDS = {
    "grid": (
        Zone("zone-board", lay(grid(3, 3), {"a1": CROSS, "b2": RING}, EMPTY), grid(3, 3)),
        ["  a b c", "3 · · ·", "2 · ○ ·", "1 × · ·"],
    ),
    "seen from the other side": (
        Zone("zone-board", lay(grid(2, 3, turned=True), {"a1": CROSS}, EMPTY), grid(2, 3, turned=True)),
        ["  c b a", "1 · · ×", "2 · · ·"],
    ),
    "hex": (
        Zone("zone-board", lay(hex_grid(3, 3), {"a1": RED, "c3": RED}, EMPTY), hex_grid(3, 3)),
        ["  a b c", "1 ● · ·", "2  · · ·", "3   · · ●"],
    ),
    "pits": (
        Zone("zone-board", tuple(Thing((SEED,) if n else (), n) for n in (4, 0, 12, 3)), pits("AB", "ab")),
        ["A:4  B:·", "a:12 b:3"],
    ),
    "track": (
        Zone("zone-board", lay(HOMEWARD, {"1": RING}, EMPTY), HOMEWARD),
        ["start:· 1:○", "2:·     home:·"],
    ),
    "a track that goes round": (
        Zone("zone-board", lay(ROUND, {"2": RING, "4": CROSS}, EMPTY), ROUND),
        ["1:· 2:○ 3:·", "    5:· 4:×"],
    ),
    "stack": (
        Zone("zone-board", (CROSS, RING), stack(2)),
        ["2:×", "1:○"],
    ),
    "memory, with a gap": (
        Zone("zone-board", (Thing(), Thing((Face("♥", "red"),)), EMPTY), Board("grid", (("a2", "b2"), ("a1", "")))),
        ["  a b", "2 ▒ ♥", "1 ·"],
    ),
}


def scene(zone: Zone) -> Scene:
    return Scene(None, Place(None, (zone,)), (Place(0),))


@pytest.mark.parametrize(("zone", "lines"), BOARDS.values(), ids=BOARDS)
def test_the_terminal_and_the_text_for_players_draw_the_same_board(zone: Zone, lines: list[str]) -> None:
    texts = Texts("en")
    terminal = [line.plain.rstrip() for line in SceneRenderer(texts, GAME, ["Aki"], 80).draw(scene(zone))]
    words = SceneText(GAME, texts, ["seat 0"]).draw(scene(zone), "you")
    assert [line[4:] for line in terminal[2 : 2 + len(lines)]] == lines
    assert [line[4:] for line in words[2 : 2 + len(lines)]] == lines


def test_a_space_that_a_command_names_otherwise_shows_that_name() -> None:
    board = grid(1, 2)
    zone = Zone("zone-board", (Thing(count=0, part=("cell", 7)), Thing((Face("×"),), part=("cell", 8))), board)
    drawn = SceneText(GAME, Texts("en"), ["x"]).draw(scene(zone), "")
    assert drawn[2] == "    7:· 8:×"
    named = Zone("zone-board", (Thing(count=0, part=("space", "a1")), Thing(count=0, part=("space", "b1"))), board)
    drawn = SceneText(GAME, Texts("en"), ["x"]).draw(scene(named), "")
    assert drawn[2:4] == ["      a b", "    1 · ·"]


def test_an_empty_place_is_no_card_face_down() -> None:
    zone = Zone("zone-hand", (EMPTY, Thing()))
    texts = Texts("en")
    assert "×0" not in SceneText(GAME, texts, ["seat 0"]).draw(scene(zone), "you")[0]
    assert "0 face down" not in " ".join(
        line.plain for line in SceneRenderer(texts, GAME, ["Aki"], 80).draw(scene(zone))
    )


HIDDEN = [
    ("en", "card", "2 face down"),
    ("en", "die", "2 hidden"),
    ("ja", "card", "伏せ札2枚"),
    ("ja", "piece", "非公開2個"),
]


@pytest.mark.parametrize(("language", "back", "said"), HIDDEN)
def test_what_is_hidden_is_said_to_be_what_it_is(language: str, back: Any, said: str) -> None:
    hidden = Scene(None, Place(None), (Place(0, (Zone("zone-hand", (Thing(count=2, back=back),)),)),))
    texts = Texts(language)
    (line,) = SceneRenderer(texts, GAME, ["Aki"], 80).draw(hidden)  # none for the middle, where nothing can lie
    assert said in line.plain
    (line,) = Drawing(texts, GAME, ["Aki"]).draw(hidden, 60, frozenset(), None)
    assert ("▚" in line.plain, "?" in line.plain) == (back == "card", back != "card")


def test_a_space_that_the_board_does_not_have_is_refused() -> None:
    with pytest.raises(KeyError, match="d4"):
        lay(grid(3, 3), {"d4": CROSS}, EMPTY)


def test_a_space_of_which_nothing_is_seen_is_drawn_as_fog() -> None:
    board = grid(1, 2)
    laid = Zone("zone-board", (Thing(count=0, ground="fog"), Thing(count=0, ground="green")), board)
    lines = ["".join(cell.text for cell in line) for line in board_lines(laid, lambda _: "", lambda key: key)]
    assert lines[1].split() == ["1", "░", "·"]
