"""The page in a browser: two browsers at one match, and two players at one browser.

The server is `replay serve`. Skipped where Playwright or chromium is missing.
"""

import re
import subprocess
import sys

import pytest
from kifu import games

from .browsing import PHONE, STEP, act_until, join, lead, open_match, play_out, sit, sit_two

SHORTEST = "gosne"
"""Ends of the other games need no second look in every run: exported pages are stepped through to the ends of all."""


@pytest.mark.parametrize(
    "game", [pytest.param(each, marks=[pytest.mark.long] * (each != SHORTEST)) for each in games.names()]
)
def test_a_match_is_played_to_its_end_with_two_pages_open(opened, game):
    seats = games.find(game).seats[0]
    first = opened()
    link = open_match(first, game, "here Aki", *["link"] * (seats - 1))
    second = opened(link, PHONE, locale="ja-JP")
    for name in ["Ren", "Mio", "Sou"][: seats - 1]:
        join(second, name)
        second.locator(".players .name", has_text=name).wait_for()
    play_out(first, second)
    points = [tab.locator(".players strong").all_inner_texts() for tab in (first, second)]
    assert second.evaluate("document.documentElement.scrollWidth <= innerWidth"), "as wide as the phone"
    assert len(points[0]) == seats
    assert points[0] == points[1]
    assert first.locator(".players .winner-badge").count() >= 1
    with first.expect_download() as download:
        first.get_by_text("Download the log").click()
    assert download.value.suggested_filename == f"{first.evaluate('game.match')}.log"
    with first.context.expect_page() as stepper:
        first.locator("#step-through").click()
    stepper.value.locator(".steps .step").nth(1).wait_for()
    assert stepper.value.locator(".players .winner-badge").count() >= 1


def test_each_of_two_pages_shows_only_its_own_cards(opened):
    first, second = sit_two(opened)
    for tab, own, other in ((first, "Aki", "Ren"), (second, "Ren", "Aki")):
        hand = tab.get_by_label(own, exact=True).get_by_role("list", name="hand").get_by_role("listitem")
        hand.first.wait_for()
        assert hand.count() == 15
        hidden = tab.get_by_label(other, exact=True).get_by_role("list", name="hand").get_by_role("listitem")
        assert hidden.count() == 1
        assert hidden.get_attribute("aria-label") in ("15 face down", "14 face down")


def test_two_players_at_one_screen_see_only_their_own_cards(opened):
    tab = opened()
    open_match(tab, "take_and_share", "here Aki", "here Ren", "here Mio")
    curtain = tab.locator(".curtain")
    curtain.get_by_text("I am Aki").wait_for()
    assert tab.locator(".table").is_hidden()
    assert tab.locator(".thing [data-face], [data-face]").count() == 0
    tab.locator("#come-0").click()
    tab.locator(".board.mine .selectable").first.wait_for()
    mine = tab.locator(".board.mine [data-face]").all_inner_texts()
    assert len(mine) == 15
    tab.evaluate(STEP)
    tab.evaluate(STEP)
    tab.locator("#do-hand-over").click()
    curtain.get_by_text("I am Ren").wait_for()
    assert tab.locator(".table").is_hidden()
    tab.reload()
    curtain.get_by_text("I am Ren").wait_for()
    assert tab.locator("[data-face]").count() == 0
    act_until(tab, ".step", least=10)


def test_nothing_of_one_seat_is_shown_to_another_that_sits_down_at_once(opened):
    tab = opened()
    open_match(tab, "take_and_share", "here Aki", "here Ren", "bot random")
    tab.locator("#come-0").wait_for()
    tab.evaluate(
        "async () => { for (const seat of [0, 1, 0, 1]) { comeToScreen(seat); handOver(); } comeToScreen(1); }"
    )
    tab.locator(".board.mine [data-face]").first.wait_for()
    tab.evaluate("handOver()")
    tab.locator("#come-0").click()
    lead(tab)
    numbers = tab.locator(".step .number").all_inner_texts()
    assert len(set(numbers)) == len(numbers)


HELD_BACK = """() => {
  const asked = request, { match } = game;
  request = (path, more) => path === `matches/${match}`
    ? new Promise((resolve) => { globalThis.answer = () => asked(path).then(resolve); }) : asked(path, more);
  receiveObservation({ ...game.observation, status: "abandoned" });
}"""
"""Holds back what the server says of the match that the page asks for once it is over."""


def test_what_is_said_late_of_one_table_is_not_shown_at_another(opened):
    tab, other = opened(), opened()
    open_match(tab, "cake", "here Aki", "link", "link")
    link = open_match(other, "take_and_share", "here Mio", "link", "link")
    tab.wait_for_function("() => game?.observation")
    tab.evaluate(HELD_BACK)
    tab.evaluate("link => { location.hash = new URL(link).hash; }", link)
    tab.wait_for_function("() => game?.about?.game === 'take_and_share' && game.observation")
    tab.evaluate("() => answer()")
    assert tab.evaluate("game.about.game") == "take_and_share"


SECOND_IS_LATE = """() => {
  const { fetch } = transport;
  let asked = 0;
  transport.fetch = (path, init) =>
    path.endsWith("/observation") && (asked += 1) > 1 ? new Promise(() => {}) : fetch(path, init);
  game.parts.players.replaceChildren();
  refresh();
  refresh();
}"""
"""Ask twice what the table looks like; the second answer never comes."""


def test_an_answer_is_drawn_whole_though_the_next_one_is_awaited(opened):
    tab = opened()
    open_match(tab, "cake", "here Aki", "link", "link")
    tab.locator(".players li").nth(2).wait_for()
    tab.wait_for_function("() => game.observation && !game.loading")
    tab.evaluate(SECOND_IS_LATE)
    tab.locator(".players li").nth(2).wait_for(timeout=10_000)


def test_a_turn_that_comes_before_the_last_receipt_is_not_lost(opened):
    tab = sit(opened, "cake")
    tab.evaluate("""() => {
      const real = fetch;
      window.fetch = async (address, options) => {
        const count = game?.observation?.count;
        const response = await real(address, options);
        if (!address.endsWith("/commands") || !response.ok) return response;
        const wait = (done) => setTimeout(done, 10);
        for (let tries = 0; tries < 300 && game.observation.count === count; tries += 1) await new Promise(wait);
        return response;
      };
    }""")
    act_until(tab, ".step", least=17)


def test_until_the_table_is_shown_anew_the_bar_says_that_the_move_is_recorded(opened):
    tab = sit(opened)
    tab.route("**/observation", lambda route: None)  # it waits
    tab.evaluate(STEP)
    tab.evaluate(STEP)
    tab.locator(".status", has_text="Your move is recorded.").wait_for()
    tab.unroute("**/observation")  # now it goes on
    tab.locator(".status", has_text="Your move is recorded.").wait_for(state="detached")


def test_what_was_done_once_keeps_nothing_else_on_the_page_from_being_done(opened):
    act = "once('{}', async () => {})".format
    done = ", ".join(f"await {act(*each)}" for each in ("a1", "b2", "b3"))
    assert opened().evaluate(f"async () => [{done}]") == [1, 2, None]


def test_the_form_to_join_fits_and_a_rejection_is_shown(opened):
    first = opened()
    link = open_match(first, "take_and_share", "here Aki", "link", "bot random")
    assert first.locator("#join-name").input_value() == ""
    assert first.locator("#do-join").inner_text() == "Join too"
    second = opened(link)
    join(second, "Ren")
    lead(first)
    for accept in (False, True):
        first.locator("#more").click()
        first.locator("#do-take-back").click()
        second.locator("#do-accept" if accept else "#do-reject").click()
        if not accept:
            first.get_by_text("Your proposal was rejected.").wait_for()
            second.locator("#do-accept").wait_for(state="hidden")  # the next proposal has another number
    first.locator(".by", has_text="proposed by Aki").wait_for()
    assert first.evaluate("game.observation.undoes_to") is None, "what was undone is not undone again"
    first.locator("#more").click()
    assert first.locator("#do-take-back").count() == 0
    spectator = opened(link)
    spectator.get_by_text("You are a spectator.").wait_for()


def test_two_tabs_of_a_browser_do_not_lose_each_others_keys(opened):
    tab = opened()
    other = tab.context.new_page()
    other.goto(tab.url)
    links = [open_match(each, "cake", "here Aki", "bot random", "bot random") for each in (tab, other)]
    tab.locator("#choose-language").select_option("日本語")
    for link in links:
        again = tab.context.new_page()
        again.goto(link)
        again.locator(".board.mine").wait_for()


def test_a_link_with_a_key_saves_it_and_the_key_leaves_the_address(opened, browser):
    tab = opened()
    link = open_match(tab, "take_and_share", "here Aki", "here Ren", "bot random")
    key = tab.evaluate("keyOf(game.match, 1)")
    other = opened(f"{link}&key={key}")
    other.locator(".board.mine", has_text="Ren").wait_for()
    assert other.url == link
    other.reload()
    other.locator(".board.mine", has_text="Ren").wait_for()
    other.goto(other.url.partition("#")[0])
    other.locator(".matches a", has_text="Take & Share").wait_for()
    stranger = browser.new_context(locale="en-GB").new_page()  # where an error message is expected
    stranger.goto(f"{link}&key={key[::-1]}")
    stranger.get_by_text("This key does not belong to a seat of this match.").wait_for()
    assert stranger.url == link
    stranger.context.close()


def test_a_match_is_played_by_keyboard_alone(opened):
    tab = sit(opened)
    tab.keyboard.press("ArrowRight")
    focused = tab.evaluate("document.activeElement.getAttribute('aria-label')")
    tab.keyboard.press("Space")
    assert tab.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    assert focused in tab.locator("#do-it").inner_text()
    tab.keyboard.press("Escape")
    assert tab.locator("#do-it").count() == 0
    tab.keyboard.press("Space")
    tab.keyboard.press("Enter")
    tab.locator(".step", has_text="Aki leads").wait_for()


def test_a_typed_word_is_declared_before_the_table_judge(opened):
    tab = opened()
    tab.locator("label:has(#game-mabr)").click()
    tab.locator("details.more summary").click()
    tab.locator("#option-judge").select_option("the other seats")  # not the value's own name
    open_match(tab, "mabr", "here Aki", "link")
    other = opened(tab.url)
    join(other, "Ren")
    tab.locator("#type-word").fill("あいう")
    tab.get_by_text("What has a dashed edge can be chosen too").wait_for()
    assert tab.locator(".possible[data-part]").count() > 0
    for place in range(3):
        tab.get_by_role("list", name="fixed cards").get_by_role("button").nth(place).click()
    assert tab.locator("#do-it").inner_text() == "Declare a word: “あいう” (あ い う)"
    tab.locator("#do-it").click()
    trouble = tab.locator(".trouble")
    trouble.wait_for()
    assert "MABR-2" in trouble.inner_text(), "in the first round every seat draws"


def test_a_map_is_typed_and_a_seat_chosen_in_the_form_and_seats_count_from_one(opened):
    tab = opened(size=PHONE)
    tab.locator("label:has(#game-gosne)").click()
    tab.locator("details.more summary").click()
    dealers = ["drawn by lot", *(f"seat {number}" for number in range(1, 5))]
    assert tab.locator("#option-dealer option").all_inner_texts() == dealers
    tab.locator("#option-dealer").select_option("seat 3")
    tab.locator("#option-chestnuts").fill("0:2,0:7")
    tab.locator("#player-1").select_option("link")
    assert tab.locator("#option-dealer").input_value() == "2", "the choice stays"
    tab.locator("#do-open").click()
    tab.locator("#open-trouble", has_text="chestnuts").wait_for()
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tab.locator("#option-chestnuts").fill("14:5,0:2")
    tab.locator("#do-open").click()
    tab.locator("main.playing").wait_for()
    assert tab.evaluate("game.about.options.chestnuts") == [[0, 2], [14, 5]]
    assert tab.evaluate("game.about.options.dealer") == 2


def test_strangers_names_are_text_and_no_markup(opened):
    tab = sit(opened, "cake", name="<img src=x onerror=alert(1)>")
    assert tab.locator(".players .name").first.inner_text().startswith("<img src=x")
    assert tab.locator("img").count() == 0


def test_the_lobby_lists_a_public_table_and_a_stranger_may_watch(opened):
    first = opened()
    first.locator("details.more summary").click()
    first.locator("#tick-public").check()
    open_match(first, "palace", "here Zoe", "bot random", "bot random")
    second = opened()
    second.locator(".matches a", has_text="Zoe").first.click()
    second.locator(".board").first.wait_for()
    assert second.locator(".mine").count() == 0
    assert second.locator(".selectable").count() == 0


def test_the_language_is_saved(opened):
    tab = opened()
    tab.locator("#choose-language").select_option("日本語")
    tab.locator("#do-open", has_text="卓を立てる").wait_for()
    tab.reload()
    tab.locator("#do-open", has_text="卓を立てる").wait_for()
    assert tab.evaluate("document.documentElement.lang") == "ja"


def test_nothing_is_wider_than_a_small_phone(opened):
    tab = opened(size={"width": 320, "height": 640})
    tab.locator("#do-open").wait_for()
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for game in games.names():
        seats = games.find(game).seats[-1]
        open_match(tab, game, "here Aki", *["bot random"] * (seats - 1))
        tab.locator("main:not(.arriving) .board").first.wait_for()
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), game
        tab.evaluate("location.hash = ''")
        tab.locator("#do-open").wait_for()


LEFT_AS_IT_SCROLLS = """async () => {
  const latest = document.querySelector(".latest");
  location.hash = "";
  await new Promise((done) => setTimeout(done));
  latest.dispatchEvent(new Event("scroll"));
}"""


def test_a_table_that_is_left_while_it_scrolls_is_no_error(opened):
    tab = sit(opened, "cake", size=PHONE)
    tab.evaluate(LEFT_AS_IT_SCROLLS)
    tab.locator("#do-open").wait_for()


SPY = """const own = fetch;
window.streams = [];
window.fetch = (path, init) => {
    if (!path.includes("/events")) return own(path, init);
    const cut = new AbortController();
    streams.push({ cut, since: Number(path.split("since=")[1]) });
    init.signal.addEventListener("abort", () => cut.abort());
    return own(path, { ...init, signal: cut.signal });
};"""


def test_a_lost_connection_is_made_again_and_no_event_is_missed(opened):
    tab = opened(script=SPY)
    open_match(tab, "take_and_share", "here Aki", "bot random", "bot random")
    tab.locator(".board.mine .selectable").first.wait_for()
    tab.wait_for_function("() => game.history.length > 0")  # which comes by the stream, the table does not
    tab.evaluate("streams[0].cut.abort()")
    tab.wait_for_function("() => streams.length === 2 && streams[1].since > 0")
    act_until(tab, ".step", "Aki leads")
    numbers = [int(each) for each in tab.locator(".step .number").all_inner_texts()]
    assert numbers == list(range(len(numbers)))


OFFLINE = """() => { // again and again: what was under way may still arrive, as this cuts no stream
    dispatchEvent(new Event("offline"));
    return document.querySelector(".bar").textContent.includes("Connection lost");
}"""


@pytest.mark.parametrize("refusals", [("ERR_INTERNET_DISCONNECTED", "422", "401")], ids=[""])
def test_two_browsers_at_a_table_see_each_others_moves_and_one_that_was_offline_comes_back(opened):
    one, other = sit_two(opened)
    lead(one)
    other.locator(".step", has_text="Aki leads").wait_for()
    seen = other.locator(".step").count()
    act_until(other, ".step", least=seen + 1)  # Ren follows suit, or has none of it
    one.wait_for_function(f"() => game.history.length > {seen}")
    one.wait_for_function("() => game.observation.to_act.some((seat) => seat < 2)")  # no bot sends news any more
    one.context.set_offline(True)
    one.wait_for_function(OFFLINE)
    act_until(other, ".step", "", other.locator(".step").count())
    one.context.set_offline(False)
    one.wait_for_function(f"() => game.history.length === {other.evaluate('game.history.length')} && !game.lost")
    numbers = [int(each) for each in one.locator(".step .number").all_inner_texts()]
    assert numbers == list(range(len(numbers)))


HIDE = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_page_that_nobody_sees_holds_no_stream_and_catches_up_when_it_is_seen(opened):
    """Over HTTP/1.1 six tabs would else hold all connections of a browser to a server."""
    tab = opened(script=SPY)
    link = open_match(tab, "take_and_share", "here Aki", "link", "link")
    tab.wait_for_function("() => streams.length === 1")
    tab.evaluate(HIDE, True)
    tab.wait_for_function("() => streams[0].cut.signal.aborted")
    other = opened(link)
    join(other, "Ren")
    assert tab.evaluate("streams.length") == 1
    tab.evaluate(HIDE, False)
    tab.locator(".players", has_text="Ren").wait_for()
    assert tab.evaluate("streams.length") == 2


@pytest.mark.long
@pytest.mark.parametrize(("locale", "name"), [("en-GB", "Bot 2 (easy)"), ("ja-JP", "ボット2（やさしい）")])
def test_a_bot_tells_its_level(opened, locale, name):
    """In the list of bots, beside its name at the table, in the lobby, and in the record."""
    tab = opened(locale=locale)
    tab.locator("#player-1").wait_for()
    offered = tab.locator("#player-1 option").all_text_contents()
    called, level = re.fullmatch(r"(.+?) ?[(（](.+)[)）]", name).groups()
    assert [level in text for text in offered] == [False, False, True, False], "levels first, then the other bots"
    tab.locator(".more summary").click()
    tab.locator("#tick-public").check()
    open_match(tab, "take_and_share", "here Aki", "bot easy", "bot random")
    bot = tab.locator(".players li").nth(1)
    assert (bot.locator(".name").text_content(), bot.locator("small").text_content()) == (called, level)
    assert "(" not in tab.evaluate("commandText({ text: game.about.seats[1].name })").replace("（", "(")
    match = tab.url.rpartition("=")[2]
    about = tab.evaluate(f"fetch('/api/matches/{match}').then((response) => response.json())")
    assert [(seat["name"], seat["bot"]) for seat in about["seats"]] == [
        ("Aki", None),
        (name, "easy"),
        ("random", "random"),
    ]
    lobby = opened(locale=locale)
    assert f"{called} {level}" in lobby.locator(f".matches a[href='#match={match}']").text_content()


@pytest.mark.long
def test_whoever_steps_through_a_match_that_was_analysed_has_its_turning_points(opened, address, tmp_path):
    tab = opened()
    link = open_match(tab, "gosne", "here Aki", *["bot random"] * 3)
    play_out(tab)
    tab.set_viewport_size({"width": 1280, "height": 420})
    tab.locator("#do-analyse").click()
    tab.locator(".analysing progress[max]").wait_for()
    tab.locator(".analysing", has_text="ready").wait_for()
    assert tab.locator("#do-analyse").count() == 0
    with tab.context.expect_page() as shown:
        tab.locator("#step-through").click()
    shown.value.locator(".analysis h2", has_text="Turning points").wait_for()
    assert shown.value.locator(".analysis li").count() == min(shown.value.locator(".step .swing").count(), 6)
    watcher = opened(link, PHONE, locale="ja-JP")
    watcher.locator(".analysing", has_text="分かれ目").wait_for()
    assert watcher.locator("#do-analyse").count() == 0
    assert watcher.evaluate("document.documentElement.scrollWidth <= innerWidth")
    match = link.partition("match=")[2]
    log, own = tmp_path / "match.log", tmp_path / "match.analysis"
    log.write_bytes(tab.request.get(f"{address}api/matches/{match}/log").body())
    subprocess.run(
        [sys.executable, "-m", "kifu.replay", "show", log, "--analyse", "--analysis", own],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    assert tab.request.get(f"{address}api/matches/{match}/analysis/file").body() == own.read_bytes()
