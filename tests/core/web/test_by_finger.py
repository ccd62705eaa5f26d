"""What a finger does at the page: it scrolls, opens and closes; what it taps stays where it was, or says why not."""

import pytest

from .browsing import TOUCH, act_until, join, open_match, sit

UPRIGHT = {**TOUCH, "locale": "ja-JP"}
ENGLISH = {**TOUCH, "locale": "en-GB"}
SIDEWAYS = {**UPRIGHT, "size": {"width": 844, "height": 390}}
BOXES = """() => [...document.querySelectorAll(".table .place, .table [data-part]")]
  .map((each) => [each.offsetLeft, each.offsetTop, each.offsetWidth])"""
DOCK = "document.querySelector('.dock').getBoundingClientRect()"
EQUALS = """() => {
  const cards = [...document.querySelectorAll(".mine [data-part]")];
  const alike = (each) => cards.filter(({ dataset }) => dataset.part === each.dataset.part);
  const equals = cards.map(alike).find(({ length }) => length > 1) ?? [];
  equals.forEach((each, at) => { each.id = `equal-${at}`; });
  return equals.length > 0;
}"""
"""Give the first equal cards of a hand ids; returns whether there are any."""


def swipe_up(tab, wanted: str) -> None:
    box, touch = tab.locator(wanted).bounding_box(), tab.context.new_cdp_session(tab)
    x, y = box["x"] + box["width"] / 2, tab.viewport_size["height"] * 0.8
    for kind, up in [("touchStart", 0), *(("touchMove", 20 * step) for step in range(1, 11)), ("touchEnd", None)]:
        points = [] if up is None else [{"x": x, "y": y - up}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize("device", [UPRIGHT, SIDEWAYS], ids=["upright", "sideways"])
def test_a_finger_on_the_result_scrolls_to_the_sheet(opened, device):
    tab = opened(**device)
    open_match(tab, "gosne", *["bot random"] * 4)
    tab.locator(".sheet table").wait_for()
    swipe_up(tab, ".bar")
    tab.wait_for_function("() => scrollY > 90", timeout=9000)


def test_the_story_opens_over_the_table_and_leaves_it_as_it_was(opened):
    tab = sit(opened, "gosne", name="プレイヤー1", **UPRIGHT)
    act_until(tab, "#story-toggle:not([hidden])")
    tab.wait_for_function("() => isMyTurn(game.observation) && game.history.length === game.observation.count")
    before, height = tab.evaluate(BOXES), tab.evaluate(f"{DOCK}.height")
    tab.locator("#story-toggle").tap()
    assert tab.evaluate(f"{DOCK}.height") > height
    assert tab.evaluate(BOXES) == before
    tab.locator("#story-toggle").tap()
    assert tab.evaluate(f"{DOCK}.height") == pytest.approx(height, abs=1)
    assert tab.evaluate(BOXES) == before


def test_of_equal_cards_the_tapped_one_is_chosen_and_let_go(opened):
    tab = sit(opened, "gosne", name="プレイヤー1", **UPRIGHT)
    while not tab.evaluate(EQUALS):
        tab.evaluate("location.hash = ''")
        open_match(tab, "gosne", "here プレイヤー1", *["bot random"] * 3)
        tab.locator(".mine .selectable").first.wait_for()
    chosen = "['equal-0', 'equal-1'].filter((id) => document.getElementById(id).classList.contains('picked'))"
    for tapped, picked in [(1, ["equal-1"]), (0, ["equal-0", "equal-1"]), (1, ["equal-0"])]:
        tab.locator(f"#equal-{tapped} > .cards").tap()
        assert tab.evaluate(chosen) == picked


def test_all_names_in_the_head_are_whole_and_a_tap_elsewhere_closes_a_menu(opened):
    tab = sit(opened, "gosne", name="プレイヤー1", **UPRIGHT)
    cut = (
        "[...document.querySelectorAll('.players .name')].filter((each) => each.scrollWidth > each.clientWidth).length"
    )
    assert tab.evaluate(cut) == 0
    tab.locator(".settings summary").tap()
    box = tab.locator(".menu[open] > div").bounding_box()
    assert 0 <= box["x"] <= 360 - box["width"], "it lies on the screen"
    tab.touchscreen.tap(20, 400)
    assert tab.locator(".menu[open]").count() == 0


def test_a_thing_that_is_never_chosen_and_one_out_of_turn_say_why(opened):
    tab = opened(**ENGLISH)
    open_match(tab, "take_and_share", "here Aki", "link", "bot random")
    guest = opened(tab.url, locale="en-GB")
    join(guest, "Ren")
    guest.locator(".board.mine .cards").first.click()
    assert guest.locator(".refusal .note").inner_text() == "Waiting for Aki"
    tab.locator(".board:not(.mine) .thing:not([data-part]) .cards").first.tap()
    what, why = tab.locator(".refusal p").all_inner_texts()
    assert (what.partition(":")[0], why) == ("hand", "Not now. What you can do: play a card."), (
        "what it is, and why not"
    )


@pytest.mark.ci
def test_letters_that_are_typed_stand_in_their_order_and_what_goes_with_nothing_says_so(opened):
    tab = sit(opened, "mabr", bot="easy", **ENGLISH)
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
    tab = sit(opened, "mabr", bot="easy", **ENGLISH)
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
    tab = sit(opened, bot="easy", **ENGLISH)
    assert tab.evaluate("game.about.seats[1].name") == "Bot 2 (easy)"
    tab.evaluate(NAMED_IN_A_REFUSAL)
    assert tab.locator(".refusal .note").inner_text() == "Bot 2 holds it"
