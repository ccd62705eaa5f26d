"""A command goes through JSON as it is, and nothing else comes out of it."""

import json
from random import Random

import kifu
import pytest
from kifu.core.match.registry import names


@pytest.mark.parametrize("name", names())
def test_every_command_of_a_match_is_the_same_behind_json(name: str) -> None:
    game = kifu.games.find(name)
    match = kifu.new(game, [f"p{seat}" for seat in range(game.seats[0])], seed=bytes(32))
    random = Random(1)
    while match.to_act and len(match.events) < 60:
        seat = min(match.to_act)
        match.play(seat, random.choice(match.legal(seat)))
    for event in match.events:
        data = json.loads(json.dumps(game.to_json(event.command)))
        assert data.keys() == {"tag", "fields"}
        assert game.from_json(data) == event.command
        assert type(game.from_json(data)) is type(event.command)


GAME = kifu.games.find("take_and_share")
FINE = {"tag": "share", "fields": {"cards": [101, 102]}}


@pytest.mark.parametrize(
    "data",
    [
        *[None, 3, [], "share", {}, {"tag": "share"}, {"fields": {}}, {**FINE, "seat": 1}, {**FINE, "tag": "nap"}],
        *[{**FINE, "tag": None}, {**FINE, "tag": []}, {**FINE, "fields": []}, {**FINE, "fields": {"cards": ["101"]}}],
        *[{**FINE, "fields": {"cards": [2**70, 1]}}, {**FINE, "fields": {"cards": [1.0]}}, {**FINE, "fields": {}}],
        *[{"tag": ".takeback", "fields": {"to": 0}}, {"tag": ".refused", "fields": {}}],
    ],
    ids=repr,
)
def test_what_is_no_command_of_the_game_is_refused_as_one(data: object) -> None:
    with pytest.raises(kifu.RuleViolation) as refused:
        GAME.from_json(data)
    assert refused.value.rule is kifu.TableRule.FORM


@pytest.mark.parametrize("command", [None, 3, kifu.Takeback, {"tag": "share"}])
def test_what_is_no_command_has_no_json(command: object) -> None:
    with pytest.raises(kifu.RuleViolation):
        GAME.to_json(command)
