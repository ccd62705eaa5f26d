"""Law 5 at the host: what a seat or a spectator gets is equal between matches that it must not distinguish.

The other match begins in a determinization of the seat's view; a host of its own serves it, with the same clock and the
same entropy. The same calls are then made to both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kifu import games
from kifu.core.errors import KeyRefused, KifuError
from kifu.core.game import TABLE, Event, Step
from kifu.core.game.shuffle import Shuffler
from kifu.core.host import Host, Terms, metadata, projections
from kifu.core.log import read_bytes
from kifu.core.match import Match
from kifu.core.match.header import new_header
from kifu.core.stores import MemoryStore
from kifu.core.testing.play import pick, play_on
from kifu.core.testing.samples import option_sets
from kifu.core.wire import wire_of

GAMES = ["take_and_share", "cake", "palace", "gosne", "mabr"]
PSEUDORANDOM = ("mark", "sig")
"""What no one can tell from random bytes without the veil: it differs as soon as anything in the log does."""
MAX_EVENTS = 30
"""The most events before the two matches differ."""
NAMES = ["Aki", "Ren", "Mio", "Sou", "Emi", "Jun"]


class CountedStore(MemoryStore):
    """A store that notes the calls of its methods."""

    def __init__(self, work):
        super().__init__()
        self._work = work

    def __getattribute__(self, name):
        found = super().__getattribute__(name)
        return counted(self._work, f"store.{name}", found) if name in STORE_METHODS else found


STORE_METHODS = ("commit", "read", "list", "subscribe")
GAME_FUNCTIONS = (
    *("to_act", "apply", "legal", "deal", "view", "redact", "determinize", "cards", "result", "explain", "scene"),
    *("parts", "check_options", "open_ended"),
)


def counted(work, what, function):
    """Return the function, noting each call, and each value that is taken of an iterator it returns."""

    def call(*args, **more):
        work.append(what)
        value = function(*args, **more)
        return noted(value) if isinstance(value, Iterator) else value

    def noted(values):
        for each in values:
            work.append(f"{what} goes on")
            yield each

    return call


class Served:
    """A match that begins in this state, at a host of its own."""

    def __init__(self, game, state, seats, entropy, clock, terms):
        self.work = []
        spied = {name: counted(self.work, name, getattr(game, name)) for name in GAME_FUNCTIONS}
        begins_here = game.altered(start=lambda options, seats: state, **spied)
        self.game = begins_here
        bots = {"first": lambda info_state: info_state.legal[0]}
        self.host = Host(
            CountedStore(self.work),
            find=lambda name: begins_here,
            clock=counted(self.work, "clock", clock),
            entropy=counted(self.work, "entropy", entropy),
            bots=bots,
            engine="kifu tests",
        )
        opened = self.host.open(game.name, NAMES[:seats], wire_of(game).plain_options(state.options), terms)
        self.match, self.keys = opened.match, opened.keys

    def outcome(self, call: Callable[[Host, str, tuple[Any, ...]], Any]) -> Any:
        """Make a call; return all that its caller gets, a value or an error, and the work that was done for it.

        The same calls to the store, the clock, the entropy and the game, in the same order, take the same time: so the
        response time leaks nothing either.
        """
        self.work.clear()
        try:
            result = spelled_out(call(self.host, self.match, self.keys))
        except KifuError as error:
            result = f"{type(error).__name__} {error} {spelled_out(vars(error))}"
        return result, tuple(self.work)

    def shown(self, viewer: int | None) -> list[Any]:
        """Return what the game itself shows this viewer of every event."""
        match = read_bytes(self.host.export_log(self.match), lambda name: self.game).match
        return [(step.command_for(viewer), step.notes_for(viewer)) for step in match.steps]


def spelled_out(value: Any) -> str:
    """Format a value with everything in it, in the order of its fields."""
    if attrs.has(type(value)):
        held = {**attrs.asdict(value, recurse=False), **getattr(value, "__dict__", {})}
        if "_tell" in held:
            held["_tell"] = attrs.asdict(value.told(), recurse=False)
        held = {name: each for name, each in held.items() if name not in PSEUDORANDOM}
        return f"{type(value).__name__}({', '.join(f'{name}={spelled_out(each)}' for name, each in held.items())})"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(spelled_out, value))}]"
    if isinstance(value, dict):
        value = {name: each for name, each in value.items() if name not in PSEUDORANDOM}
        return f"{{{', '.join(f'{spelled_out(key)}: {spelled_out(each)}' for key, each in value.items())}}}"
    return repr(value)


def readings(viewer: int | None) -> list[Callable[..., Any]]:
    """Return the calls that a viewer may make without changing anything."""

    def key(keys):
        return None if viewer is None else keys[viewer]

    return [
        lambda host, match, keys: host.observe(match, key(keys)),
        lambda host, match, keys: host.history(match, key(keys)),
        lambda host, match, keys: host.about(match),
        lambda host, match, keys: host.lobby(),
        lambda host, match, keys: list(host.watch(match, key(keys), timeout_ms=0)),
        lambda host, match, keys: host.log(match),
        lambda host, match, keys: host.observe(match, key(keys), 0),
        lambda host, match, keys: host.seat(match, key(keys)),
    ]


def same_view(one: Served, other: Served, viewer: int | None, what: str) -> None:
    over = {each.host.about(each.match).status == "over" for each in (one, other)}
    assert len(over) == 1, what
    if over == {True}:
        return  # the log is everybody's
    for call in readings(viewer):
        assert one.outcome(call) == other.outcome(call), what


def begun(game, seats, options, number, events):
    """Return a match after so many random events."""
    seed = bytes([number]) * 32
    plain = wire_of(game).plain_options(options)
    match = Match(game, new_header(game, tuple(NAMES[:seats]), plain, seed, match="m", started=0, engine=""))
    play_on(match, Shuffler(seed, 9), events)
    return match


def served_pair(match, viewer, shuffler, terms):
    """Return two served matches: one in the state of `match`, one in a determinization for this viewer."""
    game, state = match.game, match.state
    other = game.determinize(game.view(state, viewer), shuffler)
    seats = len(match.header.seats)

    def entropy():
        source = Shuffler(bytes(32), 3)
        return lambda size: bytes(source.below(256) for _ in range(size))

    def clock():
        ticks = iter(range(1_000_000, 10**9, 7))
        return lambda: next(ticks)

    return tuple(Served(game, each, seats, entropy(), clock(), terms) for each in (state, other))


def tried(one: Served, viewer: int, match, shuffler) -> list[Any]:
    """Return commands that the viewer may try: legal, illegal and malformed ones."""
    legal = one.host.observe(one.match, one.keys[viewer]).legal
    played_before = [event.command for event in match.events[-20:]]
    return [*pick(shuffler, legal, 4), *pick(shuffler, played_before, 6), ("no", {}), ("play", {"card": "x"})]


@pytest.mark.parametrize("name", [*GAMES[:-1], pytest.param("mabr", marks=pytest.mark.ci)])
@given(data=st.data())
def test_nothing_a_host_returns_tells_the_pair_apart(name, data):
    game = games.find(name)
    seats = data.draw(st.sampled_from(list(game.seats)))
    options = data.draw(option_sets(game, seats))
    match = begun(game, seats, options, data.draw(st.integers(0, 255)), data.draw(st.integers(1, MAX_EVENTS)))
    if match.result is not None or match.to_act == {TABLE}:
        return  # over, or before a deal
    viewer = data.draw(st.sampled_from([None, *range(seats)]))
    shuffler = Shuffler(bytes(32), data.draw(st.integers(0, 1000)))
    one, other = served_pair(match, viewer, shuffler, Terms(public=True, turn_limit_ms=60_000))
    same_view(one, other, viewer, "what it sees at first")
    if viewer is None or _same_outcomes(one, other, viewer, match, shuffler):
        _others_act(one, other, viewer, shuffler)


@pytest.mark.ci
@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
def test_no_proposal_and_no_response_tells_the_pair_apart(name, data):
    game = games.find(name)
    seats = data.draw(st.sampled_from(list(game.seats)))
    match = begun(game, seats, game.options(), data.draw(st.integers(0, 255)), data.draw(st.integers(1, 12)))
    if match.result is not None or match.to_act == {TABLE}:
        return  # over, or before a deal
    viewer = data.draw(st.integers(0, seats - 1))
    one, other = served_pair(match, viewer, Shuffler(bytes(32)), Terms(turn_limit_ms=60_000))
    proposals = [
        lambda host, match, keys: host.fork(match, keys[viewer], 0),
        lambda host, match, keys: host.abandon(match, keys[viewer]),
        lambda host, match, keys: host.reject(match, keys[viewer], 1),
        lambda host, match, keys: host.abandon(match, keys[viewer]),
        *[lambda host, match, keys, key=key: host.accept(match, keys[key], 2) for key in range(1, seats)],
    ]
    observations = [lambda host, match, keys: host.observe(match, None), lambda host, match, keys: host.history(match)]
    for proposal in proposals:
        for call in (proposal, *observations):
            assert one.outcome(call) == other.outcome(call)
    for each in (one, other):
        assert (each.host.about(each.match).status == "abandoned") is (viewer == 0)


def _same_outcomes(one, other, viewer, match, shuffler):
    """Submit the same commands to both; return False once an accepted one has shown the viewer something new."""
    for number, command in enumerate(tried(one, viewer, match, shuffler)):
        before = one.host.observe(one.match, one.keys[viewer])

        def submit(host, match, keys, command=command, number=number, at=before.count):
            return host.submit(match, keys[viewer], command, at, b"%d" % number)

        for stale in (-1, before.count - 1, before.count + 1):
            call = lambda host, match, keys, stale=stale, submit=submit: submit(host, match, keys, at=stale)  # noqa: E731
            assert one.outcome(call) == other.outcome(call)
        first, second = one.outcome(submit), other.outcome(submit)
        counts = {each.host.about(each.match).count for each in (one, other)}
        assert len(counts) == 1, f"whether {command!r} is accepted leaks"
        if counts == {before.count}:
            assert first == second, f"the outcome of {command!r} leaks"
            continue
        if one.shown(viewer) != other.shown(viewer):
            return False  # the command has shown something by the rules
        assert first == second
        same_view(one, other, viewer, f"what it sees after its own {command!r}")
        undo = lambda host, match, keys, to=before.count - 1: host.take_back(match, keys[viewer], to)  # noqa: E731
        assert one.outcome(undo) == other.outcome(undo), "whether a command is taken back freely leaks"
        same_view(one, other, viewer, "what it sees after taking back")
    return True


def redacted(each, seat, commands, viewer):
    """Return commands of a seat as a viewer would see each if it were given now."""
    game = each.game
    state = read_bytes(each.host.export_log(each.match), lambda name: game).match.state
    steps = [Step(Event(0, seat, command), state, game.apply(state, seat, command), game) for command in commands]
    return [game.redact(step, viewer) for step in steps]


def _others_act(one, other, viewer, shuffler):
    """Submit, in each match, a command of another seat that the viewer sees in the same way."""
    seat = next((seat for seat in sorted(one.host.about(one.match).to_act) if seat not in (viewer, TABLE)), None)
    if seat is None:
        return
    legal = [each.host.observe(each.match, each.keys[seat]).legal for each in (one, other)]
    if not legal[0]:
        return
    command = pick(shuffler, legal[0], 1)[0]
    (observed,) = redacted(one, seat, [command], viewer)
    shown = zip(legal[1], redacted(other, seat, legal[1], viewer), strict=True)
    alike = [each for each, seen in shown if seen == observed]
    if not alike:
        return
    for each, chosen in ((one, command), (other, pick(shuffler, alike, 1)[0])):
        each.host.submit(each.match, each.keys[seat], chosen, each.host.about(each.match).count)
    if one.shown(viewer) == other.shown(viewer):
        same_view(one, other, viewer, f"what it sees after {command!r} of seat {seat}")


@pytest.mark.parametrize("name", GAMES)
def test_the_pair_differs_in_what_is_hidden(name):
    """Else the tests above could not fail."""
    game = games.find(name)
    match = begun(game, game.seats[-1], game.options(), 1, 12)
    one, other = served_pair(match, None, Shuffler(bytes(32)), Terms())
    states = [each.game.start(None, 0) for each in (one, other)]
    assert states[0] != states[1]
    assert spelled_out(game.view(states[0], None)) == spelled_out(game.view(states[1], None))


def test_work_that_depends_on_hidden_cards_is_caught(monkeypatch):
    """The values are the same, but for some hands one more call is made: that takes time."""
    real = projections.absent

    def idle(live):
        if sum(live.match.state.hands[1]) % 2:
            live.game.view(live.match.state, None)
        return real(live)

    monkeypatch.setattr(projections, "absent", idle)
    game, alike = games.find("take_and_share"), []
    for number in range(8):
        match = begun(game, 3, game.options(), number, 4)
        pair = served_pair(match, None, Shuffler(bytes([number]) * 32), Terms())
        observations = [each.outcome(lambda host, match, keys: host.observe(match, None)) for each in pair]
        assert observations[0][0] == observations[1][0]
        alike.append(observations[0][1] == observations[1][1])
    assert set(alike) == {True, False}


def test_a_key_is_compared_with_that_of_every_seat(table, monkeypatch):
    at, compared = table("take_and_share", 4), []
    real = metadata.compare_digest
    monkeypatch.setattr(metadata, "compare_digest", lambda *both: compared.append(0) or real(*both))
    counts = []
    for key in (*at.keys, "x" * 43, ""):
        compared.clear()
        with suppress(KeyRefused):
            at.host.seat(at.match, key)
        counts.append(len(compared))
    assert counts == [4] * 6


def test_no_seed_digest_or_chain_is_in_what_a_seat_gets(table):
    at = table("take_and_share", 3, terms=Terms(public=True, turn_limit_ms=5))
    at.play_on(10)
    raw = at.host._context.store.read(at.match)
    seed = read_bytes(at.host.export_log(at.match)).header.seed
    secret = [seed, *(event[-16:] for event in raw.events), *(event[-42:-34] for event in raw.events)]
    served = Served.__new__(Served)
    served.host, served.match, served.keys, served.work = at.host, at.match, at.keys, []
    for viewer in (None, 0, 1, 2):
        for call in readings(viewer):
            text = str(served.outcome(call))
            for each in secret:
                assert repr(each) not in text
                assert each.hex() not in text
