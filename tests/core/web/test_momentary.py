"""What may be looked at only once: in the answers of the API and on the page until somebody acts again."""

import json

from .browsing import STEP, act_until, join, open_match
from .streams import watch


def look(table):
    """Draw as seat 0, which then looks at its cards; return the notes of that event."""
    seq = table.play(0).json()["seq"]
    return table.get(f"/history?since={seq}&limit=1", 0).json()["events"][0]["notes"]


def looks(notes):
    return [note["text"] for note in notes if note.get("momentary")]


def texts_of(table, seat=0):
    """Return all that the history tells a seat, in words."""
    return [note["text"] for event in table.get("/history", seat).json()["events"] for note in event["notes"]]


def test_the_history_tells_it_until_somebody_acts_again(open_table):
    table = open_table("mabr", 2)
    (told,) = looks(look(table))
    assert told in texts_of(table)
    for other in (1, None):
        assert told not in texts_of(table, other)
    table.play(0)
    assert told not in texts_of(table)
    assert "momentary" not in json.dumps(table.get("/history", 0).json())
    for seat in (0, 1):
        table.post("/proposals", seat, {"kind": "abandon"})
    table.post("/proposals/1", 1, {"accept": True})
    assert table.get().json()["status"] == "abandoned"
    assert told in texts_of(table)
    assert "momentary" not in json.dumps(table.get("/history", 0).json())


def test_a_watcher_is_told_as_it_happens_and_one_who_comes_later_is_not(open_table):
    table = open_table("mabr", 2)
    with watch(table, table.keys[0], since=1) as watcher:
        look(table)
        assert looks(watcher.next_event()["notes"])
    table.play(0)
    with watch(table, table.keys[0], since=1) as watcher:
        assert not looks(watcher.next_event()["notes"])


def test_a_match_may_be_opened_so_that_it_stays(open_table):
    table = open_table("mabr", 2, keep_momentary_notes=True)
    assert table.get().json()["keep_momentary_notes"] is True
    kept = [note["text"] for note in look(table)]
    table.play(0)
    assert all(text in texts_of(table) for text in kept)
    assert "momentary" not in json.dumps(table.get("/history", 0).json())
    assert open_table("mabr", 2).get().json()["keep_momentary_notes"] is False


MOMENT = "Aki looks at"


def test_on_the_page_it_goes_away_with_the_look(opened):
    tab, other = opened(), opened()
    link = open_match(tab, "mabr", "here Aki", "link")
    other.goto(link)
    join(other, "Ren")
    looked, concealed = (tab.locator(".step p", has_text=text) for text in (MOMENT, "lays"))
    act_until(tab, ".bar .tags", "lay the cards down")
    looked.first.wait_for()
    assert other.get_by_text(MOMENT).count() == 0
    while looked.count():
        tab.evaluate(STEP)
        tab.wait_for_timeout(15)
    concealed.first.wait_for()
    assert tab.get_by_text(MOMENT).count() == 0
    tab.reload()
    concealed.first.wait_for()
    assert tab.get_by_text(MOMENT).count() == 0
    tab.locator("#more").click()
    tab.get_by_text("Abandon the match").click()
    tab.get_by_role("button", name="End it").click()
    other.get_by_role("button", name="Accept").click()
    tab.locator(".bar .end").wait_for()
    tab.reload()
    looked.first.wait_for()
