"""What may be looked at only once is told as it happens, and not told again while the match goes on."""

from __future__ import annotations

import pytest
from attrs import evolve
from kifu import games
from kifu.core.errors import Conflict
from kifu.core.game import TABLE, Takeback
from kifu.core.host import Terms
from kifu.core.log import read_bytes
from kifu.games.mabr.model import Conceal

VIEWERS = (None, 0, 1)


def all_momentary(name):
    """Return a game of which every note is momentary."""
    game = games.find(name)

    def explain(step, viewer):
        return (evolve(note, momentary=True) for note in game.explain(step, viewer))

    return game.altered(explain=explain)


def shown(notes, *, still):
    return tuple(note for note in notes if still or not note.momentary)


def last_act(events):
    """Return the number of the last event that is no deal."""
    acts = [event.seq for event in events if event.seat != TABLE or isinstance(event.command, Takeback)]
    return acts[-1] if acts else -1


def check_histories(at, game, *, keeps=False):
    """Hold each viewer's history against the log: a momentary note is there only until somebody has acted again."""
    match = read_bytes(at.log, lambda name: game).match
    since = -1 if keeps or match.result is not None else last_act(match.events)
    for viewer in VIEWERS:
        told = [shown(step.notes_for(viewer), still=step.seq >= since) for step in match.steps]
        assert [each.notes for each in at.history(viewer)] == told
        key = None if viewer is None else at.keys[viewer]
        assert list(at.host.watch(at.match, key, timeout_ms=0)) == list(at.history(viewer))
    return [
        {note.key for viewer in VIEWERS for note in step.notes_for(viewer) if note.momentary} for step in match.steps
    ]


@pytest.mark.ci
def test_a_momentary_note_is_told_as_it_happens_and_not_again(table):
    """Before one who looks, those who do not, and a spectator, after every event of a match of mabr."""
    at, game = table("mabr", 2), games.find("mabr")
    for _ in range(50):
        at.play_on(1)
        told = check_histories(at, game)
    assert set().union(*told) == {"looks", "wrong"}


@pytest.mark.ci
@pytest.mark.parametrize(("name", "options"), [("gosne", {"hands": 4}), ("take_and_share", {})])
def test_a_deal_that_follows_takes_no_note_away(table, make_host, name, options):
    game = all_momentary(name)
    at = table(name, 4, options=options, at=make_host(find=lambda _: game))
    check_histories(at, game)
    while at.observe().to_act:
        at.play_on(1)
        if at.count % 9 == 0 or at.history()[-1].seat == TABLE:
            check_histories(at, game)


def test_a_takeback_takes_what_was_told_away(table):
    at, game = table("mabr", 2), games.find("mabr")
    looking = at.play_until(lambda observation: [*map(type, observation.legal)] == [Conceal])
    at.agree(at.take_back(looking.seat, looking.count - 2))
    assert isinstance(at.history()[-1].command, Takeback)
    check_histories(at, game)


def test_a_conflict_tells_it_no_more(table):
    at = table("mabr", 2)
    count = at.count
    at.play(0)
    with pytest.raises(Conflict) as caught:
        at.play(0, expected_events=count)
    assert any(note.momentary for each in caught.value.meanwhile for note in each.notes)
    at.play(0)
    with pytest.raises(Conflict) as caught:
        at.play(0, at.observe(1).legal[0], expected_events=count)
    assert not any(note.momentary for each in caught.value.meanwhile for note in each.notes)


def test_another_host_tells_it_no_more_either_until_the_match_has_ended(table, make_host):
    at, game = table("mabr", 2), games.find("mabr")
    at.play(0)
    at.play(0)
    other = make_host(at.host._context.store)
    assert other.history(at.match, at.keys[0]) == at.history(0)
    assert not any(note.momentary for each in at.history(0) for note in each.notes)
    at.host.force_abandon(at.match)
    assert {"looks"} in check_histories(at, game, keeps=True)


@pytest.mark.ci
def test_the_terms_of_a_match_may_keep_it(table):
    at, game = table("mabr", 2, terms=Terms(keep_momentary_notes=True)), games.find("mabr")
    at.play_on(30)
    assert "looks" in set().union(*check_histories(at, game, keeps=True))
    assert at.about.terms.keep_momentary_notes
