"""A match accepts only what it can save: types are exact, the same wherever a command comes in."""

from __future__ import annotations

import json
import re
from enum import IntEnum
from types import SimpleNamespace

import attrs
import kifu
import pytest
from attrs import frozen
from kifu.core.env.text import text_table
from kifu.core.errors import GameError, KifuError, LogError, MatchError
from kifu.core.game import TABLE, Event, Meta, RuleViolation, Seat, TableRule
from kifu.core.host import Host
from kifu.core.stores import MemoryStore
from kifu.core.testing.play import played
from kifu.core.wire import wire_of
from kifu.games.take_and_share import GAME
from kifu.games.take_and_share.model import Deal, Play

SEATS = ("Aki", "Ren", "Mio")


class Suit(IntEnum):
    HEART = 0


class Whole(int):
    pass


ODD = [True, False, 0.0, 6.0, None, "0", [0], (0,), Suit.HEART, Whole(6), b"0", 2**64, -(2**63) - 1]
try:
    import numpy
except ImportError:  # the extra `env` is not there
    pass
else:
    ODD += [numpy.int64(0), numpy.float64(0), numpy.bool_(True)]


def begun():
    return kifu.new("take_and_share", SEATS, seed=bytes(32), match="m", started=0)


def refuses(call, *errors):
    """Return the error of a call in one line; it must be one of these."""
    with pytest.raises(errors) as caught:
        call()
    assert "\n" not in str(caught.value)
    return caught.value


def shown(value: object) -> str:
    """Return a value as the same text in every process."""
    return re.sub(" at 0x[0-9a-f]+", "", repr(value))


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_a_match_refuses_a_seat_or_a_card_that_is_no_int(odd, tmp_path):
    match = begun()
    card, legal = match.legal(0)[0].card, match.legal(0)[0]
    assert refuses(lambda: match.play(0, Play(odd)), RuleViolation).rule is TableRule.FORM
    assert refuses(lambda: match.play(odd, Play(card)), RuleViolation).rule is TableRule.FORM
    refuses(lambda: match.apply(TABLE, Deal((odd,) * 60)), RuleViolation)
    refuses(lambda: match.take_back(odd), RuleViolation)
    if odd.__class__ is not int:
        for call in (match.legal, match.at, match.position.legal):
            refuses(lambda call=call: call(odd), MatchError)
        for call in (match.view, match.scene):
            if odd is not None:
                refuses(lambda call=call: call(odd), MatchError)
    assert len(match.events) == 1
    match.play(0, legal)
    match.save(tmp_path / "m.log")
    assert kifu.load(tmp_path / "m.log").events == match.events


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_a_host_refuses_it_too(odd):
    host = Host(MemoryStore())
    opened = host.open("take_and_share", list(SEATS))
    for command in (Play(odd), ("play", {"card": odd})):
        violation = refuses(lambda c=command: host.submit(opened.match, opened.keys[0], c, 1), RuleViolation)
        assert violation.rule is TableRule.FORM
    if odd.__class__ is not int:
        refuses(
            lambda: host.submit(opened.match, opened.keys[0], host.observe(opened.match, opened.keys[0]).legal[0], odd),
            KifuError,
        )
    assert host.about(opened.match).count == 1


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_environments_refuse_it_too(odd):
    table = text_table(match=begun())
    refuses(lambda: table.act(odd, "1"), KifuError)
    refuses(lambda: table.observe(odd), KifuError)
    assert table.count == 1


@pytest.mark.parametrize(
    "meta",
    [
        *[Meta(at=1.5), Meta(at=-1), Meta(at=True), Meta(id="x"), Meta(id=bytes(33)), Meta(by="x" * 65), Meta(by=1)],
        *[Meta(by="\ud800"), Meta(more=(("x", 1.5),)), Meta(more=(("x", object()),)), Meta(more=((1, 1),))],
        *[{"at": 1}, True, "Aki", 0],
    ],
    ids=shown,
)
def test_a_match_refuses_meta_that_no_log_can_hold(meta):
    match = begun()
    refuses(lambda: match.play(0, match.legal(0)[0], meta), MatchError)
    assert len(match.events) == 1


ODD_PARTS = {
    "game": (lambda odd: kifu.new(odd, SEATS), kifu.GameError, "", [None, 1, b"cake", ["cake"], kifu]),
    "seats": (
        lambda odd: new(seats=odd),
        MatchError,
        "a list of names",
        [b"Aki", 3, None, True, object, range(3), "abc", {*SEATS}, dict.fromkeys(SEATS)],
    ),
    "name": (lambda odd: new(seats=["Aki", "Ren", odd]), MatchError, "", [1, None, True, b"x", "\ud800"]),
    "blank name": (lambda odd: new(seats=["Aki", odd, "Mio"]), MatchError, "seat 1: a name is", ["", " ", "\t"]),
    "options": (lambda odd: new(options=odd), kifu.OptionError, "", ["", "0", b"x", 0, 3, [], [("long", True)]]),
    "seed": (lambda odd: new(seed=odd), MatchError, "32 bytes", [b"", bytes(31), bytes(33), "x" * 32]),
    "trust": (lambda odd: new(trust=odd), MatchError, "", [False, "fair", {}, b""]),
    "started": (lambda odd: new(started=odd), MatchError, "", [1.5, -1]),
    "match": (lambda odd: new(match=odd), MatchError, "", [7, "\ud800"]),
    "engine": (lambda odd: new(engine=odd), MatchError, "", [7]),
    "path": (lambda odd: new().save(odd), LogError, "", ["", ".", "/"]),
    **{
        f"path to {verb}": (call, LogError, "not a file name", [None, 3.0, [], "a\0b"])
        for verb, call in (("save", lambda odd: new().save(odd)), ("load", kifu.load), ("read", kifu.log.read))
    },
}


def new(seats=SEATS, **more):
    return kifu.new("take_and_share", seats, **more)


@pytest.mark.parametrize(("call", "error", "says", "odd"), ODD_PARTS.values(), ids=ODD_PARTS)
def test_a_match_refuses_what_it_cannot_be_made_or_saved_with(call, error, says, odd):
    for each in odd:
        assert says in str(refuses(lambda each=each: call(each), error))


def test_without_a_seed_a_fresh_one_is_drawn():
    assert new().header.seed != new().header.seed


class NotACommand:
    pass


@frozen(slots=False)
class Unknown:
    card: int


@pytest.mark.parametrize("command", [None, "play", 6, NotACommand(), Play, Unknown(6), object()], ids=shown)
def test_what_is_no_command_of_the_game_is_refused(command):
    match = begun()
    violation = refuses(lambda: match.play(0, command), RuleViolation)
    assert violation.rule is TableRule.FORM
    assert violation.seat == 0


def test_a_list_is_taken_as_the_tuple_that_reading_makes_of_it():
    match = kifu.new("take_and_share", SEATS, seed=None, match="m", started=0)
    deal = played(GAME, 3, GAME.options(), 1).events[0].command
    match.apply(TABLE, Deal(list(deal.cards)))
    assert match.events == [Event(0, TABLE, deal)]


def test_a_class_of_command_without_a_tag_is_found_when_the_game_is_made():
    def legal(state: object, seat: Seat) -> list[Play]:  # compiled rules have no annotations
        return list(GAME.legal(state, seat))

    names = ("start", "to_act", "apply", "result", "deal")
    rules = SimpleNamespace(legal=legal, **{name: getattr(GAME, name) for name in names})
    commands = tuple(kind for kind in GAME.commands if kind is not Play)
    error = refuses(lambda: attrs.evolve(GAME, commands=commands, rules=rules), GameError)
    assert "Play" in error.why


@pytest.mark.parametrize("name", kifu.games.names())
def test_every_command_of_a_match_is_exact_and_the_same_behind_json(name: str) -> None:
    game = kifu.games.find(name)
    for event in played(game, game.seats[0], game.options(), 3, 0.4).events:
        assert wire_of(game).exact(event.command) is event.command
        data = json.loads(json.dumps(game.to_json(event.command)))
        assert data.keys() == {"tag", "fields"}
        assert game.from_json(data) == event.command
        assert type(game.from_json(data)) is type(event.command)


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
    with pytest.raises(RuleViolation) as refused:
        GAME.from_json(data)
    assert refused.value.rule is TableRule.FORM


@pytest.mark.parametrize("command", [None, 3, kifu.Takeback, {"tag": "share"}])
def test_what_is_no_command_has_no_json(command: object) -> None:
    with pytest.raises(RuleViolation):
        GAME.to_json(command)
