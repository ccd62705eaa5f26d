"""Forks: another legal command is tried from anywhere, marked as not in the log, and left again."""

import pytest
from kifu import games
from kifu.core.game import TABLE, Seat, SectionKind
from kifu.core.match import Match
from kifu.replay.stepper.index import Index
from kifu.replay.stepper.record import Record
from textual.widgets import Input, OptionList

from .conftest import GAMES, Person, played, reading_of, step


def record_of(match: Match) -> Record:
    return Record.of(reading_of(match))


@pytest.mark.parametrize("name", GAMES)
def test_every_choice_is_a_legal_command_and_goes_on_from_there(name: str) -> None:
    match = played(name, most=20)
    record = record_of(match)
    for at in range(-1, len(match.events), 4):
        choices = list(record.choices(at, TABLE))
        position = match.at(at)
        seats = [seat for seat in sorted(position.to_act) if seat >= 0]
        expected = [(seat, command) for seat in seats for command in position.legal(seat)[:2000]]
        assert [choice for choice in choices if choice[0] != TABLE] == expected
        for seat, command in (*choices[:2], *choices[-1:]):
            fork = record.fork(at, seat, command)
            assert fork.match.events[: at + 1] == match.events[: at + 1]
            assert (fork.match.events[at + 1].seat, fork.match.events[at + 1].command) == (seat, command)
            assert fork.match.header.fork.seq == at
            assert [fork.in_log(place) for place in (at, at + 1)] == [True, False]
        assert record.match.events == match.events


def test_what_is_counted_of_a_log_is_not_counted_again_for_its_fork() -> None:
    match = played("take_and_share", most=30)
    record = record_of(match)
    counted = Index(record, TABLE)
    counted.count(20)
    for at in (-1, 0, 4, 5, 6, 20, 25):
        fork = record.fork(at, *next(iter(record.choices(at, TABLE))))
        anew, extended = Index(fork, TABLE), counted.extended(fork, fork.shared)
        assert extended.known == min(at, 20) + 1
        for index in (anew, extended):
            index.count(fork.last)
        assert [anew.row(place) for place in range(anew.height)] == [
            extended.row(place) for place in range(extended.height)
        ]
        for place in range(-1, fork.count):
            assert anew.row_of(place) == extended.row_of(place)
            assert anew.current_sections(place) == extended.current_sections(place)
            assert anew.notes(place) == extended.notes(place)
        assert anew.sections(*SectionKind) == extended.sections(*SectionKind)


def test_the_deals_of_a_fork_are_those_of_the_seed():
    match = played("take_and_share", long=True)
    deals = [event.seq for event in match.events if event.seat == TABLE]
    record = record_of(match)
    fork = record.fork(deals[1] - 2, match.events[deals[1] - 1].seat, match.events[deals[1] - 1].command)
    assert fork.match.events[-1].command == match.events[deals[1]].command
    assert list(record.choices(-1, TABLE)) == [(TABLE, match.events[0].command)]


def test_without_a_seed_the_table_deals_as_in_the_log_or_otherwise():
    seeded = played("take_and_share", most=1)
    header = seeded.header.__class__(**{**_fields(seeded.header), "seed": None})
    match: Match = Match(games.find("take_and_share"), header)
    assert [seat for seat, _ in record_of(match).choices(-1, TABLE)] == [TABLE]
    match.apply(TABLE, seeded.events[0].command)
    assert list(record_of(match).choices(-1, TABLE)) == [(TABLE, seeded.events[0].command)]


def _fields(header) -> dict:
    return {field.name: getattr(header, field.name) for field in header.__attrs_attrs__}


def test_as_a_seat_only_its_own_commands_are_listed():
    match = played("cake", most=20)
    record = record_of(match)
    for at in range(1, 20):
        for viewer in range(4):
            seats = {seat for seat, _ in record.choices(at, Seat(viewer))}
            assert seats <= {viewer}
        assert list(record.choices(at, None)) == []


@pytest.mark.ci
def test_a_fork_is_made_marked_and_left():
    match = played("take_and_share")

    async def person(one: Person) -> None:
        await one.press("colon")
        await one.type("30")
        own = match.events[31].command
        await one.press("f")
        assert "as in the log" in one.screen_text
        listed = one.app.screen.query_one(OptionList)
        legal = match.at(30).legal(match.events[31].seat)
        assert listed.option_count == len(legal)
        other = next(place for place, command in enumerate(legal) if command != own)
        await one.press(*["down"] * other, "enter")
        assert one.at == 31
        assert one.app.navigation.record.match.events[31].command == legal[other]
        assert "fork after step 30: not in the log" in one.pane("title")
        assert "≠ Not in the log" in one.pane("notes")
        assert [line[:1] for line in one.pane("steps").splitlines() if " 31 " in line] == ["▌"]
        await one.press("left")
        assert "≠ Not in the log" not in one.pane("notes")
        assert [line[:1] for line in one.pane("steps").splitlines() if " 31 " in line] == ["≠"]
        await one.press("right", "f", "enter")
        assert one.at == 32
        assert "fork after step 30" in one.pane("title")
        await one.press("escape")
        assert one.at == 30
        assert "fork" not in one.pane("title")
        assert one.app.navigation.record.match.events == match.events

    step(match, person)


@pytest.mark.long
def test_typing_narrows_the_commands_down_and_escape_chooses_none():
    match = played("take_and_share")

    async def person(one: Person) -> None:
        await one.press("colon")
        await one.type("0")
        await one.press("f")
        listed = one.app.screen.query_one(OptionList)
        command = match.at(0).legal(0)[5]
        face = match.game.face(command.card).text
        one.app.screen.query_one(Input).value = f"PLAY {face}"
        await one.until(lambda: listed.option_count == 1)
        await one.press("enter")
        assert one.app.navigation.record.match.events[1].command == command
        await one.press("escape", "f", "escape")
        assert one.app.navigation.return_to is None
        await one.press("f")
        one.app.screen.query_one(Input).value = "nothing like it"
        await one.until(lambda: one.app.screen.query_one(OptionList).option_count == 0)
        await one.press("enter", "escape")
        assert one.app.navigation.return_to is None

    step(match, person)


@pytest.mark.long
def test_where_there_is_nothing_to_try_the_reason_is_shown():
    match = played("take_and_share")

    async def person(one: Person) -> None:
        await one.press("end", "f")
        assert "The game is over here" in one.notices
        (asked,) = match.at(1).to_act
        await one.press("colon")
        await one.type("1")
        one.app.action_see((asked + 1) % 4)
        await one.press("f")
        assert "This seat is not to act here." in one.notices

    step(match, person)
