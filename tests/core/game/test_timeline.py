"""Which events still count, held against a model that keeps for every event the whole line that leads to it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from kifu.core.game import TABLE, Event, Seat, Takeback
from kifu.core.game.timeline import effective, origins, undone


@st.composite
def records(draw):
    """Draw events in which takebacks go anywhere, and the line of game events that leads to the state after each."""
    events, lines = [], []
    for seq in range(draw(st.integers(0, 30))):
        line = lines[-1] if lines else []
        if draw(st.integers(0, 2)):
            events.append(Event(seq, Seat(0), "a command", None))
            lines.append([*line, seq])
        else:
            to = draw(st.integers(-1, seq - 1))
            events.append(Event(seq, TABLE, Takeback(to), None))
            lines.append(lines[to] if to >= 0 else [])
    return events, lines


@given(records())
def test_the_origin_is_the_last_of_the_line(record):
    events, lines = record
    assert origins(events) == [line[-1] if line else -1 for line in lines]


@given(records())
def test_effective_events_are_the_line_of_the_last_event(record):
    events, lines = record
    assert [event.seq for event in effective(events)] == (lines[-1] if lines else [])


@given(records())
def test_what_a_takeback_would_undo_is_the_rest_of_the_line(record):
    events, lines = record
    now = lines[-1] if lines else []
    for to in range(-1, len(events)):
        line = lines[to] if to >= 0 else []
        rest = now[len(line) :] if now[: len(line)] == line else []
        assert [event.seq for event in undone(events, to)] == rest


class Counted(list):
    """Events that count how often one of them is looked up."""

    looked_up = 0

    def __getitem__(self, place):
        self.looked_up += 1
        return super().__getitem__(place)


def test_a_seat_that_takes_back_again_and_again_costs_no_more_each_time():
    """Each time it goes back to where it was after it had last taken back."""
    events = Counted()
    for seq in range(0, 2000, 2):
        events += [Event(seq, Seat(0), "a command", None), Event(seq + 1, TABLE, Takeback(seq - 1), None)]
    events.append(Event(2000, Seat(0), "a command", None))
    assert [event.seq for event in undone(events, 1999)] == [2000]
    assert events.looked_up < 10 * len(events)


def test_what_was_found_of_the_first_events_is_gone_on_from():
    events = Counted(Event(seq, Seat(0), "a command", None) for seq in range(5))
    found = origins(events[:3])
    assert origins(events, found) is found
    assert found == [0, 1, 2, 3, 4]
