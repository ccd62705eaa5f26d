"""What players see of each other and of their own doing: nothing typed is lost, nothing told is gone too soon."""

import pytest

from .browsing import STEP, sit


@pytest.fixture(scope="module")
def tab(opened_once):
    """A table of three with a bot each side, at my turn."""
    return sit(opened_once, bot="easy")


TYPED = """() => {
  const commands = [
    { tag: "word", fields: { word: "あい", cards: ["A", "I"] }, parts: [["word"], ["fixed", "A"], ["fixed", "I"]] },
    { tag: "swap", fields: { place: 0 }, parts: [["place", 0]] },
  ];
  const selection = new Selection(commands, [], false), name = JSON.stringify(["place", 0]);
  selection.choose(JSON.stringify(["fixed", "A"]), true);
  selection.typed.word = "あい";
  const goes = selection.choose(name, true);
  return [goes, selection.typed.word, selection.chosen.length];
}"""
OFFERED = """(count) => {
  const schemas = [{ tag: "draw", fields: { properties: { abbreviation: { type: "string" } } } }];
  const draw = { tag: "draw", fields: { abbreviation: "TSK" }, parts: [..."TSK"].map((each) => ["stack", each]) };
  const words = Array.from({ length: count - 1 }, () => ({ tag: "word", fields: {}, parts: [["word"]] }));
  const selection = new Selection([draw, ...words], schemas, true);
  selection.choose(JSON.stringify(["stack", "T"]), true);
  return selection.ready.map(({ tag }) => tag);
}"""
"""What one letter of three makes, where so many commands are listed and there are more."""


def test_a_tap_deletes_nothing_that_was_typed(tab):
    assert tab.evaluate(TYPED) == [False, "あい", 1]


def test_a_draw_is_offered_only_where_it_can_succeed(tab):
    assert tab.evaluate(OFFERED, 2000) == [], "all draws are listed: the list was cut among the words"
    assert tab.evaluate(OFFERED, 20) == ["draw"], "a table that judges may accept any"


def test_who_has_left_is_said_to_be_away_for_so_long(tab):
    seats, later = tab.evaluate(
        """() => {
          const { bot } = game.about.seats[1];
          Object.assign(game.about.seats[1], { bot: null });
          game.away = { 1: Date.now() - 50_000, 2: Date.now() - 50_000 };
          drawGame();
          const said = [...document.querySelectorAll(".players li")].map((each) => each.innerText);
          const away = document.querySelector(".away");
          if (away.dataset.left) away.dataset.left -= 60_000; // a minute later
          tick();
          const later = away.textContent;
          game.away = {};
          Object.assign(game.about.seats[1], { bot });
          drawGame();
          return [said, later];
        }"""
    )
    assert ["away" in each for each in seats] == [seat == 1 for seat in range(len(seats))]
    assert "min" not in seats[1], "not yet"
    assert later == "away for 1 min"


STORY_OPEN = """(acting) => {
  const now = game.observation;
  Object.assign(game, { storyOpen: true, observation: { ...now, to_act: [1] } });
  receiveObservation({ ...now, count: now.count + 1, to_act: [acting] });
  const { storyOpen } = game;
  receiveObservation(now);
  game.storyOpen = false;
  return storyOpen;
}"""


def test_an_open_story_closes_as_ones_own_turn_begins(tab):
    assert tab.evaluate(STORY_OPEN, 2), "it is read while others play"
    assert not tab.evaluate(STORY_OPEN, 0), "it would lie over what one chooses from"


BUTTONS = """() => {
  const parts = [["charge", "no_red"], ["palace", 1, 0]], other = [["charge", "no_blue"], ["palace", 1, 0]];
  const made = new Selection([{ tag: "inspect", fields: {}, parts }, { tag: "inspect", fields: {}, parts: other }]);
  const onScene = new Set(['["palace",1,0]']), shown = () => made.buttons(onScene, true).map(([, [, what]]) => what);
  const before = shown();
  made.choose('["charge","no_red"]', false);
  return [before, shown()];
}"""


def test_a_button_that_is_pressed_stays_where_the_window_has_become_small(tab):
    assert tab.evaluate(BUTTONS) == [[], ["no_red"]]


def test_who_only_watches_is_asked_for_no_rematch_and_bots_have_names_in_the_readers_language(tab):
    asked = """(watches) => {
      const [status, matches] = [game.observation.status, saved.matches];
      game.observation.status = "over";
      if (watches) saved.matches = {};
      const again = drawForked({ kind: "fork", target: 0, status: "accepted", by: 1, fork: "another" });
      Object.assign(saved, { matches });
      game.observation.status = status;
      return Boolean(again);
    }"""
    assert [tab.evaluate(asked, watches) for watches in (False, True)] == [True, False]
    names = "['ボット3（やさしい）', 'Bot 2 (easy)', 'HAL'].map((name) => shownName(name, 'easy'))"
    assert tab.evaluate(names) == ["Bot 3", "Bot 2", "HAL"]


def test_what_happened_to_me_stays_in_the_strip_until_my_next_move(tab):
    seen = tab.evaluate(
        """() => {
          const tell = (seat, ...text) => game.history.push({
            seq: game.observation.count++, seat, tag: "act", fields: {}, actor: null, notes: [{ rule: null, text }],
          });
          tell(1, 1, " tears down a palace of ", 0);
          tell(2, 2, " builds");
          drawStory();
          const lines = [...document.querySelectorAll(".latest .told")];
          return lines.filter((each) => each.checkVisibility()).map((each) => each.innerText);
        }"""
    )
    assert [line.split()[-1] for line in seen][-2:] == ["Aki", "builds"]


def test_ones_turn_and_a_proposal_that_waits_for_me_mark_the_title_and_the_icon(tab):
    marked = tab.evaluate(
        """() => {
          const title = () => [document.title[0], document.querySelector("link[rel=icon]").href.includes("circle")];
          const turn = title();
          game.observation.to_act = [1];
          drawBar();
          const before = title();
          const asked = { number: 9, kind: "abandon", by: 1, target: 0, status: "pending", waiting_for: [0] };
          game.observation.proposals.push(asked);
          drawBar();
          return [turn, before, title()];
        }"""
    )
    assert marked == [["●", True], ["T", False], ["●", True]]


TRAVELS = """window.travelled = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, how) {
  if (frames[0].transform) travelled.push(this.closest(".place").dataset.seat);
  return animate.call(this, frames, how);
};"""


def test_a_played_card_travels_but_not_where_motion_is_reduced(opened):
    for motion in ("no-preference", "reduce"):
        tab = sit(opened, bot="easy", script=TRAVELS, reduced_motion=motion)
        tab.evaluate(STEP)
        tab.evaluate(STEP)
        tab.locator(".step", has_text="Bot 3").first.wait_for()
        assert ("middle" in tab.evaluate("travelled")) is (motion == "no-preference")
