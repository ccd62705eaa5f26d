"""Why not that one: one tap on what cannot be chosen says it, at once and in words to the player, whatever it is."""

import pytest

from .browsing import TOUCH, act_until, open_match, sit

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("playwright", reason="needs kifu[dev]")


def test_a_thing_that_is_never_chosen_and_one_out_of_turn_say_why(opened):
    tab = opened(**TOUCH, locale="en-GB")
    open_match(tab, "take_and_share", "here Aki", "link", "bot random")
    guest = opened(tab.url, locale="en-GB")
    guest.locator("#join-name").fill("Ren")
    guest.locator("#do-join").click()
    guest.locator(".board.mine .cards").first.click()
    assert guest.locator(".refusal .note").inner_text() == "Waiting for Aki"
    tab.locator(".board:not(.mine) .thing:not([data-part]) .cards").first.tap()
    what, why = tab.locator(".refusal p").all_inner_texts()
    assert (what.partition(":")[0], why) == ("hand", "Not now. What you can do: play a card."), (
        "what it is, and why not"
    )


@pytest.mark.ci
def test_letters_that_are_typed_stand_in_their_order_and_what_goes_with_nothing_says_so(opened):
    tab = sit(opened, "mabr", bot="easy", **TOUCH, locale="en-GB")
    act_until(tab, "#type-word")
    tab.evaluate("clearSelection()")
    word = tab.evaluate("game.selection.commands.find(({ tag }) => tag === 'word').fields.word")
    tab.locator("#type-word").tap()
    tab.keyboard.type(word)
    assert tab.locator("#type-word").input_value() == word
    tab.keyboard.type("zz")
    tab.locator(".bar", has_text=f"Nothing that you can do now goes with “{word}zz”.").wait_for()


@pytest.mark.ci
def test_what_one_looks_at_before_laying_it_down_is_in_view(opened):
    tab = sit(opened, "mabr", bot="easy", **TOUCH, locale="en-GB")
    act_until(tab, ".bar .tags", "lay the cards down")
    tab.evaluate("drawGame()")  # what is new stays marked until something happens
    card = tab.locator(".mine .new .cards").first.bounding_box()
    assert card["y"] >= 0
    assert card["y"] + card["height"] <= tab.locator(".dock").bounding_box()["y"]


NAMED_IN_A_REFUSAL = """() => {
  const { fetch } = transport;
  const detail = `${game.about.seats[1].name} holds it`;
  const refused = { type: "urn:kifu:problem:rule-violation", status: 422, title: "-", detail, rule: "TS-3" };
  transport.fetch = async (path, init) =>
    path.endsWith("/commands") ? new Response(JSON.stringify(refused), { status: 422 }) : fetch(path, init);
  const node = document.querySelector(".board.mine .selectable");
  node.dataset.part = JSON.stringify(["card", 99]);
  return explainRefusal(node);
}"""
"""Let a rule refuse a card, and name a bot."""


@pytest.mark.ci
def test_a_refusal_names_a_bot_as_the_table_does(opened):
    tab = sit(opened, bot="easy", **TOUCH, locale="en-GB")
    assert tab.evaluate("game.about.seats[1].name") == "Bot 2 (easy)"
    tab.evaluate(NAMED_IN_A_REFUSAL)
    assert tab.locator(".refusal .note").inner_text() == "Bot 2 holds it"
