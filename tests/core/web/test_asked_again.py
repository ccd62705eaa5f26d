"""A server that refuses for now, or gives no answer: the page says so, asks again when it is told to, and goes on."""

import pytest

from .browsing import STEP, act_until, sit

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("playwright", reason="needs kifu[dev]")

pytestmark = pytest.mark.parametrize("refusals", [("422", "401", "429", "502", "503")])


class Refusing:
    """Answers a tab's requests to some addresses with a refusal until `goes_on`, and keeps what was sent."""

    def __init__(self, tab, where: str, status: int = 429, wait_s: str | None = "3"):
        self.status, self.headers, self.goes_on = status, {"Retry-After": wait_s} if wait_s else {}, False
        self.sent: list[str | None] = []
        tab.route(where, self.answer)

    def answer(self, route) -> None:
        self.sent.append(route.request.post_data)
        if self.goes_on:
            route.continue_()
        else:
            route.fulfill(status=self.status, headers=self.headers, body='{"detail": "Wait a little."}')


@pytest.mark.parametrize(("status", "wait_s"), [(429, "3"), (503, "3"), (502, None)])
def test_what_one_sees_is_asked_for_again_though_nothing_more_happens(opened, status, wait_s):
    tab = sit(opened)
    table = Refusing(tab, "**/observation", status, wait_s)
    tab.evaluate(STEP)
    tab.evaluate(STEP)
    tab.locator(".bar .trouble", has_text="Wait a little.").wait_for()
    tab.wait_for_function("() => game.observation.count < game.history.length")  # the bots have acted
    table.goes_on = True
    tab.wait_for_function("() => game.observation.count === game.history.length", timeout=20_000)
    assert tab.locator(".bar .trouble").count() == 0


@pytest.mark.parametrize("arrives", [False, True])
def test_a_command_is_sent_again_as_it_was_and_counts_once(opened, arrives):
    tab = sit(opened)
    commands = Refusing(tab, "**/commands")
    if arrives:
        tab.unroute("**/commands")
        tab.route("**/commands", lambda route: (route.fetch(), commands.answer(route)))
    tab.evaluate(STEP)
    tab.evaluate(STEP)
    tab.locator(".bar .trouble", has_text="Wait a little.").wait_for()
    tab.evaluate("document.querySelector('#do-it')?.click()")
    commands.goes_on = True
    tab.wait_for_function("() => game.observation.count > 3 && !game.sending", timeout=20_000)
    tab.locator(".bar .trouble").wait_for(state="detached")
    assert len(commands.sent) > 1
    assert len(set(commands.sent)) == 1
    assert tab.evaluate("game.history.filter(({ seat }) => seat === 0).length") == 1


@pytest.mark.parametrize(("parts", "come"), [(1, ".own-tables .your-turn"), (3, ".board.mine .selectable")])
def test_a_table_is_not_gone_because_it_is_asked_for_too_often(opened, parts, come):
    tab = sit(opened)
    about = Refusing(tab, "**/api/matches/*")
    tab.goto("".join(tab.url.partition("#")[:parts]))
    tab.reload()
    tab.locator(".trouble", has_text="Wait a little.").wait_for()
    assert tab.locator(".matches .own button").count() == 0, "nothing to forget"
    about.goes_on = True
    tab.locator(come).first.wait_for(timeout=20_000)


def test_a_limit_that_takes_a_minute_is_told_at_once(opened):
    tab = opened()
    Refusing(tab, "**/api/matches", wait_s="60")
    tab.locator("#do-open").click()
    tab.locator("#open-trouble", has_text="Wait a little.").wait_for()


def test_an_end_has_its_sheet_and_its_analysis_though_they_come_late(opened):
    tab = sit(opened)
    late = [Refusing(tab, where) for where in ("**/scores", "**/analysis")]
    act_until(tab, ".bar .end")
    tab.locator(".bar .trouble", has_text="Wait a little.").wait_for()
    for each in late:
        each.goes_on = True
    tab.locator(".sheet table").wait_for(timeout=20_000)
    tab.locator("#do-analyse").wait_for(timeout=20_000)
    assert tab.locator(".bar .trouble").count() == 0


def test_a_stream_is_asked_for_again_when_the_server_says_so(opened):
    tab = sit(opened)
    stream = Refusing(tab, "**/events*")
    tab.reload()
    tab.locator(".bar .trouble", has_text="Connection lost").wait_for()
    tab.evaluate("update(game, { asking: 'No answer.' })")
    assert tab.locator(".bar .trouble").count() == 1, "that it is lost says enough"
    tab.evaluate("update(game, { asking: null })")
    tab.wait_for_timeout(1000)
    assert len(stream.sent) == 1, "not before its time"
    stream.goes_on = True
    tab.locator(".bar .trouble").wait_for(state="detached", timeout=20_000)
