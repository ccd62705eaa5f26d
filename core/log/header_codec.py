"""The header of a log: from its map to a `Header`, through the upcasts of older rules versions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..errors import GameError, KifuError, LogError, MatchError, Message
from ..game import AnyGame, Seat, Upcast, same_event
from ..match.header import FORMAT, SEED_BYTES, Fork, Header, check_seats
from ..wire import wire_of
from .framing import why_unfit
from .validation import is_int, is_text

KNOWN = ("kifu", "game", "rules", "seats", "options", "seed", "match", "started", "engine", "layout", "fork")

_SHAPES: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("kifu", is_int, Message("a-format", "the version of the format")),
    ("game", is_text, Message("a-game", "the name of a game")),
    ("rules", is_int, Message("a-rules-version", "the version of the rules")),
    ("seats", lambda value: value.__class__ is list and all(map(is_text, value)), Message("names", "a list of names")),
    ("options", lambda value: value.__class__ is dict, Message("a-map", "a map")),
    (
        "seed",
        lambda value: value is None or (value.__class__ is bytes and len(value) == SEED_BYTES),
        Message("a-seed", "32 bytes or nil"),
    ),
    ("match", is_text, Message("a-text", "a text")),
    ("started", lambda value: value is None or is_int(value), Message("a-time", "milliseconds or nil")),
    ("engine", is_text, Message("a-text", "a text")),
)


def read_header(value: Any, find: Callable[[str], AnyGame]) -> tuple[AnyGame, Header]:
    """Return the game and the header of this map; raises `KifuError` if the header cannot be used."""
    if value == ord("{"):
        english = "this is JSON, not a log: kifu.load reads it, if it is the JSON form of one, and can save the log"
        raise MatchError(Message("json-no-log", english))
    if value.__class__ is not dict:
        raise MatchError(Message("no-header", "this is not a log: it does not begin with a header"))
    if "kifu" not in value:
        raise MatchError(Message("no-kifu", "this is not a log: its header has no 'kifu'"))
    if is_int(value["kifu"]) and value["kifu"] != FORMAT:
        english = "format {given} is not known; this program reads format {known}"
        raise MatchError(Message("other-format", english, given=value["kifu"], known=FORMAT))
    if wrong := _wrong(value):
        raise MatchError(wrong)
    game = find(value["game"])
    now = _upcast(game, value)
    if unfit := why_unfit(now["options"]):
        raise MatchError(Message("no-log-but", "this is not a log: {why}", why=unfit))
    names = tuple(now["seats"])
    check_seats(game, len(names))
    options = wire_of(game).options(now["options"])
    game.check_options(options, len(names))
    return game, Header(
        game=game.name,
        rules=value["rules"],
        seats=names,
        options=options,
        seed=now["seed"],
        match=now["match"],
        started=now["started"],
        engine=now["engine"],
        layout=_layout(now),
        fork=_fork(now),
        more=tuple((key, now[key]) for key in now if key not in KNOWN),
    )


def _wrong(value: Mapping[str, Any]) -> str | None:
    """Return the message what is wrong with the keys and types of a header; None if nothing is."""
    for key, fits, shape in _SHAPES:
        if key not in value:
            return Message("not-in-header", "no {key} in the header", key=repr(key))
        if not fits(value[key]):
            return Message("key-is-not", "{key} is not {shape}", key=repr(key), shape=shape)
    return None


def upcasts(game: AnyGame, rules: int) -> list[Upcast]:
    """Return the upcasts from this rules version to the current one; raises `GameError` for an unknown version."""
    if not 1 <= rules <= game.version:
        english = "rules version {given} is not known; this program plays 1 to {last}"
        raise GameError(game.name, Message("other-rules", english, given=rules, last=game.version))
    return [game.past.upcasts[version] for version in range(rules, game.version)]


def event_upcasts(game: AnyGame, rules: int) -> list[Upcast]:
    """Return those of the upcasts from this rules version that change events, not the header alone."""
    return [upcast for upcast in upcasts(game, rules) if upcast.event is not same_event]


def upcast_event(steps: Iterable[Upcast], seat: int, tag: str, fields: Any) -> tuple[int, str, dict[str, Any]]:
    """Return the plain data of an event as one of the current rules version; raises `LogError`."""
    for upcast in steps:
        try:
            seat, tag, fields = upcast.event(seat, tag, fields)
        except Exception as bug:
            why = Message("event-upcast-failed", "the upcast of this event failed: {bug}", bug=repr(bug))
            raise LogError("form", why) from bug
    if seat.__class__ is not int or tag.__class__ is not str or not isinstance(fields, Mapping):
        why = Message("event-upcast-gave", "the upcast of this event gave no seat, tag and map of fields")
        raise LogError("form", why)
    return Seat(seat), tag, dict(fields)


def _upcast(game: AnyGame, value: Mapping[str, Any]) -> Mapping[str, Any]:
    for version, upcast in enumerate(upcasts(game, value["rules"]), value["rules"]):
        try:
            value = upcast.header(value)
        except KifuError:
            raise
        except Exception as bug:
            english = "its upcast of a header of rules version {version} failed: {bug}"
            raise GameError(game.name, Message("upcast-failed", english, version=version, bug=repr(bug))) from bug
        wrong = _wrong(value) if isinstance(value, Mapping) else Message("it-is-no-map", "it is not a map")
        if wrong is not None:
            english = "its upcast of a header of rules version {version} gave a bad one: {wrong}"
            raise GameError(game.name, Message("upcast-gave", english, version=version, wrong=wrong))
    return value


def _layout(value: Mapping[str, Any]) -> int:
    layout = value.get("layout", 1)
    if not is_int(layout):
        raise MatchError(
            Message("key-is-not", "{key} is not {shape}", key="'layout'", shape=Message("an-int", "an int"))
        )
    return int(layout)


def _fork(value: Mapping[str, Any]) -> Fork | None:
    fork = value.get("fork")
    if fork is None and "fork" not in value:
        return None
    if fork.__class__ is not dict or not is_text(fork.get("match")) or not is_int(fork.get("seq"), -1):
        raise MatchError(Message("fork-is-not", "'fork' is not a map of 'match', a text, and 'seq', an int"))
    if value["seed"] is not None:
        raise MatchError(Message("fork-with-seed", "a forked match has no seed of its own"))
    return Fork(fork["match"], fork["seq"])
