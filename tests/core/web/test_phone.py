"""The page on a phone, by touch: the table stays in sight, what happened is told whole, and one tap commits nothing."""

from time import monotonic

import pytest

from .browsing import PLAYED_S, STEP, TOUCH, open_match, sit

UNTOLD = """() => {
  const told = document.querySelector(".latest");
  const since = game.history.slice(Math.max(0, game.history.findLastIndex(({ seat }) => seat === game.viewer)));
  const drawn = since.filter(({ seq }) => seq < game.parts.notes.count).flatMap(({ notes }) => notes);
  const whole = ({ text }) => text.map((piece) => (typeof piece === "number" ? seatLabel(piece) : piece)).join("");
  const missing = drawn.filter((note) => !told.textContent.includes(whole(note)));
  return missing.map(({ text }) => text);
}"""
"""What has happened since one's last move and is not told."""
SLOW_LINE = """{
  const quick = window.fetch;
  window.fetch = async (...asked) => {
    await new Promise((done) => setTimeout(done, /observation|scores|analysis/.test(asked[0]) ? 300 : 0));
    return quick(...asked);
  };
}"""
"""Let each observation come late, and what stands at the end."""
SHIFTS = """() => new Promise((done) => new PerformanceObserver((list) => done(
  list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput)
    .map(({ value, sources }) => [value, sources.map(({ node }) => node?.className ?? "")]),
)).observe({ type: "layout-shift", buffered: true }))"""
"""What has moved on the page since it was opened, and how much of the screen it was; never answers if nothing has."""
DRAWN_ALONE = """() => {
  game.parts.notes.count = 0;
  document.querySelector("main").classList.add("arriving");
  return [drawBar, drawGame].map((draw) => (draw(), getComputedStyle(game.parts.table).visibility));
}"""
"""Whether the table of a match that is opened is shown once the bar is drawn alone, and once all is."""
BROKEN_NAMES = """() => [".note", ".remark", ".status"].filter((kind) => {
  const line = el("p", { class: kind.slice(1) }, seatName(1)), range = document.createRange();
  line.style.width = "3ch";
  document.body.append(line);
  range.selectNodeContents(line.firstChild.firstChild);
  return range.getClientRects().length > 1;
})"""
"""Kinds of sentences in which a name of two words is broken at the end of a line."""


def test_a_short_name_is_not_broken_at_the_end_of_a_line(opened):
    tab = sit(opened, bot="easy", **TOUCH)
    assert tab.evaluate("seatLabel(1)") == "Bot 2"
    assert tab.evaluate(BROKEN_NAMES) == []


def test_the_lobby_begins_with_a_line_that_says_what_it_is(opened):
    tab = opened(**TOUCH, locale="ja-JP")
    tab.locator("#do-open").wait_for()
    assert "ゲーム" in tab.locator(".title p").first.inner_text()
    assert tab.locator("#choose-language").bounding_box()["y"] < 20, "it stands beside the title"


LAST_CARD = "[...document.querySelectorAll('.board.mine .thing')].pop().getBoundingClientRect().y"
AT_REST = f"""async () => {{
  for (let before = null, y = {LAST_CARD};; before = y, y = {LAST_CARD}) {{
    if (y === before) return y;
    await new Promise((done) => setTimeout(done, 100));
  }}
}}"""
"""Where it lies once the table that was opened lies still."""


def test_a_game_on_a_phone_all_that_happened_is_told_and_one_shares_by_taps(opened):
    tab = sit(opened, **TOUCH, locale="en-GB")
    before = tab.evaluate(AT_REST)
    tab.evaluate("choosePart(game.selection.commands[0].names[0], true)")
    tab.locator("#do-it").wait_for()
    assert tab.evaluate(LAST_CARD) == pytest.approx(before, abs=1), "no card moves as the button comes"
    until = monotonic() + PLAYED_S
    while tab.evaluate("game.selection.commands[0]?.tag") != "share":
        assert monotonic() < until, "nobody shares"
        assert tab.evaluate(UNTOLD) == []
        if tab.evaluate("hasEnded()"):  # before that came: chance decides who takes a trick, and shares
            tab.evaluate("location.hash = ''")
            open_match(tab, "take_and_share", "here Aki", "bot random", "bot random")
        tab.evaluate(STEP)
        tab.wait_for_timeout(20)
    share_by_tapping(tab)


def test_a_table_that_is_opened_over_a_slow_line_does_not_jump(opened):
    address = open_match(opened(), "take_and_share", "here Aki", "bot random", "bot random")
    tab, moved = opened_over_a_slow_line(opened, address, "main:not(.arriving)")
    assert moved < 0.05
    assert tab.evaluate(DRAWN_ALONE) == ["hidden", "visible"], "until what has happened is drawn nothing is shown"


def test_a_finished_match_that_is_opened_over_a_slow_line_does_not_jump(opened):
    played = opened()
    address = open_match(played, "gosne", *["bot random"] * 4)
    played.locator(".sheet table").wait_for()
    tab, moved = opened_over_a_slow_line(opened, address, "main:not(.arriving) .sheet table")
    assert moved < 0.1
    tab.route("**/scores", lambda route: route.fulfill(status=422, body='{"detail": "None."}'))
    tab.reload()
    tab.locator("main:not(.arriving)").wait_for()


def opened_over_a_slow_line(opened, address, come):
    """Open a table over a slow line until this has come; return the tab, and how much of the screen has moved."""
    tab = opened(address, script=SLOW_LINE, **TOUCH)
    tab.locator(come).first.wait_for()
    moved = tab.evaluate(f"() => Promise.race([({SHIFTS})(), new Promise((done) => setTimeout(done, 300, []))])")
    return tab, sum(value for value, _ in moved)


def share_by_tapping(tab) -> None:
    """Share by tapping the cards where they lie; the first two can be taken back, and the last tap is the button's."""
    tab.wait_for_function("() => !game.loading && game.history.length === game.observation.count")  # nothing moves now
    tab.evaluate("clearSelection()")  # the last step may have met the cards that are to be shared
    count = tab.evaluate("game.observation.count")
    cards, before = tab.locator(".middle .selectable .cards"), tab.evaluate(AT_REST)
    assert tab.locator(".bar .primary").count() == 0, "no button commits before a card is chosen"
    cards.nth(0).tap()
    tab.locator(".status", has_text="tap the card for random").wait_for()
    assert "to Aki" in tab.locator(".chip").inner_text()
    assert tab.evaluate(LAST_CARD) == pytest.approx(before, abs=1), "no card moves as one is chosen"
    tab.locator(".chip").tap()
    assert tab.locator(".chip").count() == 0
    cards.nth(2).tap()
    cards.nth(1).tap()
    assert tab.evaluate("game.observation.count") == count, "a tap on a card commits nothing"
    tab.locator("#do-it").tap()
    tab.wait_for_function(f"() => game.observation.count > {count}")


def test_the_story_has_all_since_ones_last_move_and_nothing_unseen_takes_the_focus(opened):
    tab = sit(opened)
    told = "Array.from({ length: 200 }, (_, seq) => ({ seq, seat: 1, notes: [] }))"
    assert tab.evaluate(f"sinceMine({told}).length") == 200
    hidden = """() => [...document.querySelectorAll("button, a, summary, select, [tabindex='0']")].filter((each) => {
      if (!each.checkVisibility() || each.closest("details:not([open]) > div")) return false;
      each.scrollIntoView({ block: "center" });
      const { left, top, width, height } = each.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return !each.contains(hit);
    }).map((each) => each.outerHTML)"""
    assert tab.evaluate(hidden) == []


@pytest.mark.ci
def test_a_press_is_not_lost_when_news_come_before_it_ends(opened):
    tab = sit(opened)
    for pressed, done in [
        (tab.locator(".board.mine .selectable .cards").first, "() => game.selection.begun"),
        (tab.locator("#do-it"), "() => game.observation.count > before"),
    ]:
        pressed.hover()
        tab.mouse.down()
        tab.evaluate(
            """() => {
              window.before = game.observation.count;
              game.parts.table.last.drawn.forEach((each) => { each.fresh = true; });
              refresh();
            }"""
        )
        tab.wait_for_timeout(300)
        tab.mouse.up()
        tab.wait_for_function(done)


@pytest.mark.ci
def test_a_double_click_opens_one_table_and_takes_one_seat(opened):
    tab = opened()
    tab.locator("#player-1").select_option("link")
    tab.locator("#player-2").select_option("link")
    tab.locator("#do-open").dblclick()
    tab.locator("#do-join").wait_for()
    tab.wait_for_timeout(300)
    assert tab.evaluate("Object.keys(saved.matches).length") == 1
    tab.locator("#join-name").fill("Ren")
    tab.locator("#do-join").dblclick()
    tab.locator(".players", has_text="Ren").wait_for()
    tab.wait_for_timeout(300)
    assert tab.evaluate("seatsHere(game.match)") == [0, 1]


BACK = """() => {
  const back = performance.now();
  window.asked_after_ms = undefined;
  transport.fetch = (...asked) => { window.asked_after_ms ??= performance.now() - back; return real(...asked); };
}"""
"""Let the server answer again, and note when it is asked."""


@pytest.mark.ci
def test_that_the_server_is_back_is_told_soon(opened):
    tab = opened()
    tab.evaluate("() => { window.real = transport.fetch; }")
    silent = tab.locator(".trouble", has_text="The server does not answer.")
    for ready, ask in [(".lists .quiet", "listMatches()"), (".told", "refresh()")]:
        tab.locator(ready).first.wait_for()
        tab.evaluate(f"() => {{ transport.fetch = () => Promise.reject(new TypeError()); {ask}; }}")
        silent.wait_for()
        tab.evaluate(BACK)
        silent.wait_for(state="detached")
        assert tab.evaluate("asked_after_ms") < 5000  # it asks every second, and a machine may be slow
        if ask == "listMatches()":
            open_match(tab, "take_and_share", "here Aki", "bot random", "bot random")
    tab.evaluate("() => { transport.fetch = () => Promise.reject(new TypeError()); route(); }")
    silent.wait_for()
    tab.evaluate("() => { transport.fetch = real; }")
    tab.locator(".told").first.wait_for()


ACT_AND_SCROLL = f"""(far) => {{
  game.acted = game.observation.count;
  for (let tries = 0; tries < 9 && !document.querySelector("#do-it"); tries += 1) ({STEP})();
  document.querySelector("#do-it").click();
  scrollTo(0, far);
}}"""
"""Choose what is first and send it, and look elsewhere before anybody else acts."""
TURN_IS_SEEN = """() => {
  const lower = document.querySelector(".dock").getBoundingClientRect().top;
  const cards = [...document.querySelectorAll(".table .selectable > .cards")];
  const open = cards.map((card) => card.getBoundingClientRect());
  return game.observation.count > game.acted && open.some(({ top, bottom }) => top >= 0 && bottom <= lower);
}"""


def test_as_a_turn_begins_what_may_be_chosen_is_in_view_and_nothing_jumps_if_it_was(opened):
    tab = sit(opened, **TOUCH, reduced_motion="reduce")
    for far in (100_000, 9):
        tab.evaluate(ACT_AND_SCROLL, far)
        tab.wait_for_function(TURN_IS_SEEN, timeout=20_000)
    assert tab.evaluate("scrollY") == 9


def test_what_is_chosen_stands_whole_in_a_row_of_choices_that_scrolls(opened):
    assert opened(**TOUCH).evaluate(CHOSEN_IS_WHOLE)


CHOSEN_IS_WHOLE = """() => {
  const pressed = (at) => ({ class: "choice", "aria-pressed": String(at === 6) });
  const buttons = Array.from({ length: 9 }, (_, at) => el("button", pressed(at)));
  const choices = el("div", { class: "open-choices" }, buttons);
  Object.assign(choices.style, { height: "90px", overflow: "auto" });
  document.body.append(choices);
  keepInSight(choices, 0);
  const [outer, inner] = [choices, buttons[6]].map((each) => each.getBoundingClientRect());
  choices.remove();
  return inner.top >= outer.top && inner.bottom <= outer.bottom;
}"""
LEADERS_ARE_SHOWN = """() => {
  const dock = document.querySelector(".dock").getBoundingClientRect();
  return [...document.querySelectorAll(".players .score, .players .acting")].filter((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return left >= 0 && right <= innerWidth && top >= 0 && bottom <= dock.top;
  }).length;
}"""


@pytest.mark.parametrize("game", ["cake", pytest.param("gosne", marks=pytest.mark.long)])
def test_who_leads_and_whose_turn_it_is_stay_in_sight_wherever_one_looks(opened, game):
    tab, seats = sit(opened, game, bot="easy", **TOUCH, locale="ja-JP"), {"cake": 3, "gosne": 4}[game]
    for far in (0, 300, 100_000):
        tab.evaluate("(far) => scrollTo(0, far)", far)
        assert tab.evaluate(LEADERS_ARE_SHOWN) == seats + 1
    assert tab.locator(".players").bounding_box()["height"] < 48, "no higher than the button beside"


HAND_COVERED = """() => {
  document.querySelector(".mine .selectable > .cards").click();
  const { top } = document.querySelector(".dock").getBoundingClientRect();
  return [...document.querySelectorAll(".mine [data-part] > .cards")]
    .filter((card) => card.getBoundingClientRect().bottom > top + 1).length;
}"""
"""How many cards of the hand the dock covers once the first of two cards is chosen."""


def test_on_a_low_desktop_the_dock_does_not_grow_over_the_hand_one_chooses_from(opened):
    tab = sit(opened, "gosne", size={"width": 1280, "height": 650})
    assert tab.evaluate("game.selection.commands[0].tag") == "give"
    assert tab.evaluate(HAND_COVERED) == 0


def test_commands_to_choose_from_tell_the_words_they_have(opened):
    tab = sit(opened, "mabr", bot="easy", **TOUCH, locale="ja-JP")
    said = """(word) => commandText({ tag: "word", text: null, fields: { word }, names: ['["word"]'] })"""
    assert [word in tab.evaluate(said, word) for word in ("まあ", "あま")] == [True, True]


TAP_AND_TAP_AGAIN = """() => {
  const raised = [...document.querySelectorAll(".middle .selectable .card")];
  return raised.filter((card) => getComputedStyle(card).transform !== "none").length;
}"""
BROKEN = """(text) => {
  const line = document.querySelector(".dock .status"), widths = [];
  for (let width = 120; width < 340; width += 4) {
    const said = el("p", {}, say("strange", { text })), range = document.createRange();
    said.style.width = `${width}px`;
    line.replaceChildren(said);
    const at = said.firstChild.data.indexOf(text);
    range.setStart(said.firstChild, at);
    range.setEnd(said.firstChild, at + text.length);
    if (range.getClientRects().length > 1) widths.push(width);
  }
  return widths;
}"""
"""The widths in which a Japanese word of an English line is broken in two."""
HALF_COVERED = """() => {
  const numbered = (texts) => drawThing({
    faces: texts.map((text) => ({ text, tint: "blue", shape: "card" })), count: texts.length, marks: [], number: 2,
  });
  const cards = [["な"], ["K"], ["R", "G"]].map(numbered);
  document.querySelector(".middle .things").append(...cards);
  return cards.map((card) => [...card.querySelectorAll("text")].filter((each) => each.checkVisibility()).length);
}"""
"""How often what is printed can be seen: alone, not under the number; in a fan at the corners, too."""
NAME_UNDER_NUMBERS = """() => {
  const thing = document.querySelector(".middle .thing"), number = el("span", { class: "nth" }, "1");
  thing.firstChild.append(number);
  game.parts.table.dataset.dense = thing.dataset.order = 1;
  const name = thing.closest(".zone").querySelector(".zone-name").getBoundingClientRect().bottom;
  const order = thing.getBoundingClientRect().top + parseFloat(getComputedStyle(thing, "::after").top);
  return name - Math.min(order, number.getBoundingClientRect().top);
}"""
"""How many pixels of a zone's name lie under the number of a thing, or of its place in the order of taps."""


@pytest.mark.ci
def test_a_finger_that_has_tapped_raises_nothing_and_words_and_numbered_cards_are_whole(opened):
    tab = sit(opened, "mabr", bot="easy", **TOUCH)
    stack = tab.locator("main:not(.arriving) .middle .selectable .cards").nth(3)
    stack.tap()
    tab.locator(".picked").wait_for()
    tab.evaluate("clearSelection()")
    tab.locator(".picked").wait_for(state="detached")
    assert tab.evaluate(TAP_AND_TAP_AGAIN) == 0
    assert tab.evaluate(HALF_COVERED) == [1, 1, 6]
    assert tab.evaluate(NAME_UNDER_NUMBERS) <= 1
    assert tab.evaluate(BROKEN, "ぱいなっぷる") == []


WORDS = """() => {
  const [ren, ...mine] = [["place", "1", 4], ["place", 1]].map((part) => JSON.stringify(part));
  const of = (seat, part) => ({ seat, zones: [{ things: [{ part, number: 4, faces: [{ text: "D" }], count: 1 }] }] });
  game.observation.scene.places = [of(0, ["place", 1]), of(1, ["place", "1", 4])];
  return [...mine, ren].map(partName);
}"""


@pytest.mark.ci
@pytest.mark.parametrize(
    ("locale", "button", "parts"),
    [
        ("en-GB", "Draw by an abbreviation: DNP", ["4: D", "Bot 2’s 4: D"]),
        ("ja-JP", "略称でカードを引く：DNP", ["4：D", "ボット2の4：D"]),
    ],
)
def test_a_button_says_what_it_does_as_its_language_writes(opened, locale, button, parts):
    tab = sit(opened, "mabr", bot="easy", locale=locale)
    for letter in "DNP":
        tab.locator(f""".middle [data-part='["stack","{letter}"]'] .cards""").click()
    assert tab.locator("#do-it").inner_text() == button
    assert tab.evaluate(WORDS) == parts
