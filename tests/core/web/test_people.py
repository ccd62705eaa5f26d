"""What people meet at the page: refusals, the panel of the rules, the same table again, being removed from it."""

import pytest

from .browsing import DESKTOP, PHONE, act_until, grave, join, lead, open_match, sit, sit_two


def abandon(tab) -> None:
    tab.locator(".bar .menu > summary").click()
    tab.locator("#do-abandon").click()
    tab.locator("#do-abandon-yes").click()


def test_one_tap_begins_a_match_against_bots_above_the_fold(opened):
    tab = opened(size=PHONE)
    tab.locator("#play-gosne").wait_for()
    for game in ("cake", "gosne", "mabr", "palace", "take_and_share"):
        box = tab.locator(f"#play-{game}").bounding_box()
        assert box["y"] + box["height"] <= PHONE["height"]
        assert box["height"] >= 44
    tab.locator("#play-gosne").click()
    tab.locator(".board.mine .card").first.wait_for()
    assert tab.evaluate("game.about.seats.map(({ bot }) => bot !== null)") == [False, True, True, True]
    assert tab.evaluate("game.about.options.hands") == 4  # as the publisher sells it


def test_ones_tables_say_who_plays_and_whose_turn_it_is(opened):
    tab = opened()
    open_match(tab, "cake", "here Aki", "bot easy", "bot random")
    act_until(tab, ".board.mine .selectable, .choice")
    tab.goto(tab.url.partition("#")[0])
    row = tab.locator(".matches .own")
    row.locator(".your-turn").wait_for()
    assert tab.locator("main").inner_text().startswith("Your tables")
    assert "Aki" in row.inner_text()
    assert tab.title().startswith("(1) ")
    tab.locator("#choose-language").select_option(label="日本語")
    row.locator(".name", has_text="ボット2").wait_for()
    assert "easy" not in row.inner_text(), "a bot has its name in the reader's language"


MANY_ROWS = """() => document.querySelector(".sheet tbody")
  .append(...Array.from({ length: 60 }, () => el("tr", {}, el("td", {}, "-"))))"""
RESULT_IS_SHOWN = """() => {
  const sheet = document.querySelector(".sheet"), foot = sheet.querySelector("tfoot").getBoundingClientRect();
  return sheet.scrollHeight > sheet.clientHeight && foot.bottom <= sheet.getBoundingClientRect().bottom + 1;
}"""


def test_the_end_has_its_reasons_and_a_score_sheet_and_covers_nothing(opened):
    tab = sit(opened, "cake", size=PHONE)
    act_until(tab, ".bar .end")  # which lays the table out at each step
    tab.locator(".sheet tfoot").wait_for()
    points = [int(each) for each in tab.locator(".sheet tfoot strong").all_inner_texts()]
    assert points == tab.evaluate("game.observation.result.points")
    told = tab.evaluate("game.history.at(-1).notes.map(({ text }) => text.filter((each) => each.length).join(''))")
    assert tab.locator(".why .note").count() == len(told) > 0, "why it ended so"
    tops = [tab.locator(each).bounding_box()["y"] for each in (".end .status", ".sheet", ".why", ".table")]
    assert tops == sorted(tops), "the result, its sheet, why it is so"
    tab.evaluate("Object.assign(game.observation.result, { points: [1, 1, 1], winners: [1] }), drawBar()")
    assert tab.locator(".end .tags", has_text="wins.").count() == 1, "what broke a tie is told with who has won"
    tab.evaluate(MANY_ROWS)
    assert tab.evaluate(RESULT_IS_SHOWN), "the result stands at the lower edge of a long sheet"
    assert tab.evaluate("scrollY") == 0
    assert tab.evaluate("getComputedStyle(document.querySelector('.dock')).position") == "static"
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


WIDE = """() => {
  const box = (each) => document.querySelector(each).getBoundingClientRect();
  const [bar, commit, turn] = [".bar", "#do-it", ".turn-row"].map(box);
  const lefts = [...document.querySelectorAll(".board:not(.mine)")].map((each) => each.getBoundingClientRect().left);
  const beside = commit.left >= turn.right && commit.top <= turn.bottom;
  return {
    "the button beside whose turn it is": beside && commit.bottom <= bar.bottom,
    "points beside each name": document.querySelectorAll(".players li:has(.score)").length === game.about.seats.length,
    "counts in one line": [...document.querySelectorAll(".middle .counted")].every((each) => each.clientHeight < 40),
    "left, across and right": lefts[0] < lefts[1] && lefts[1] < lefts[2],
  };
}"""


def test_a_wide_screen_has_seats_around_the_table_and_the_button_beside_whose_turn_it_is(opened):
    tab = sit(opened, "gosne", bot="easy")
    act_until(tab, "#do-it")
    assert [name for name, holds in tab.evaluate(WIDE).items() if not holds] == []


def test_who_has_joined_by_enter_may_leave_before_the_match_begins(opened):
    first = opened()
    link = open_match(first, "cake", "here Aki", "link", "link")
    second = opened(link)
    second.locator(".what-is-it .fan").wait_for()
    assert "brothers divide a cake" in second.locator(".what-is-it").inner_text()
    second.locator("#join-name").fill("Ren")
    second.locator("#join-name").press("Enter")
    second.locator("#do-leave-seat").click()
    second.locator(".notice", has_text="You have left").wait_for()
    first.wait_for_function("() => game.about.seats.filter(({ name }) => name === null).length === 2")


def test_a_match_is_not_abandoned_at_one_tap(opened):
    tab = sit(opened)
    tab.locator(".bar .menu > summary").click()
    assert tab.locator(".bar .menu > div").bounding_box()["x"] >= 0, "the menu lies within the screen"
    tab.locator("#do-abandon").click()
    tab.locator("#do-abandon-yes").wait_for()
    tab.locator(".turn-row .status").click()
    assert not tab.locator("#do-abandon-yes").is_visible()
    assert tab.evaluate("game.observation.status") == "going"
    abandon(tab)
    tab.locator(".end").wait_for()
    assert tab.evaluate("game.observation.status") == "abandoned"


REDRAWN = """() => {
  const { fetch } = transport;
  transport.fetch = async (path, init) => {
    const response = await fetch(path, init);
    if (path.endsWith("/commands")) {
      game.parts.table.replaceChildren();
      game.parts.table.last = undefined;
      drawGame();
    }
    return response;
  };
}"""
"""Let the table be drawn anew before each answer to a command."""


def test_a_card_that_may_not_be_played_says_why_and_leads_to_the_rule(opened):
    tab = sit(opened)
    act_until(tab, ".board.mine:has(.selectable) .refused")  # not while the cards are shared out
    count = tab.evaluate("game.observation.count")
    tab.evaluate(REDRAWN)
    tab.locator(".board.mine .refused .cards").first.click()
    tab.locator(".refusal", has_text="follow").wait_for()
    assert tab.evaluate("game.observation.count") == count
    tab.locator(".refusal .link-button", has_text="TS-3").click()
    tab.locator(".rules-panel .sought", has_text="must play that suit").wait_for()
    tab.keyboard.press("Escape")
    assert tab.locator(".rules-panel").count() == 0
    tab.locator(".middle .refused .cards").first.click()
    tab.locator(".refusal", has_text="Not now. What you can do: play a card.").wait_for()


FORBIDDEN = """() => {
  const node = document.querySelector(".board.mine .selectable");
  node.dataset.part = JSON.stringify(["card", game.history.at(-1).fields.card]);
  return explainRefusal(node);
}"""
"""Try the card that was led, as if it were one of one's own."""


def test_who_signs_commands_is_told_why_not_too(opened):
    host, guest = sit_two(opened)
    lead(host)
    guest.locator(".board.mine .selectable").first.wait_for()
    assert guest.evaluate("signsHere(game)")
    guest.evaluate(FORBIDDEN)
    assert guest.locator(".refusal .link-button").count() == 1


def test_the_rules_open_beside_the_table_at_the_rule_of_a_note(opened):
    tab = sit(opened, "cake", size=PHONE, locale="ja-JP")
    tab.locator(".settings summary").click()
    tab.locator("#show-rules").click()
    tab.locator(".rules-panel h2", has_text="マリーのケーキ").wait_for()
    assert tab.locator(".rules-panel figure .place").count() >= 8
    assert "elder_votes" in tab.locator(".rules-panel code").all_inner_texts()
    assert "`" not in tab.locator(".rules-panel").inner_text()
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tab.locator("#close-rules").click()
    assert tab.evaluate("document.activeElement.id") == "show-rules"
    tab.locator(".steps .rule", has_text="CAKE-1").first.click()
    tab.locator(".steps .sentence .link-button").first.click()
    tab.locator(".rules-panel .sought", has_text="余りは誰も見ずに").wait_for()


def test_who_wants_to_play_again_asks_all_and_one_click_joins(opened):
    first, second = sit_two(opened, size=PHONE)
    link = first.url
    abandon(first)
    second.locator("#do-accept").click()
    second.locator(".end").wait_for()
    first.locator("#do-again").click()
    first.wait_for_function("link => location.href !== link && game?.about?.status === 'going'", arg=link)
    second.locator(".proposal", has_text="Aki would like to play again").wait_for()
    second.locator("#do-join-again").click()
    second.wait_for_url(first.url)
    second.locator(".board.mine", has_text="Ren").wait_for()
    second.wait_for_function("() => game.about?.seats.map(({ bot }) => bot).join() === ',,random'")


def test_who_begins_is_drawn_unless_it_is_chosen(opened):
    tab = opened()
    tab.locator("#learn").wait_for()
    chosen = """(first) => {
      wanted.options.first = first ?? undefined;
      const options = [{ name: "first", kind: "seat", default: 0 }];
      return Array.from({ length: 60 }, () => chosenOptions({ options }).first);
    }"""
    assert set(tab.evaluate(chosen, 2)) == {2}
    for gone in (None, 5):
        assert set(tab.evaluate(chosen, gone)) == {0, 1, 2}, "drawn, as there is no such seat"


TOLD = {
    "en": "You were removed from this table by whoever opened it.",
    "ja": "卓を立てた人が、あなたを席から外しました。",
}
OPENED = "() => request('matches', { body: { game: 'take_and_share', seats: [{ name: 'Aki' }, {}, {}] } })"
REMOVED = "({ match, opener_key: key }) => request(`matches/${match}/seats/1`, { key, method: 'DELETE' })"


@pytest.mark.parametrize(
    ("lang", "look"),
    [("en", {"size": DESKTOP, "locale": "en-GB"}), ("ja", {"size": PHONE, "locale": "ja-JP", "has_touch": True})],
    ids=["keyboard", "touch"],
)
def test_a_player_who_is_removed_is_told_so_and_may_join_again(opened, lang, look):
    tab = opened()
    table = tab.evaluate(OPENED)
    other = opened(f"{tab.url}#match={table['match']}", **look)
    join(other, "Ren")
    other.locator("#do-leave-seat").wait_for()
    tab.evaluate(REMOVED, table)
    other.get_by_text(TOLD[lang]).wait_for()
    assert grave(other) == []
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert other.evaluate("seatsHere(game.match)") == []
    join(other, "Ren")
    other.get_by_text(TOLD[lang]).wait_for(state="detached")


def test_one_who_was_away_is_told_so_when_he_comes_back(opened):
    tab = opened()
    table = tab.evaluate(OPENED)
    link = f"{tab.url}#match={table['match']}"
    other = opened(link)
    join(other, "Ren")
    other.locator(".players", has_text="you").wait_for()
    other.goto("about:blank")
    tab.evaluate(REMOVED, table)
    other.goto(link)
    other.get_by_text(TOLD["en"]).wait_for()
