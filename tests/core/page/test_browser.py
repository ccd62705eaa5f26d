"""The page as a person has it before him: in Debian's chromium, with a mouse, a keyboard, a phone, a screen reader."""

from functools import cache
from pathlib import Path

import pytest
from kifu import load
from kifu.core.game import TABLE, Seat
from kifu.core.log import Finding
from kifu.core.page import page
from kifu.core.page.remarks import Remark

from ..web.browsing import DESKTOP, PHONE
from ..web.conftest import opening
from .conftest import GAMES, HOSTILE, played


@pytest.fixture
def shown(browser, tmp_path: Path):
    """Open a page of a match; in the end nothing must have gone wrong in it, and nothing been asked of a network."""
    file = tmp_path / "page.html"
    with opening(browser, "file:", ()) as show:

        def written(whole: str, address: str = "", size: dict = DESKTOP, **more):
            file.write_text(whole, encoding="utf-8")
            return show(f"{file.as_uri()}{address}", size, **more)

        yield written


HIDDEN = "(isHidden) => { document.body.hidden = isHidden; }"
"""While nothing is laid out, no size of the cards is looked for, which takes most of the time."""
AS_OPENED = """(address) => {
  history.replaceState(null, "", address);
  Object.assign(shown, { at: Math.min(1, STEPS), viewer: 0, lang: 0, furigana: true });
  look(fromAddress());
  document.body.hidden = false;
  update();
  scrollTo(0, 0);
}"""


@pytest.fixture(scope="module")
def seen(browser, tmp_path_factory: pytest.TempPathFactory):
    """Show a match of a game as if its page were opened: all tests of it share a tab."""
    with opening(browser, "file:", ()) as show:

        @cache
        def tab_of(name: str):
            file = tmp_path_factory.mktemp(name) / "page.html"
            file.write_text(page(played_once(name)), encoding="utf-8")
            return show(file.as_uri())

        def look(address: str, name: str = "take_and_share", size: dict = DESKTOP):
            tab = tab_of(name)
            tab.evaluate(HIDDEN, True)
            tab.set_viewport_size(size)
            tab.evaluate(AS_OPENED, address)
            return tab

        yield look


played_once = cache(played)


@pytest.fixture(scope="module")
def match():
    return played_once("take_and_share")


@pytest.fixture(scope="module")
def whole(match) -> str:
    return page(match)


def where(tab) -> str:
    return tab.locator(".count").inner_text()


def wait_for(tab, place: str) -> None:
    tab.locator(".count", has_text=place).wait_for()


def zone(tab, place: str, name: str) -> list[str]:
    """What a screen reader hears of a zone: its things by their names."""
    things = tab.get_by_label(place, exact=True).get_by_role("list", name=name, exact=True).get_by_role("listitem")
    return [each.get_attribute("aria-label") for each in things.all()]


PRESSED = """(times) => Array.from({ length: times }, () => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  return document.querySelector(".count").textContent;
})"""
"""Press the key to go on so many times, and tell where that led each time."""


@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_stepped_through_to_its_end(seen, name):
    match, tab = played_once(name), seen("#step=-1&lang=en", name)
    assert where(tab) == "Before the first step"
    tab.keyboard.press("ArrowRight")
    tab.evaluate(HIDDEN, True)
    passed = [f"step {step} of {len(match.events) - 1}" for step in range(1, len(match.events))]
    assert tab.evaluate(PRESSED, len(passed)) == passed
    tab.evaluate(HIDDEN, False)
    tab.keyboard.press("End")
    assert where(tab) == f"step {len(match.events) - 1} of {len(match.events) - 1}"
    tab.keyboard.press("ArrowRight")
    assert where(tab) == f"step {len(match.events) - 1} of {len(match.events) - 1}"
    points = tab.locator(".players strong").all_inner_texts()
    assert points == [str(each) for each in match.result.points]


def test_the_cards_on_the_page_are_the_cards_of_the_view(seen, match):
    tab = seen("#step=12&as=1&lang=en")
    state = match.at(12).state
    faces = [match.game.face(card).text for card in state.hands[1]]
    assert zone(tab, "Ren", "hand") == faces
    assert zone(tab, "Aki", "hand") == [f"{len(state.hands[0])} face down"]
    laid = [f"{match.game.face(card).text}, {name}" for card, name in zip(state.trick, ["Sou", "Aki"], strict=True)]
    assert zone(tab, "The middle of the table", "trick") == laid
    tab.get_by_label("Seen by").select_option("the table: all cards open")
    assert zone(tab, "Aki", "hand") == [match.game.face(card).text for card in state.hands[0]]


def test_the_keys_move_as_the_buttons_tell(seen):
    tab = seen("#step=12&lang=en&as=table")
    for key, step in (
        *(("ArrowLeft", 11), ("Shift+ArrowRight", 16), ("Shift+ArrowLeft", 11)),
        *(("End", 70), ("ArrowLeft", 69), ("ArrowRight", 70)),
    ):
        tab.keyboard.press(key)
        assert where(tab) == f"step {step} of 70", key
    tab.keyboard.press("Home")
    assert where(tab) == "Before the first step"
    assert tab.get_by_label("One step back").get_attribute("title") == "One step back ←"


def test_a_link_leads_to_its_step_seat_and_language(shown, whole):
    tab = shown(whole, "#step=30&as=2&lang=ja")
    assert where(tab) == "30手目\uff08全70手\uff09"
    assert tab.get_by_label("視点").input_value() == "3"
    tab.keyboard.press("ArrowRight")
    tab.wait_for_url("**#step=31&as=2&lang=ja")
    tab.evaluate("location.hash = '#step=5'")
    wait_for(tab, "5手目\uff08全70手\uff09")
    assert tab.locator("html").get_attribute("lang") == "ja"


def test_an_address_that_leads_nowhere_does_no_harm(shown, seen, whole):
    assert where(shown(whole, "#step=<img src=x onerror=alert(1)>&as=__proto__"))
    for address in ("#step=99999", "#step=1e9&as=9", "#%"):
        assert where(seen(address))


def test_the_slider_the_buttons_and_the_list_of_steps_move_too(seen):
    tab = seen("#step=0&lang=en")
    tab.get_by_label("Step", exact=True).fill("20")
    assert where(tab) == "step 19 of 70"
    tab.get_by_label("One step forward").click()
    assert where(tab) == "step 20 of 70"
    tab.get_by_role("link", name="step 3 of 70").click()
    assert where(tab) == "step 3 of 70"
    assert tab.locator("[aria-current=step]").count() == 1
    assert tab.get_by_label("Step", exact=True).get_attribute("aria-valuetext") == "step 3 of 70"


def test_a_rule_is_shown_on_demand(seen, match):
    tab = seen("#step=1&lang=en")
    sentence = tab.locator(".step[aria-current] .sentence").first
    assert not sentence.is_visible()
    tab.locator(".step[aria-current]").get_by_role("button", name="rule TS-2").click()
    assert sentence.inner_text() == match.game.rule("TS-2").sentence


def test_notes_are_announced_as_they_come(seen, match):
    tab = seen("#step=0&lang=en&as=table")
    tab.keyboard.press("ArrowRight")
    live = tab.locator("[aria-live=polite]")
    card = match.game.face(match.events[1].command.card).text
    assert live.inner_text().startswith(f"Aki leads {card}.")


def test_japanese_has_its_kana_over_difficult_words(seen):
    tab = seen("#step=1&lang=ja", "cake")
    ruby = tab.locator(".step[aria-current] ruby").first
    assert ruby.locator("rt").inner_text() == "あにじゃ"
    tab.get_by_label("ふりがな").uncheck()
    assert tab.locator("ruby").count() == 0
    assert "兄者" in tab.locator(".step[aria-current]").inner_text()


def test_the_language_is_that_of_the_browser(shown, match, whole):
    assert shown(whole, locale="ja-JP").locator("html").get_attribute("lang") == "ja"
    assert shown(whole, locale="fr-FR").locator("html").get_attribute("lang") == "en"
    assert shown(page(match, lang="ja"), locale="en-US").locator("html").get_attribute("lang") == "ja"


def test_light_and_dark_follow_the_system(shown, whole):
    background = "getComputedStyle(document.documentElement).backgroundColor"
    light, dark = (shown(whole, color_scheme=scheme) for scheme in ("light", "dark"))
    assert light.evaluate(background) != dark.evaluate(background)


WIDTH_AT = """(step) => {
  go(step + 1);
  const right = (node) => node.getBoundingClientRect().right;
  const isOut = (fan) => right(fan) > right(fan.closest(".place")) + 1;
  const width = document.documentElement.scrollWidth;
  fitTable(parts.table, 9999, false); // as in a window so high that the width alone says how large cards are
  return [width, [...document.querySelectorAll(".table .bundle > .cards")].filter(isOut).length];
}"""


def test_marks_of_a_seat_stay_in_its_place_on_a_narrow_phone(shown):
    log = Path(__file__).parents[3] / "fixtures" / "gosne" / "whistleblower_four_hands.log"
    tab = shown(page(load(log)), "#lang=ja&as=1", size={"width": 360, "height": 740})
    for step in range(30, 60, 4):
        assert tab.evaluate(WIDTH_AT, step) == [360, False], step


CARDS_AT = """(step) => {
  go(step);
  const cards = [...document.querySelectorAll(".board .card")].map((card) => card.getBoundingClientRect().width);
  const lower = document.querySelector(".controls").offsetTop;
  return [Math.min(...cards) >= 48, parts.table.getBoundingClientRect().bottom < lower];
}"""
"""After a step: whether the least card of a seat is large, and whether the table ends above the controls."""


def test_cards_are_as_large_as_the_window_allows_also_where_all_hands_are_open(seen):
    tab = seen("#lang=en&as=table")
    for step in range(1, 70, 9):
        assert tab.evaluate(CARDS_AT, step) == [True, True], step


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("names", [["markup", "escapes", "without end"], ["script", "zero width", "many marks"]])
def test_a_strangers_name_stays_text_and_breaks_nothing(shown, names, size):
    match = played("take_and_share", *(HOSTILE[name] for name in (*names, "right to left")), most=20)
    tab = shown(page(match), "#step=16&lang=en&as=table", size)
    assert tab.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert tab.locator("img, iframe, object, script").count() == 0, "the page replaces even what it was written in"
    assert tab.title().startswith("Take & Share: ")
    boxes = [board.bounding_box() for board in tab.locator(".board").all()]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= size["width"] for box in boxes)
    assert len(boxes) == 4


def test_the_score_sheet_has_a_row_for_each_round(seen):
    tab = seen("#lang=en", "cake")
    assert tab.locator("tbody th").all_inner_texts() == [
        f"Round\u00a0{number}" for number in range(1, 5)
    ]  # the last is the result


def test_the_score_sheet_has_the_rows_that_the_game_names(seen, match):
    tab = seen("#lang=en")
    assert tab.locator("tbody th").all_inner_texts() == [f"Sum\u00a0of\u00a0{suit}" for suit in "♠♥♦♣★☾"]
    scored = [dict(note.values) for note in match.steps[-1].notes if note.key == "scored-suit"]
    cells = [tuple(map(int, row.locator("td").all_inner_texts())) for row in tab.locator(".sheet tbody tr").all()]
    assert cells == [each["sums"] for each in scored]
    assert tab.locator(".sheet tbody strong").count() == sum(len(each["seats"]) for each in scored)


def test_a_page_for_one_seat_offers_no_other(shown, match):
    tab = shown(page(match, [2]), "#lang=en&as=table&step=12")
    assert tab.get_by_label("Seen by").locator("option").all_inner_texts() == ["Mio"]
    assert "only what was seen from here" in tab.get_by_role("complementary").inner_text()


def test_a_bad_log_shows_what_is_wrong_with_it(shown, match):
    tab = shown(page(match, [TABLE], [Finding("chain", "it is broken", 3)]), "#lang=en")
    assert tab.locator(".finding").inner_text() == "✗ event 3: the chain is broken: it is broken"


def test_the_last_words_say_who_looked_again(shown):
    match = played("mabr", most=3)
    match.take_back(1)
    match.abandon()
    tab = shown(page(match), "#lang=en")
    assert tab.locator(".finding").all_inner_texts() == [
        "The match was abandoned here.",
        "By a takeback Aki saw once more what may be looked at only once.",
    ]


REMARKS = [
    Remark(seq, Seat(seat), seq == 3, seq == 3, [[f"said of {seq}"], [f"{seq}について"]])
    for seq, seat in [(1, 0), (3, 2)]
]


def test_an_analysis_is_shown_at_its_step_and_leads_to_its_turning_points(shown, seen, match) -> None:
    """All of it with all cards open; by a seat's eyes what is said of its own decisions; nothing without one."""
    assert seen("#step=1&as=table&lang=en").locator(".analysis, .remark, .swing").count() == 0
    steps = [event.seat for event in match.events[:4]]
    assert (steps[1], steps[3]) == (0, 2)
    tab = shown(page(match, remarks=REMARKS), "#step=1&as=table&lang=en")
    assert tab.locator(".now .remark").text_content() == "said of 1"
    assert tab.locator(".steps .swing").count() == 1
    assert tab.locator(".analysis li .remark").all_text_contents() == ["said of 3"]
    tab.locator(".analysis li a").click()
    assert tab.locator(".now .remark").text_content() == "◆said of 3"
    tab.locator("#choose-language").select_option("1")
    assert tab.locator(".now .remark").text_content() == "◆3について"
    tab.locator("#choose-seen-by").select_option(label="Aki")
    assert tab.locator(".now .remark").count() == 0
    assert tab.locator(".steps .swing").count() == 0
    tab.goto(tab.url.partition("#")[0] + "#step=1&as=0&lang=en")
    assert tab.locator(".now .remark").text_content() == "said of 1"


FAULTS = f"""([first, by]) => {{
  const controls = document.querySelector(".controls").getBoundingClientRect(), faults = [];
  const isBeside = controls.height > innerHeight / 2;
  for (let at = first; at <= STEPS; at += by) {{
    go(at);
    const told = VIEWER().notes[at - 1].flatMap((note) => match.notes[note][1 + shown.lang]);
    const seats = [match.acted[at - 1], ...told].filter((each) => typeof each === "number" && each >= 0);
    const place = seats.length ? document.querySelector(`.place.seat-${{seats[0]}}`) : null;
    const last = place?.querySelector(".zones > :last-child") ?? place;
    const [upper, lower] = [place?.getBoundingClientRect().top, last?.getBoundingClientRect().bottom];
    if (place && (upper < -1 || lower > (isBeside ? innerHeight : controls.top) + 1)) faults.push([at, "unseen"]);
    const [width, fans] = (at - first) % (5 * by) ? [0, 0] : ({WIDTH_AT})(at - 1);
    if (width > innerWidth) faults.push([at, `${{width}} pixels wide`]);
    if (fans) faults.push([at, "a fan of cards leaves its place"]);
  }}
  return faults;
}}"""
"""The steps at which the seat that is named first is out of sight; some of them, where anything sticks out."""
LOOKS = [("ja", 1280, 800), ("ja", 360, 740), ("en", 740, 360)]
MORE = [("en", 1280, 800), ("en", 360, 740), ("ja", 740, 360)]


@pytest.mark.parametrize("looks", [LOOKS, pytest.param(LOOKS + MORE, marks=pytest.mark.long)], ids=["some", "all"])
@pytest.mark.parametrize("name", GAMES)
def test_whoever_a_step_is_about_is_seen_above_the_controls_and_nothing_sticks_out(seen, name, looks):
    """Some twenty steps of a match, others at each size, or all."""
    by = 1 + len(played_once(name).events) // 20 if looks is LOOKS else 1
    for at, (lang, width, height) in enumerate(looks):
        tab = seen(f"#lang={lang}&as=table", name, {"width": width, "height": height})
        assert tab.evaluate(FAULTS, [2 + at % by, by]) == [], (width, height, lang)
