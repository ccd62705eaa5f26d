"""The two examples that authors ask for most: hidden roles with votes and elimination, and a board with fog of war."""

from pathlib import Path

import kifu
import pytest
import scouts
import wolves
from kifu.core.game import Face, Place, Scene, Thing, Zone
from kifu.core.page.export import export
from kifu.core.testing import game_laws

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"

TestWolves = pytest.mark.long(game_laws(wolves.GAME, examples=12))
TestScouts = pytest.mark.long(game_laws(scouts.GAME, examples=12))


@pytest.mark.parametrize("name", ["wolves", "scouts"])
def test_an_example_is_short(name: str) -> None:
    assert len((EXAMPLES / f"{name}.py").read_text("utf-8").splitlines()) <= 160


def test_who_is_out_is_marked_and_shows_the_role() -> None:
    match = kifu.new(wolves.GAME, ["Aki", "Ren", "Mio", "Sou"], seed=bytes(32))
    wolf = match.state.roles.index(wolves.WOLF)
    victim = (wolf + 1) % 4
    for seat in range(4):
        match.play(seat, wolves.Point(victim if seat != victim else wolf))
    scene = match.scene(None)
    assert scene.places[victim].marks == ("mark-out",)
    assert [match.view(None).roles[seat] for seat in range(4)].count(None) == 3


def test_fog_lies_where_nobody_of_the_own_side_stands_beside() -> None:
    match = kifu.new(scouts.GAME, ["Aki", "Ren"])
    (zone,) = match.scene(0).table.zones
    assert [thing.ground for thing in zone.things] == ["fog"] * 15 + [""] * 10
    assert all(thing.ground == "fog" for thing in match.scene(None).table.zones[0].things)
    assert any(row[-1] == "fog" for row in export(match, [0])["things"])


def test_a_card_carries_a_caption_to_the_page() -> None:
    thing = Thing((Face("w" * 10, caption="eats one a night"),))
    alone = Scene(None, Place(None, (Zone("zone-roles", (thing,)),)), ())
    game = wolves.GAME.altered(scene=lambda view: alone)
    match = kifu.new(game, ["Aki", "Ren", "Mio", "Sou"], seed=bytes(32))
    assert ["wwwwwwwwww", "ink", "card", "eats one a night"] in export(match, [0])["faces"]
