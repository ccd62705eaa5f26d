"""A server that refuses for now, or gives no answer: the page says so, asks again when it is told to, and goes on."""

import pytest

from .browsing import STEP, act_until, sit

pytestmark = pytest.mark.parametrize("refusals", [("422", "401", "429", "502", "503")])


TOLD = ".bar .trouble"
WAIT_S = 3
"""A shorter wait the page does not tell."""


class Refusing:
    """Answers a tab's requests to some addresses with a refusal until it lets them go, and keeps what was sent."""

    def __init__(self, tab, where: str, status: int = 429, wait_s: int | None = WAIT_S):
        self.tab, self.where = tab, where
        self.status, self.headers = status, {} if wait_s is None else {"Retry-After": str(wait_s)}
        self.sent: list[str | None] = []
        tab.clock.install()
        tab.route(where, self.answer)

    def answer(self, route) -> None:
        self.sent.append(route.request.post_data)
        route.fulfill(status=self.status, headers=self.headers, body='{"detail": "Wait a little."}')

    def is_told(self, where: str = TOLD, text: str = "Wait a little.") -> None:
        self.tab.locator(where, has_text=text).wait_for()

    def let_go(self) -> None:
        """Answer no more, and let the time pass after which it is asked again."""
        self.tab.route(self.where, self.pass_on)
        self.tab.clock.fast_forward(1000 * WAIT_S)

    def pass_on(self, route) -> None:
        self.sent.append(route.request.post_data)
        route.continue_()


@pytest.mark.parametrize(("status", "wait_s"), [(429, WAIT_S), (503, WAIT_S), (502, None)])
def test_what_one_sees_is_asked_for_again_though_nothing_more_happens(opened, status, wait_s):
    tab = sit(opened)
    table = Refusing(tab, "**/observation", status, wait_s)
    tab.evaluate(STEP)
    tab.evaluate(STEP)
    table.is_told()
    tab.wait_for_function("() => game.observation.count < game.history.length")  # the bots have acted
    table.let_go()
    tab.wait_for_function("() => game.observation.count === game.history.length", timeout=20_000)
    assert tab.locator(TOLD).count() == 0


@pytest.mark.parametrize("arrives", [False, True])
def test_a_command_is_sent_again_as_it_was_and_counts_once(opened, arrives):
    tab = sit(opened)
    commands = Refusing(tab, "**/commands")
    if arrives:
        tab.route("**/commands", lambda route: (route.fetch(), commands.answer(route)))
    tab.evaluate(STEP)
    tab.evaluate(STEP)
    commands.is_told()
    tab.evaluate("document.querySelector('#do-it')?.click()")
    commands.let_go()
    tab.wait_for_function("() => game.observation.count > 3 && !game.sending", timeout=20_000)
    tab.locator(TOLD).wait_for(state="detached")
    assert len(commands.sent) > 1
    assert len(set(commands.sent)) == 1
    assert tab.evaluate("game.history.filter(({ seat }) => seat === 0).length") == 1


def test_a_table_is_not_gone_because_it_is_asked_for_too_often(opened):
    tab = sit(opened)
    for where, come in ((tab.url, ".board.mine .selectable"), (tab.url.partition("#")[0], ".own-tables .your-turn")):
        about = Refusing(tab, "**/api/matches/*")
        tab.goto(where)
        tab.reload()
        about.is_told(".trouble")
        assert tab.locator(".matches .own button").count() == 0, "nothing to forget"
        about.let_go()
        tab.locator(come).first.wait_for(timeout=20_000)


def test_a_limit_that_takes_a_minute_is_told_at_once(opened):
    tab = opened()
    limit = Refusing(tab, "**/api/matches", wait_s=60)
    tab.locator("#do-open").click()
    limit.is_told("#open-trouble")


def test_an_end_has_its_sheet_and_its_analysis_though_they_come_late(opened):
    tab = sit(opened, "gosne")
    late = [Refusing(tab, where) for where in ("**/scores", "**/analysis")]
    act_until(tab, ".bar .end")
    late[0].is_told()
    for each in late:
        each.let_go()
    tab.locator(".sheet table").wait_for(timeout=20_000)
    tab.locator("#do-analyse").wait_for(timeout=20_000)
    assert tab.locator(TOLD).count() == 0


def test_a_stream_is_asked_for_again_when_the_server_says_so(opened):
    tab = sit(opened)
    stream = Refusing(tab, "**/events*")
    tab.reload()
    stream.is_told(text="Connection lost")
    tab.evaluate("update(game, { asking: 'No answer.' })")
    assert tab.locator(TOLD).count() == 1, "that it is lost says enough"
    tab.evaluate("update(game, { asking: null })")
    tab.clock.fast_forward(1000)
    tab.evaluate("fetch('health/live').then(() => null)")
    assert len(stream.sent) == 1, "not before its time"
    stream.let_go()
    tab.locator(TOLD).wait_for(state="detached", timeout=20_000)
