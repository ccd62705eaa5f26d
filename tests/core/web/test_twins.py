"""Law 5 over HTTP: no answer, header, message or line of the journal tells matches apart that a seat cannot.

A twin match begins in a state that is drawn anew behind the viewer's view, at an app of its own with the same clock and
the same entropy. The same is then asked of both, byte for byte.
"""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve
from kifu import games
from kifu.core.game import TABLE
from kifu.core.host import Host
from kifu.core.shuffle import Shuffler
from kifu.core.stores import MemoryStore
from kifu.core.testing.play import played
from kifu.core.wire import wire_of

from .conftest import NAMES, Entropy, bearer

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("httpx2", reason="needs kifu[webtest]")

GAMES = games.names()


class Twin:
    """A match that begins in this state, at an app of its own."""

    def __init__(self, make_client: Any, game: Any, state: Any, seats: int) -> None:
        begins_here = evolve(game, start=lambda options, seats: state)
        ticks = iter(range(1_000_000, 10**9, 7))
        host = Host(MemoryStore(), find=lambda name: begins_here, clock=lambda: next(ticks), entropy=Entropy())
        self.game = begins_here
        self.client = make_client(host, find=lambda name: begins_here)
        told = {
            "game": game.name,
            "seats": [{"name": name} for name in NAMES[:seats]],
            "public": True,
            "turn_limit_ms": 60_000,
        }
        told["options"] = wire_of(game).plain_options(state.options)
        opened = self.client.post("/api/matches", json=told)
        assert opened.status_code == 201, opened.text
        self.match = opened.json()["match"]
        self.keys = [each["key"] for each in opened.json()["keys"]]

    def asked(self, method: str, what: str, viewer: int | None, lang: str = "en", told: Any = None) -> tuple[Any, ...]:
        """Ask, and give all that comes back."""
        headers = {**bearer(None if viewer is None else self.keys[viewer]), "Accept-Language": lang}
        answer = self.client.request(method, what.format(match=self.match), headers=headers, json=told)
        return answer.status_code, sorted(answer.headers.items()), answer.content

    def watched(self, viewer: int | None) -> list[str]:
        """Give what a watcher is told at once."""
        count = len(self.client.get(f"/api/matches/{self.match}/history").json()["events"])
        with self.client.websocket_connect(f"/api/matches/{self.match}/watch") as watcher:
            watcher.send_json({"key": None if viewer is None else self.keys[viewer]})
            return [watcher.receive_text() for _ in range(1 + count)]


COMMANDS = "/api/matches/{match}/commands"
QUESTIONS = [
    "/api/matches/{match}",
    "/api/matches/{match}/observation",
    "/api/matches/{match}/history",
    "/api/matches/{match}/log",
]


def same_view(one: Twin, other: Twin, viewer: int | None) -> None:
    for what in (*QUESTIONS, "/api/matches", "/api/matches/{match}/observation?events=0"):
        for lang in ("en", "ja"):
            assert one.asked("GET", what, viewer, lang) == other.asked("GET", what, viewer, lang), what
    assert one.watched(viewer) == other.watched(viewer)


def twins(make_client: Any, name: str, viewer: int | None, number: int) -> tuple[Twin, Twin]:
    """Serve a match some way on, and its twin: the first of some in which somebody is to act."""
    game = games.find(name)
    seats = game.seats[-1] if number % 2 else game.seats[0]
    for seed in range(number, number + 30):
        match = played(game, seats, game.options(), seed, (7 * seed % 10) / 10)
        if match.result is None and match.to_act != {TABLE}:
            break
    twin = game.determinize(game.view(match.state, viewer), Shuffler(bytes(32), number))
    return Twin(make_client, game, match.state, seats), Twin(make_client, game, twin, seats)


@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.parametrize("name", GAMES)
def test_no_answer_tells_twins_apart(make_client, access_log, name, viewer):
    for number in range(2):
        one, other = twins(make_client, name, viewer, number)
        assert one.match == other.match
        tries = [] if viewer is None else tried(one, viewer)
        access_log.clear()
        same_view(one, other, viewer)
        for place, told in enumerate(tries):
            command = {**told, "id": f"{place:032x}"}
            answers = [each.asked("POST", COMMANDS, viewer, told=command) for each in (one, other)]
            assert answers[0][0] == answers[1][0], f"whether {told} is taken leaks"
            if answers[0][0] == 201:  # it may have shown something
                break
            assert answers[0] == answers[1]
        lines = [{name: value for name, value in line.items() if name not in ("at", "ms")} for line in access_log]
        for event in ("request", "watched"):
            written = [line for line in lines if line["event"] == event]
            assert written
            assert written[0::2] == written[1::2], "the journal tells them apart"


def tried(twin: Twin, viewer: int) -> list[dict[str, Any]]:
    """List what a seat may try: what is none, what is stale, what others may do, and its own."""
    observation = twin.client.get(f"/api/matches/{twin.match}/observation", headers=bearer(twin.keys[viewer])).json()
    count, legal = observation["count"], observation["legal"][:3]
    nothing = [{"tag": "no", "fields": {}, "at": count}, {"tag": "play", "fields": {"card": "x"}, "at": count}]
    stale = [{"tag": each["tag"], "fields": each["fields"], "at": count + 5} for each in legal]
    cards = [{"tag": "play", "fields": {"card": card}, "at": count} for card in (2, 105, 210, 305, 409)]
    return [*nothing, *stale, *cards, *({"tag": each["tag"], "fields": each["fields"], "at": count} for each in legal)]


@pytest.mark.parametrize("name", GAMES)
def test_twins_do_differ_in_what_is_hidden(make_client, name):
    """The test above would say nothing if they did not."""
    one, other = twins(make_client, name, None, 0)
    states = [each.game.start(None, 0) for each in (one, other)]
    assert states[0] != states[1]
    observations = [
        [each.asked("GET", "/api/matches/{match}/observation", seat)[2] for seat in range(len(each.keys))]
        for each in (one, other)
    ]
    assert name == "mabr" or observations[0] != observations[1]
