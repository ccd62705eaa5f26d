"""Forks on the page in a browser."""

from .browsing import PHONE, lead, open_match, play_out, sit, sit_two


def numbers(tab) -> list[int]:
    return [int(each) for each in tab.locator(".step .number").all_inner_texts()]


def begin_fork(tab, at: int) -> None:
    """Begin a fork and choose an event."""
    tab.locator("#do-fork").click()
    tab.locator("#fork-at").fill(str(at))
    tab.locator("#fork-text", has_text=f"event {at} in").wait_for()


def gone_on(tab, link: str) -> str:
    """Wait until the tab shows another match than `link`; return its address."""
    tab.wait_for_function("link => location.href !== link && game?.match === location.hash.slice(7)", arg=link)
    return tab.url


def test_a_match_that_is_over_is_played_on_from_an_earlier_event(opened):
    tab, other = sit_two(opened, size=PHONE)
    link = tab.url
    play_out(tab, other)
    count = tab.evaluate("game.observation.count")
    tab.locator(f'.step[data-seq="{count - 1}"]').wait_for()  # what happened comes by itself, and may be later
    last = numbers(tab)[-1]
    tab.locator("#do-fork").click()
    assert tab.locator("#fork-at").input_value() == str(last), "just before its end"
    tab.locator("#do-cancel").click()
    begin_fork(tab, 7)
    tab.locator(".place.middle .facts", has_text="2 of 15").wait_for()
    assert tab.locator(".board.mine [aria-label=hand] .thing").count() in (13, 14), "as it lay then"
    tab.locator("#fork-back").click()
    tab.locator("#fork-at").focus()
    tab.keyboard.press("ArrowRight")
    assert tab.locator("#fork-at").input_value() == "7"
    tab.locator("#do-fork-here").click()
    fork = gone_on(tab, link)
    tab.locator(".board.mine").wait_for()
    other.evaluate("pollForFork()")  # it polls by itself, every few seconds
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")
    other.locator("#do-go-there").click()
    assert gone_on(other, link) == fork
    other.locator(".board.mine").wait_for()
    tab.goto(link)
    tab.locator(".bar .end").wait_for()
    assert tab.locator("#do-go-there").count() == 0, "it has been there"
    spectator = opened(link)
    spectator.locator(".end").wait_for()
    assert spectator.locator("#do-fork").count() == 0, "it has no seat"
    spectator.locator("#do-go-there").click()
    spectator.get_by_text("You are a spectator.").wait_for()
    assert spectator.url == fork


def test_a_match_that_goes_on_is_forked_once_the_others_accept(opened):
    tab, other = sit_two(opened)
    link = tab.url
    lead(tab)
    tab.locator("#more").click()
    begin_fork(tab, 1)
    assert tab.locator("#do-fork-here").inner_text() == "Propose it to the others"
    tab.locator("#do-fork-here").click()
    other.get_by_text("proposes to play on from event 1 in a new match").wait_for()
    other.locator("#more").click()
    assert other.locator("#do-abandon, #do-take-back, #do-fork").count() == 0, "one proposal at a time"
    tab.locator("#do-withdraw").click()
    tab.locator("#do-withdraw").wait_for(state="hidden")
    other.locator("#do-accept").wait_for(state="hidden")
    tab.locator("#more").click()
    begin_fork(tab, 1)
    tab.locator("#do-fork-here").click()
    other.locator("#do-accept").click()
    fork = gone_on(other, link)
    tab.locator("#do-go-there").click()
    assert gone_on(tab, link) == fork
    tab.locator(".board.mine .selectable").first.wait_for()
    tab.locator(".step .number").first.wait_for()
    assert numbers(tab) == [0]


def test_escape_ends_the_choice_and_a_player_among_bots_needs_no_consent(opened):
    tab = sit(opened, "cake", locale="ja-JP")
    link = tab.url
    tab.locator("#more").click()
    tab.locator("#do-fork").click()
    tab.locator("#fork-at").wait_for()
    tab.keyboard.press("Escape")
    tab.locator("#fork-at").wait_for(state="hidden")
    tab.locator("#more").click()
    tab.locator("#do-fork").click()
    assert tab.locator("#do-fork-here").inner_text() == "ここから続ける"
    tab.locator("#do-fork-here").click()
    gone_on(tab, link)
    tab.locator(".board.mine").wait_for()


def test_two_players_at_one_screen_accept_one_after_the_other(opened):
    tab = opened()
    link = open_match(tab, "cake", "here Aki", "here Ren", "bot random")
    tab.locator("#come-0").click()
    tab.locator(".board.mine", has_text="Aki").wait_for()
    tab.locator("#more").click()
    tab.locator("#do-fork").click()
    tab.locator("#do-fork-here").click()
    tab.locator(".proposal #do-hand-over").click()
    tab.locator("#come-1").click()
    tab.locator("#do-accept").click()
    gone_on(tab, link)
    tab.locator("#come-0, #come-1").first.click()
    tab.locator(".board.mine").wait_for()
    assert tab.evaluate("seatsHere(game.match)") == [0, 1]
