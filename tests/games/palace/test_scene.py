"""The table of Palace as a scene, and how a click in it names a command."""

from __future__ import annotations

from typing import Any

import pytest
from kifu.core.game import TABLE, Seat, evolve
from kifu.core.game.scene import Face, Thing
from kifu.core.game.shuffle import Shuffler
from kifu.games.palace import GAME
from kifu.games.palace.model import Build, Draw, Inspect, Options, Palace, Quake, State
from kifu.games.palace.rules import END

RED, YELLOW = Face("R", "red"), Face("Y", "yellow")


def middle() -> State:
    """Deal to three seats and lay three palaces: one of seat 0 face down, and two of seat 1, one verified."""
    start = GAME.start(Options(), 3)
    dealt = GAME.apply(start, TABLE, GAME.deal(start, Shuffler(bytes(32))))
    return evolve(
        dealt,
        hands=((0, 0, 1), (1,), (0, 0, 0, 0)),
        palaces=((Palace(0, (0, 1)),), (Palace(1, (0,), True), Palace(2, (1, 1))), ()),
        built=(1, 3, 0),
        out=(0, 0, 1),
    )


def zone(seat: int | None, label: str, viewer: Seat | None) -> tuple[Thing, ...]:
    scene = GAME.scene(GAME.view(middle(), viewer))
    place = scene.table if seat is None else scene.places[seat]
    (found,) = (each.things for each in place.zones if each.label == label)
    return found


def test_the_own_hand_shows_its_cards_each_by_its_name() -> None:
    assert zone(0, "zone-hand", Seat(0)) == (
        Thing((RED,), part=("card", 0)),
        Thing((RED,), part=("card", 0)),
        Thing((YELLOW,), part=("card", 1)),
    )
    assert zone(0, "zone-hand", Seat(1)) == (Thing(count=3),)


def test_a_face_down_palace_shows_its_size_and_to_its_owner_its_cards() -> None:
    down = ("mark-face-down",)
    assert zone(0, "zone-palaces", Seat(0)) == (Thing((RED, YELLOW), 2, ("palace", 0, 0), down, 1),)
    assert zone(0, "zone-palaces", None) == (Thing((), 2, ("palace", 0, 0), down, 1),)


def test_a_verified_palace_shows_its_cards_to_all_and_keeps_its_number() -> None:
    verified, _ = zone(1, "zone-palaces", None)
    assert verified == Thing((RED,), 1, ("palace", 1, 1), ("mark-verified",), 2)


def test_the_middle_has_the_pile_and_the_cards_out_of_the_game() -> None:
    (pile,) = zone(None, "zone-pile", Seat(0))
    assert (pile.faces, pile.count) == ((), 68)
    assert zone(None, "zone-out", None) == (Thing((RED, RED), 2), Thing((YELLOW,)))


def test_the_seat_in_turn_is_marked_while_the_game_goes_on() -> None:
    state = middle()
    marks = [place.marks for place in GAME.scene(GAME.view(state, None)).places]
    assert marks == [("mark-turn",), (), ()]
    over = evolve(state, out=(*state.out, END))
    assert not any(place.marks for place in GAME.scene(GAME.view(over, None)).places)


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        (Draw(), (("pile", 0),)),
        (Build(((0, 1),)), (("card", 0), ("card", 1))),
        (Build(((0,), (1,))), (("card", 0), ("build", "second"), ("card", 1))),
        (Inspect("no_pair", ((Seat(1), 2),)), (("charge", "no_pair"), ("palace", 1, 2))),
        (Quake(3), (("quake", "blue"),)),
    ],
)
def test_parts_of_each_command(command: Any, parts: Any) -> None:
    assert GAME.parts(command) == parts
