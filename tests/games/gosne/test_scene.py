"""The scene of Gosne is Gone: what lies where, and that every command can be clicked."""

from kifu.core.game import Seat
from kifu.core.game.shuffle import Shuffler
from kifu.core.testing.play import played
from kifu.games.gosne import GAME
from kifu.games.gosne.model import Options
from kifu.games.gosne.rules import apply, start


def things(scene) -> set:
    zones = (zone for place in (scene.table, *scene.places) for zone in place.zones)
    return {thing.part for zone in zones for thing in zone.things if thing.part}


def test_only_the_viewer_s_own_hand_can_be_clicked():
    state = next(state for state in played(GAME, 4, Options(), 3).states if state.trick)
    for viewer in map(Seat, range(4)):
        scene = GAME.scene(GAME.view(state, viewer))
        assert things(scene) == {("card", card) for card in state.hands[viewer]}


def test_roles_are_marked():
    state = next(state for state in played(GAME, 4, Options(dealer=1), 3).states if state.trick)
    assert [place.marks for place in GAME.scene(GAME.view(state, None)).places] == [
        ("mark-hyoju",),
        ("mark-dealer", "mark-prosecutor"),
        ("mark-gosne",),
        ("mark-prosecutor",),
    ]


def zone(scene, seat: int, label: str):
    return next(zone.things for zone in scene.places[seat].zones if zone.label == label)


WON = next(state for state in played(GAME, 4, Options(), 3).states if state.last)


def test_the_last_trick_is_shown_with_its_guns_its_chestnuts_and_the_number_declared():
    for viewer in (*map(Seat, range(4)), None):
        scene = GAME.scene(GAME.view(WON, viewer))
        facts = {fact.label: fact.value for fact in scene.table.facts}
        assert facts["fact-last-declared"] == WON.last.declared
        for place, play in enumerate(WON.last.plays):
            (thing,) = zone(scene, (WON.last.gosne + place) % 4, "zone-last")
            assert thing.faces == (GAME.face(play.card),)
            assert ("mark-gun" in thing.marks) is play.gun
            assert ("mark-chestnut" in thing.marks) is not play.gun
            assert ("mark-gosne" in thing.marks) is (place == 0)


def test_chestnuts_stand_on_every_face_if_the_option_names_any():
    """GOS-R1: on the real card they are printed, and they decide the game."""
    state = start(Options(chestnuts=((0, 3), (12, 10))), 4)
    state = apply(state, Seat(-1), GAME.deal(state, Shuffler(bytes(32))))
    scenes = [GAME.scene(GAME.view(state, Seat(seat))) for seat in range(4)]
    texts = {thing.faces[0].text for seat in range(4) for thing in zone(scenes[seat], seat, "zone-hand")}
    assert {"X³", "12¹⁰", "1¹", "9¹"} <= texts
    plain = apply(start(Options(), 4), Seat(-1), GAME.deal(start(Options(), 4), Shuffler(bytes(32))))
    hand = zone(GAME.scene(GAME.view(plain, Seat(0))), 0, "zone-hand")
    assert [thing.faces[0] for thing in hand] == [GAME.face(card) for card in plain.hands[0]]
