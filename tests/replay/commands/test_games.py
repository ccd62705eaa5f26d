"""`replay games`: what can be played."""

import json

import attrs
from kifu import games


def test_every_game_is_listed_with_seats_options_and_commands(replay) -> None:
    called = replay("games", "--json")
    by_name = {each["name"]: each for each in map(json.loads, called.out.splitlines())}
    assert called.code == 0
    assert list(by_name) == games.names()
    for name, each in by_name.items():
        game = games.find(name)
        assert each["seats"] == list(game.seats)
        assert list(each["options"]) == [field.name for field in attrs.fields(game.options)]
        assert list(each["commands"]) == list(game.wire.values())


def test_the_list_can_be_read(replay) -> None:
    out = replay("games").out
    assert "take_and_share  Take & Share  3 to 4 seats" in out
    assert "option long=false" in out
    assert "command play(card)" in out
    assert "ロングゲーム" in replay("games", "--lang", "ja").out
