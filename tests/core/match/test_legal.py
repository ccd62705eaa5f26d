"""The legal commands of a seat: a sequence that is counted, sliced, drawn from and looked in without being made."""

from __future__ import annotations

from random import Random
from time import process_time

import attrs
import kifu
import pytest
from kifu.core.game import TABLE, Seat, Shuffler
from kifu.core.match import LegalCommands, Match, Position
from kifu.core.match.bot import ObservationHistory
from kifu.core.match.legal import MAX_LEGAL, first_legal
from kifu.core.match.random_play import choose, draw_command
from kifu.games.mabr import row as mabr_row
from kifu.games.mabr.model import Word

NAMES = kifu.games.names()
SLOW_S = 0.1
"""No call takes longer; of three measurements the quickest counts."""


def played(name: str, events: int, options: dict | None = None) -> Match:
    """Return a random match after so many events."""
    game = kifu.games.find(name)
    match = kifu.new(name, [f"p{seat}" for seat in range(max(game.seats))], options, seed=bytes(32))
    for number in range(events):
        if (move := choose(match.position, Shuffler(bytes(32), number))) is None:
            break
        match.play(*move)
    return match


def spots(name: str, options: dict | None = None):
    """Yield positions of a random match, and a seat to act in each."""
    match = played(name, 130, options)
    for seq in range(0, len(match.events), 11):
        position = match.at(seq)
        yield from ((position, seat) for seat in position.to_act if seat != TABLE)


def of_many() -> Position:
    """Return a usual position of MABR whose next seat could lay a word in hundreds of thousands of ways."""
    match = played("mabr", 125)
    return max((match.at(seq) for seq in range(len(match.events))), key=lambda at: len(at.legal(max(at.to_act))))


@pytest.fixture(scope="module")
def huge() -> tuple[Position, LegalCommands]:
    position = of_many()
    return position, position.legal(max(position.to_act))


SLICES = [slice(2), slice(1, None), slice(None, None, 2), slice(-2, None), slice(None, None, -1), slice(9, 2)]


@pytest.mark.parametrize("name", NAMES)
def test_a_slice_of_the_commands_of_a_kind_is_a_sequence_of_commands(name):
    for position, seat in spots(name):
        for kind in position.legal(seat).kinds:
            listed = list(kind) if len(kind) <= MAX_LEGAL else None
            (one,) = {type(command) for command in kind[:50]}
            assert kind[-1] == kind[len(kind) - 1]
            for part in SLICES if listed is not None else SLICES[:1]:
                assert list(kind[part]) == [kind[place] for place in range(len(kind))[part]]
                assert listed is None or list(kind[part]) == listed[part]
                assert all(type(command) is one for command in kind[part])
                assert len(kind[part]) == len(range(len(kind))[part])


@pytest.mark.parametrize("name", NAMES)
def test_it_is_the_list_of_the_rules(name):
    for position, seat in spots(name):
        legal, listed = position.legal(seat), list(first_legal(position.game, position.state, seat)[0])
        if len(legal) <= MAX_LEGAL:
            assert legal == listed == [*legal]
            assert len(legal) == len(listed)
            assert legal[-1] == listed[-1]
        assert bool(legal) is bool(listed)
        assert legal[:50] == listed[:50]
        assert list(legal[3:40:3]) == listed[3:40:3]
        assert legal[len(legal) // 2] in legal
        assert legal.count(legal[0]) == 1


@pytest.mark.parametrize(("name", "options"), [*((name, None) for name in NAMES), ("mabr", {"judge": "table"})])
def test_membership_is_that_of_the_list(name, options):
    """A command of elsewhere is in it if, and only if, it is listed: of lists short enough to be made."""
    found = [each for each in spots(name, options) if len(each[0].legal(each[1])) <= MAX_LEGAL]
    commands = [command for position, seat in found[::3] for command in position.legal(seat)[::5]]
    for position, seat in found[:: max(len(found) // 6, 1)]:
        legal = position.legal(seat)
        listed = list(legal)
        assert all(each in legal for each in listed[:200])
        for command in commands[:300]:
            assert (command in legal) is (command in listed), command


def test_what_is_no_command_is_not_in_it(huge):
    position, legal = huge
    for odd in (None, 0, "PASS", Word("あ", ()), Word(7, [3]), object()):
        assert odd not in legal
    assert not position.legal(TABLE)
    assert position.legal(TABLE) == []
    deal = kifu.new("cake", ["a", "b", "c"]).events[0].command
    assert deal not in kifu.new("cake", ["a", "b", "c"], seed=None).legal(TABLE)
    with pytest.raises(IndexError, match="legal commands"):
        legal[len(legal)]


def test_a_seat_that_does_not_act_has_none(huge):
    position, _ = huge
    other = next(seat for seat in range(4) if seat not in position.to_act)
    assert len(position.legal(other)) == 0
    assert list(position.legal(other)) == []


def test_hundreds_of_thousands_are_counted_and_drawn_from_without_being_made(huge, monkeypatch):
    position, legal = huge
    assert len(legal) > 100_000
    made = []

    @attrs.frozen
    class Counted(Word):
        def __attrs_post_init__(self):
            made.append(self)

    monkeypatch.setattr(mabr_row, "Word", Counted)
    fresh = position.legal(max(position.to_act))
    assert len(fresh) == len(legal)
    assert fresh
    assert not made, "counting makes none"
    Random(1).choice(fresh), fresh[-1], fresh[10:-10][100_000], draw_command(fresh, Shuffler(bytes(32)))
    assert len(made) <= 4, "only what is drawn is made"
    repr(fresh), fresh == [], [*fresh[:20]]
    assert len(made) < 60


def test_a_page_of_them_is_counted_no_further_than_its_end(huge, monkeypatch):
    position, whole = huge
    asked, count = [], mabr_row.Row.count
    monkeypatch.setattr(mabr_row.Row, "count", lambda row, at: asked.append(at) or count(row, at))
    mabr_row._counted.cache_clear()
    legal = position.legal(max(position.to_act))
    pages = [list(legal[at : at + 50]) for at in (0, 50, 3000, 3050)]
    assert [len(page) for page in pages] == [50] * 4
    assert len(set(asked)) < 2000, "those of later pages are never counted"
    assert len(asked) < 3 * len(set(asked)), "each word is counted few times"
    assert pages == [[whole[number] for number in range(at, at + 50)] for at in (0, 50, 3000, 3050)]


def quickest(call) -> float:
    def once() -> float:
        begun = process_time()
        call()
        return process_time() - begun

    return min(once() for _ in range(3))


def calls(position: Position, seat: Seat):
    """Yield every call of the public API that asks what a seat can do, see or draw."""
    legal = position.legal(seat)
    yield "count", lambda: len(position.legal(seat))
    yield "any", lambda: bool(position.legal(seat))
    yield "first", lambda: position.legal(seat)[0]
    yield "last", lambda: position.legal(seat)[-1]
    yield "slice", lambda: list(legal[:100])
    yield "draw", lambda: Random(2).choice(position.legal(seat))
    yield "in", lambda: legal[len(legal) // 2] in legal
    yield "equal", lambda: legal == position.legal(seat)[:10]
    yield "repr", lambda: repr(legal)
    yield "for bots", lambda: first_legal(position.game, position.state, seat)
    yield "view", lambda: position.view(seat)
    yield "scene", lambda: position.scene(seat)
    yield "choose", lambda: choose(position, Shuffler(bytes(32)))


@pytest.mark.parametrize("name", NAMES)
def test_no_call_takes_a_tenth_of_a_second(name, huge):
    places = [*spots(name)][::4] + ([(huge[0], max(huge[0].to_act))] if name == "mabr" else [])
    for position, seat in places:
        for what, call in calls(position, seat):
            assert quickest(call) < SLOW_S, (what, position.state)


def test_bots_and_hosts_say_that_there_are_more(huge):
    position, _ = huge
    legal, has_more = first_legal(position.game, position.state, max(position.to_act))
    assert len(legal) == MAX_LEGAL
    assert has_more
    match = played("cake", 3)
    assert not ObservationHistory(match, min(match.to_act)).information_state().has_more
