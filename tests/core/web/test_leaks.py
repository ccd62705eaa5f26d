"""Law 5 over HTTP: responses, messages and the access log are equal for matches that a seat must not distinguish.

The other match begins in a determinization of the viewer's view, at an app of its own with the same clock and the same
entropy. The same requests are then sent to both, and their responses compared byte for byte.
"""

import re
from functools import partial
from typing import Any

import pytest
from kifu import games
from kifu.core.game import TABLE
from kifu.core.game.shuffle import Shuffler
from kifu.core.host import Host
from kifu.core.stores import MemoryStore
from kifu.core.testing.play import played
from kifu.core.wire import wire_of

from .conftest import Entropy, bearer
from .streams import watch

GAMES = games.names()


def without_marks(body: bytes) -> bytes:
    """Return a body without marks and signatures, which nobody can tell from random bytes without the veil."""
    return re.sub(rb'"(mark|sig)":"[A-Za-z0-9_-]+"', b"", body)


class Served:
    """A match that begins in this state, at an app of its own."""

    def __init__(self, make_client: Any, open_table: Any, game: Any, state: Any, seats: int) -> None:
        begins_here = game.altered(start=lambda options, seats: state)
        ticks = iter(range(1_000_000, 10**9, 7))
        host = Host(MemoryStore(), find=lambda name: begins_here, clock=lambda: next(ticks), entropy=Entropy())
        self.game = begins_here
        self.client = make_client(host, find=lambda name: begins_here)
        options = wire_of(game).plain_options(state.options)
        self.table = open_table(game.name, seats, at=self.client, public=True, turn_limit_ms=60_000, options=options)
        self.match, self.keys = self.table.match, self.table.keys

    def response(self, method: str, path: str, viewer: int | None, lang: str = "en", body: Any = None) -> tuple:
        """Send a request; return the status, headers and body of the response."""
        headers = {**bearer(None if viewer is None else self.keys[viewer]), "Accept-Language": lang}
        headers["Accept-Encoding"] = "identity"  # compressed, equally many random bytes differ in length
        response = self.client.request(method, path.format(match=self.match), headers=headers, json=body)
        told = {**response.headers} | {"kifu-epoch": "of its store", "etag": "of its body"}
        return response.status_code, sorted(told.items()), without_marks(response.content)

    def count(self) -> int:
        """Return the number of events."""
        return self.table.observe()["count"]

    def watched(self, viewer: int | None, count: int) -> list[bytes]:
        """Return the messages that a watcher gets at once."""
        with watch(self, None if viewer is None else self.keys[viewer]) as watcher:
            return [without_marks("\n".join(watcher.lines()).encode()) for _ in range(1 + count)]


@pytest.fixture
def make(make_client: Any, open_table: Any) -> Any:
    return partial(Served, make_client, open_table)


COMMANDS = "/api/matches/{match}/commands"
READINGS = [
    "/api/matches/{match}",
    "/api/matches/{match}/observation",
    "/api/matches/{match}/history",
    "/api/matches/{match}/log",
]


def same_view(one: Served, other: Served, viewer: int | None) -> None:
    for path in (*READINGS, "/api/matches", "/api/matches/{match}/observation?events=0"):
        for lang in ("en", "ja"):
            assert one.response("GET", path, viewer, lang) == other.response("GET", path, viewer, lang), path
    count = one.count()
    assert count == other.count()
    assert one.watched(viewer, count) == other.watched(viewer, count)


def served_pair(make: Any, name: str, viewer: int | None, number: int) -> tuple[Served, Served]:
    """Serve a match in which a seat is to act, and one in a determinization of it for this viewer."""
    game = games.find(name)
    seats = game.seats[-1] if number % 2 else game.seats[0]
    for seed in range(number, number + 30):
        match = played(game, seats, game.options(), seed, (7 * seed % 10) / 10)
        if match.result is None and match.to_act != {TABLE}:
            break
    other = game.determinize(game.view(match.state, viewer), Shuffler(bytes(32), number))
    return make(game, match.state, seats), make(game, other, seats)


@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.parametrize("name", GAMES)
def test_no_response_tells_the_pair_apart(make, access_log, name, viewer):
    for number in range(2):
        one, other = served_pair(make, name, viewer, number)
        assert one.match == other.match
        tries = [] if viewer is None else tried(one, viewer)
        access_log.clear()
        same_view(one, other, viewer)
        for place, command in enumerate(tries):
            body = {**command, "idempotency_key": f"{place:032x}"}
            responses = [each.response("POST", COMMANDS, viewer, body=body) for each in (one, other)]
            assert responses[0][0] == responses[1][0], f"whether {command} is accepted leaks"
            if responses[0][0] == 201:  # it may have shown something
                break
            assert responses[0] == responses[1]
        lines = [{name: value for name, value in line.items() if name not in ("at", "ms")} for line in access_log]
        for event in ("request", "watched"):
            written = [line for line in lines if line["event"] == event]
            assert written
            assert written[0::2] == written[1::2], "the access log tells them apart"


def tried(served: Served, viewer: int) -> list[dict[str, Any]]:
    """Return submissions that a seat may try: malformed, stale, illegal and legal ones."""
    observation = served.table.observe(viewer)
    count, legal = observation["count"], observation["legal"][:3]
    nothing = [
        {"tag": "no", "fields": {}, "expected_events": count},
        {"tag": "play", "fields": {"card": "x"}, "expected_events": count},
    ]
    stale = [{"tag": each["tag"], "fields": each["fields"], "expected_events": count + 5} for each in legal]
    cards = [{"tag": "play", "fields": {"card": card}, "expected_events": count} for card in (2, 105, 210, 305, 409)]
    return [
        *nothing,
        *stale,
        *cards,
        *({"tag": each["tag"], "fields": each["fields"], "expected_events": count} for each in legal),
    ]


@pytest.mark.parametrize("name", GAMES)
def test_the_pair_differs_in_what_is_hidden(make, name):
    """Else the test above could not fail."""
    one, other = served_pair(make, name, None, 0)
    states = [each.game.start(None, 0) for each in (one, other)]
    assert states[0] != states[1]
    observations = [
        [each.response("GET", "/api/matches/{match}/observation", seat)[2] for seat in range(len(each.keys))]
        for each in (one, other)
    ]
    assert name == "mabr" or observations[0] != observations[1]
