"""A phone alone answers: whose turn, what may I do, what have I chosen, why not that one, what happened, who leads."""

from random import Random
from time import monotonic

import pytest
from kifu import games

from .browsing import PLAYED_S, TIMEOUT_MS, open_match
from .test_phone_games import MY_TURN, SHORTEST, TOUCH, choose, refusal_is_told

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("playwright", reason="needs kifu[browser]")

STATES = 16
"""How many states of one's own turn are looked at in a game."""
UNANSWERED = """() => {
  if (!game.observation || game.sending || game.loading || game.queue.length) return [];
  const { places } = game.observation.scene, mine = isMyTurn(game.observation), over = hasEnded();
  const seen = (each) => {
    if (!each?.checkVisibility() || !each.textContent.trim()) return false;
    const { left, top, width, height } = each.getClientRects()[0];
    return each.contains(document.elementFromPoint(left + Math.min(width / 2, 12), top + Math.min(height / 2, 9)));
  };
  const all = (wanted) => [...document.querySelectorAll(wanted)].filter(seen);
  const said = document.querySelector(".dock .status")?.textContent ?? "";
  const others = sinceMine(toldEvents()).filter(({ notes }) => notes.length);
  const open = ".table :is(.selectable, .possible), .listed button, .choice, #type-word, #do-it";
  const picked = ".picked .cards, .choice[aria-pressed=true], .chip, #do-it";
  const answers = {
    "whose turn": all(".dock .status").length && (over || said.includes(mine ? say("your-turn") : say("waiting-for"))),
    "what have I chosen": !mine || !game.selection.begun || all(picked).length,
    "what may I do": !mine || (all(".dock .tags").length && document.querySelector(open)),
    "what happened since": over ? all(".sheet, .end .status").length
      : !others.length || all(".latest .told:last-child").length,
    "who leads": all(".players :is(.score, strong)").length >= places.length,
  };
  return Object.keys(answers).filter((each) => !answers[each]).map((each) => `${each}: ${said}`);
}"""
"""The questions that the screen leaves open. A long answer has its beginning in sight, and a tap shows the rest."""


@pytest.mark.ci
@pytest.mark.parametrize("game", games.names())
def test_the_screen_answers_in_every_state_of_a_game(opened, game):
    tab, chance, until, states, open_ = opened(**TOUCH), Random(11), monotonic() + PLAYED_S, 0, set()
    tab.set_default_timeout(TIMEOUT_MS)
    open_match(tab, game, "here Aki", *["bot random"] * (min(games.find(game).seats) - 1 or 1))
    tab.locator(".told").first.wait_for()
    while (states < STATES or game == SHORTEST) and not tab.evaluate("hasEnded()"):
        assert monotonic() < until, "the match goes on and on"
        open_.update(tab.evaluate(UNANSWERED))
        if not tab.evaluate(MY_TURN):
            tab.wait_for_timeout(15)
            continue
        states += 1
        if states % 4 == 1:
            refusal_is_told(tab)
        choose(tab, chance)
    if tab.evaluate("hasEnded()"):
        tab.locator(".sheet table").wait_for()
    open_.update(tab.evaluate(UNANSWERED))
    assert open_ == set()
