"""Law 5 at the host: whatever a seat or a spectator gets is equal between matches that it cannot tell apart.

A twin match begins in a state that is drawn anew behind the seat's view; it is served by a host of its own, with the
same clock and the same entropy. The same calls are then made to both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import attrs
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from kifu import games
from kifu.core.errors import KeyRefused, KifuError
from kifu.core.game import TABLE
from kifu.core.header import new_header
from kifu.core.host import Host, Terms, keys, projections
from kifu.core.log import read_bytes
from kifu.core.match import Match
from kifu.core.shuffle import Shuffler
from kifu.core.stores import MemoryStore
from kifu.core.testing.play import pick, play_on
from kifu.core.testing.strategies import option_sets
from kifu.core.wire import wire_of

GAMES = ["take_and_share", "cake", "palace", "gosne", "mabr"]
MOST = 30
"""The most events before the twins part."""
NAMES = ["Aki", "Ren", "Mio", "Sou", "Emi", "Jun"]


class Counted(MemoryStore):
    """Writes down what is done with it."""

    def __init__(self, work):
        super().__init__()
        self._work = work

    def __getattribute__(self, name):
        found = super().__getattribute__(name)
        return counted(self._work, f"store.{name}", found) if name in DONE_WITH_STORES else found


DONE_WITH_STORES = ("create", "append", "revise", "read", "list", "subscribe")
ASKED_OF_GAMES = (
    *("to_act", "apply", "legal", "deal", "view", "seen", "twin", "cards", "result", "explain", "scene"),
    *("parts", "check", "open_ended"),
)


def counted(work, what, function):
    """Write down each call of a function, and each thing that is taken from what it gives bit by bit."""

    def call(*args, **more):
        work.append(what)
        given = function(*args, **more)
        return taken(given) if isinstance(given, Iterator) else given

    def taken(given):
        for each in given:
            work.append(f"{what} goes on")
            yield each

    return call


class Twin:
    """A match that begins in this state, at a host of its own."""

    def __init__(self, game, state, seats, entropy, clock, terms):
        self.work = []
        spied = {name: counted(self.work, name, getattr(game, name)) for name in ASKED_OF_GAMES}
        begins_here = evolve(game, start=lambda options, seats: state, **spied)
        self.game = begins_here
        bots = {"first": lambda info_state: info_state.legal[0]}
        self.host = Host(
            Counted(self.work),
            find=lambda name: begins_here,
            clock=counted(self.work, "clock", clock),
            entropy=counted(self.work, "entropy", entropy),
            bots=bots,
            engine="kifu tests",
        )
        opened = self.host.open(game.name, NAMES[:seats], wire_of(game).plain_options(state.options), terms)
        self.match, self.keys = opened.match, opened.keys

    def asked(self, call: Callable[[Host, str, tuple[Any, ...]], Any]) -> Any:
        """Make a call, and give all that its caller gets, the answer or what is in the error; and what was done for it.

        That is why none takes longer than the other for a reason that is not its caller's to know: for both the same
        is asked, as often and in the same order, of the store, the clock, the entropy and the game.
        """
        self.work.clear()
        try:
            answer = spelled(call(self.host, self.match, self.keys))
        except KifuError as error:
            answer = f"{type(error).__name__} {error} {spelled(vars(error))}"
        return answer, tuple(self.work)

    def told(self, viewer: int | None) -> list[Any]:
        """Give what the game itself tells this viewer of every event."""
        match = read_bytes(self.host.export_log(self.match), lambda name: self.game).match
        return [(step.command_for(viewer), step.notes_for(viewer)) for step in match.steps]


def spelled(value: Any) -> str:
    """Spell out a value with everything in it, in the order in which it is held."""
    if attrs.has(type(value)):
        held = {**attrs.asdict(value, recurse=False), **getattr(value, "__dict__", {})}
        return f"{type(value).__name__}({', '.join(f'{name}={spelled(each)}' for name, each in held.items())})"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(spelled, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{spelled(key)}: {spelled(each)}' for key, each in value.items())}}}"
    return repr(value)


def questions(viewer: int | None) -> list[Callable[..., Any]]:
    """List what a viewer may ask without changing anything."""

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


def same_view(one: Twin, other: Twin, viewer: int | None, what: str) -> None:
    over = {each.host.about(each.match).status == "over" for each in (one, other)}
    assert len(over) == 1, what
    if over == {True}:
        return  # the log is everybody's
    for call in questions(viewer):
        assert one.asked(call) == other.asked(call), what


def begun(game, seats, options, number, events):
    """Play so many events at random."""
    seed = bytes([number]) * 32
    plain = wire_of(game).plain_options(options)
    match = Match(game, new_header(game, tuple(NAMES[:seats]), plain, seed, match="m", started=0, engine=""))
    play_on(match, Shuffler(seed, 9), events)
    return match


def determinizer_of(match, viewer, shuffler, terms):
    game, state = match.game, match.state
    twin = game.determinize(game.view(state, viewer), shuffler)
    seats = len(match.header.seats)

    def entropy():
        source = Shuffler(bytes(32), 3)
        return lambda size: bytes(source.below(256) for _ in range(size))

    def clock():
        ticks = iter(range(1_000_000, 10**9, 7))
        return lambda: next(ticks)

    return tuple(Twin(game, each, seats, entropy(), clock(), terms) for each in (state, twin))


def tried(one: Twin, viewer: int, match, shuffler) -> list[Any]:
    """List commands that the viewer may try: its own, wrong ones, and what is none."""
    legal = one.host.observe(one.match, one.keys[viewer]).legal
    played_before = [event.command for event in match.events[-20:]]
    return [*pick(shuffler, legal, 4), *pick(shuffler, played_before, 6), ("no", {}), ("play", {"card": "x"})]


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
def test_nothing_that_a_host_gives_tells_twins_apart(name, data):
    game = games.find(name)
    seats = data.draw(st.sampled_from(list(game.seats)))
    options = data.draw(option_sets(game, seats))
    match = begun(game, seats, options, data.draw(st.integers(0, 255)), data.draw(st.integers(1, MOST)))
    if match.result is not None or match.to_act == {TABLE}:
        return  # over, or at a deal that is to come: nobody asks anything
    viewer = data.draw(st.sampled_from([None, *range(seats)]))
    shuffler = Shuffler(bytes(32), data.draw(st.integers(0, 1000)))
    one, other = determinizer_of(match, viewer, shuffler, Terms(public=True, turn_limit_ms=60_000))
    same_view(one, other, viewer, "what it sees at first")
    if viewer is None or _same_answers(one, other, viewer, match, shuffler):
        _others_act(one, other, viewer, shuffler)


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
def test_no_wish_and_no_answer_to_one_tells_twins_apart(name, data):
    game = games.find(name)
    seats = data.draw(st.sampled_from(list(game.seats)))
    match = begun(game, seats, game.options(), data.draw(st.integers(0, 255)), data.draw(st.integers(1, 12)))
    if match.result is not None or match.to_act == {TABLE}:
        return  # over, or at a deal that is to come
    viewer = data.draw(st.integers(0, seats - 1))
    one, other = determinizer_of(match, viewer, Shuffler(bytes(32)), Terms(turn_limit_ms=60_000))
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
            assert one.asked(call) == other.asked(call)
    for each in (one, other):
        assert (each.host.about(each.match).status == "abandoned") is (viewer == 0)


def _same_answers(one, other, viewer, match, shuffler):
    """Give the same commands to both, and tell whether none was taken that showed something new."""
    for number, command in enumerate(tried(one, viewer, match, shuffler)):
        before = one.host.observe(one.match, one.keys[viewer])

        def give(host, match, keys, command=command, number=number, at=before.count):
            return host.submit(match, keys[viewer], command, at, b"%d" % number)

        for stale in (-1, before.count - 1, before.count + 1):
            call = lambda host, match, keys, stale=stale, give=give: give(host, match, keys, at=stale)  # noqa: E731
            assert one.asked(call) == other.asked(call)
        first, second = one.asked(give), other.asked(give)
        counts = {each.host.about(each.match).count for each in (one, other)}
        assert len(counts) == 1, f"whether {command!r} is taken leaks"
        if counts == {before.count}:
            assert first == second, f"the answer to {command!r} leaks"
            continue
        if one.told(viewer) != other.told(viewer):
            return False  # the command has shown something, and the game tells it
        assert first == second
        same_view(one, other, viewer, f"what it sees after its own {command!r}")
        undo = lambda host, match, keys, to=before.count - 1: host.take_back(match, keys[viewer], to)  # noqa: E731
        assert one.asked(undo) == other.asked(undo), "whether a command is taken back freely leaks"
        same_view(one, other, viewer, "what it sees after taking back")
    return True


def _others_act(one, other, viewer, shuffler):
    """Let another seat do, in each match, what looks the same to the viewer."""
    seat = next((seat for seat in sorted(one.host.about(one.match).to_act) if seat not in (viewer, TABLE)), None)
    if seat is None:
        return
    legal = [each.host.observe(each.match, each.keys[seat]).legal for each in (one, other)]
    if not legal[0]:
        return
    command = pick(shuffler, legal[0], 1)[0]
    observed = one.game.redact(command, seat, viewer)
    alike = [each for each in legal[1] if other.game.redact(each, seat, viewer) == observed]
    if not alike:
        return
    for each, its in ((one, command), (other, pick(shuffler, alike, 1)[0])):
        each.host.submit(each.match, each.keys[seat], its, each.host.about(each.match).count)
    if one.told(viewer) == other.told(viewer):
        same_view(one, other, viewer, f"what it sees after {command!r} of seat {seat}")


@pytest.mark.parametrize("name", GAMES)
def test_twins_do_differ_in_what_is_hidden(name):
    """The test above would say nothing if they did not."""
    game = games.find(name)
    match = begun(game, game.seats[-1], game.options(), 1, 12)
    one, other = determinizer_of(match, None, Shuffler(bytes(32)), Terms())
    states = [each.game.start(None, 0) for each in (one, other)]
    assert states[0] != states[1]
    assert spelled(game.view(states[0], None)) == spelled(game.view(states[1], None))


def test_work_that_goes_by_what_is_hidden_is_caught(monkeypatch):
    """The same answers, but for some hands another look at the state on the way: that takes time."""
    real = projections.absent

    def idle(live):
        if sum(live.match.state.hands[1]) % 2:
            live.game.view(live.match.state, None)
        return real(live)

    monkeypatch.setattr(projections, "absent", idle)
    game, told = games.find("take_and_share"), []
    for number in range(8):
        match = begun(game, 3, game.options(), number, 4)
        twins = determinizer_of(match, None, Shuffler(bytes([number]) * 32), Terms())
        observations = [each.asked(lambda host, match, keys: host.observe(match, None)) for each in twins]
        assert observations[0][0] == observations[1][0]
        told.append(observations[0][1] == observations[1][1])
    assert set(told) == {True, False}


def test_a_key_is_compared_with_that_of_every_seat_whosever_it_is(table, monkeypatch):
    at, compared = table("take_and_share", 4), []
    real = keys.compare_digest
    monkeypatch.setattr(keys, "compare_digest", lambda *both: compared.append(0) or real(*both))
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
    twin = Twin.__new__(Twin)
    twin.host, twin.match, twin.keys, twin.work = at.host, at.match, at.keys, []
    for viewer in (None, 0, 1, 2):
        for call in questions(viewer):
            said = str(twin.asked(call))
            for each in secret:
                assert repr(each) not in said
                assert each.hex() not in said
