"""What is exported or printed for a seat is what that seat saw: nothing else is in the file, in any encoding."""

import json
from base64 import b64encode

import attrs
import pytest
from kifu.core.game import TABLE
from kifu.core.log import Reading
from kifu.core.log.format import digest
from kifu.core.page import everyone, export, page
from kifu.core.wire import wire_of
from kifu.replay.app import run
from kifu.replay.commands import show, when

from .conftest import GAMES, SEED, embedded, indistinguishable, played


@pytest.mark.ci
@pytest.mark.parametrize("viewer", [1, 2, None])
@pytest.mark.parametrize("name", GAMES)
def test_the_exports_of_indistinguishable_matches_are_the_same_to_the_byte(name, viewer):
    first, second = indistinguishable(name, viewer)
    assert len(first.events) >= 2
    assert first.states[1:] != second.states[1:]
    assert page(first, [viewer]) == page(second, [viewer])
    assert json.dumps(export(first, [viewer])) == json.dumps(export(second, [viewer]))


@pytest.mark.parametrize("name", GAMES)
def test_indistinguishable_matches_differ_for_the_table(name):
    first, second = ({**export(match, [TABLE]), "match": 0, "engine": 0} for match in indistinguishable(name, 1))
    assert first != second, "what is hidden from the seat is apart: the test above would say nothing otherwise"


@pytest.mark.parametrize("viewer", [0, None])
@pytest.mark.parametrize("name", GAMES)
def test_no_seed_deal_digest_id_or_meta_is_in_a_page(name, viewer):
    match = played(name, most=30)
    whole = page(match, [viewer])
    exported = whole + json.dumps(embedded(whole))
    secrets = [SEED, *map(digest, match.states)]
    for secret in secrets:
        for spelled in (
            secret.hex(),
            b64encode(secret).decode().rstrip("="),
            str(list(secret)).strip("[]"),
            repr(secret),
        ):
            assert spelled not in exported
            assert spelled.replace(" ", "") not in exported
    for words in ("the id", "kifu test", "chain", "digest"):
        assert words not in json.dumps(embedded(whole))
    deal = wire_of(match.game).encode(match.events[0].command)[1]
    cards = [each for value in deal.values() for each in (value if isinstance(value, tuple) else ())]
    dealt = ",".join(map(str, cards[:8]))
    assert dealt not in exported.replace(" ", "") or not dealt


@pytest.mark.parametrize("viewer", [0, 2, None])
def test_no_face_of_a_hidden_card_is_in_the_export(viewer):
    match = played("take_and_share", most=12)
    exported = export(match, [viewer])
    faces = {text for text, *_ in exported["faces"]}
    state = match.state
    hidden = {match.game.face(card).text for seat, hand in enumerate(state.hands) if seat != viewer for card in hand}
    assert hidden.isdisjoint(faces)
    notes = json.dumps(exported["notes"], ensure_ascii=False)
    assert not [face for face in hidden if f"{face} " in notes or f"{face}." in notes]
    everything = {text for text, *_ in export(match, everyone(match))["faces"]}
    assert hidden <= everything


def test_only_the_given_viewers_are_in_the_export():
    match = played("take_and_share", most=12)
    assert [each["viewer"] for each in export(match, [2])["viewers"]] == [2]
    assert [each["viewer"] for each in export(match, everyone(match))["viewers"]] == ["table", 0, 1, 2, 3, "spectator"]


def test_the_match_and_its_engine_are_exported_for_the_table_alone():
    match = played("take_and_share", most=12)
    assert (export(match, [TABLE, 0])["match"], export(match, [TABLE, 0])["engine"]) == ("the id", "kifu test")
    assert (export(match, [0, 1])["match"], export(match, [0, 1])["engine"]) == (None, None)


SHOWN = [(), ("--json",), ("--step", "0", "--json"), ("--lang", "ja", "--step", "0")]


@pytest.fixture
def printed(monkeypatch, capsys):
    """Return a function that prints a match for a viewer in every way."""

    def calls(match, viewer):
        seat = () if viewer == TABLE else ("--as", "spectator" if viewer is None else str(viewer))
        yield from (("show", "game.log", *seat, *more) for more in SHOWN)
        paths = [field.name for field in attrs.fields(type(match.state if viewer == TABLE else match.view(viewer)))]
        yield from (("when", "game.log", path, *seat) for path in (*paths, "to_act", "points", "winners"))
        yield from (("when", "game.log", path, *seat, "--json") for path in paths)

    def of(match, viewer):
        for module in (show, when):
            monkeypatch.setattr(module, "open_log", lambda _: (Reading(match=match, game=match.game), match))
        capsys.readouterr()
        return {call: (run(call), *capsys.readouterr()) for call in calls(match, viewer)}

    return of


@pytest.mark.ci
@pytest.mark.parametrize("viewer", [1, None])
@pytest.mark.parametrize("name", GAMES)
def test_what_is_printed_of_indistinguishable_matches_is_the_same(printed, name, viewer):
    first, second = (printed(match, viewer) for match in indistinguishable(name, viewer))
    assert {code for code, _, _ in first.values()} == {0}
    assert first == second


@pytest.mark.ci
@pytest.mark.parametrize("name", GAMES)
def test_what_is_printed_differs_for_the_table(printed, name):
    first, second = (printed(match, TABLE) for match in indistinguishable(name, 1))
    differ = {call for call in first if first[call] != second[call] and call[0] == "when"}
    assert differ, "what is hidden from the seat is apart: the test above would say nothing otherwise"
