"""Actions of a person at the page."""

from time import monotonic

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
TIMEOUT_MS = 120_000
"""How long to wait for something on the page, on the slowest machine."""
PLAYED_S = 300
"""How long a match may take there."""

STEP = """() => {
  const bar = document.querySelector(".bar");
  const curtain = document.querySelector(".curtain:not([hidden]) .primary");
  if (curtain) return curtain.click(), "came";
  if (!bar) return "loading";
  if (bar.querySelector(".end")) return "over";
  const first = (...wanted) => wanted.map((each) => document.querySelector(each)).find(Boolean);
  const next = first("#do-it", ".listed button", "#do-hand-over",
    ".selectable[data-part^='[\\"pile']:not(.replaces) .cards",
    ".choice[aria-pressed=false]:not(.replaces)", ".selectable:not(.picked):not(.replaces) .cards");
  if (!next) return "waiting";
  next.click();
  return "acted";
}"""
"""The script of one action, the first that is possible: a pile, a button, then a card, so that games end."""


BOTS_WAIT = """(milliseconds) => {
  const asked = request;
  request = (path, { body, ...more } = {}) =>
    asked(path, { ...more, body: path === "matches" && body ? { ...body, bot_delay_ms: milliseconds } : body });
}"""
"""Open matches from now on with bots that wait so long before they act, not a second."""


def open_match(tab, game: str, *players: str, bot_delay_ms: int = 0) -> str:
    """Open a match with these players, `here NAME`, `link` or `bot random`; return its address."""
    tab.locator(f'input[name=game][value="{game}"]').check(force=True)
    if tab.locator(f'input[name=seats][value="{len(players)}"]').count():
        tab.locator(f'input[name=seats][value="{len(players)}"]').check(force=True)
    for seat, player in enumerate(players):
        who, _, name = player.partition(" ")
        tab.locator(f"#player-{seat}").select_option(player if who == "bot" else who)
        if who == "here":
            tab.locator(f"#name-{seat}").fill(name)
    tab.evaluate("Object.assign(wanted.options, { first: 0, dealer: 0 })")  # else it is drawn who begins
    tab.evaluate(BOTS_WAIT, bot_delay_ms)
    tab.locator("#do-open").click()
    tab.locator("main.playing").wait_for()
    return tab.url


def join(tab, name: str) -> None:
    tab.locator("#join-name").fill(name)
    tab.locator("#do-join").click()


def lead(tab) -> None:
    """Play the first card of a match of take_and_share, as Aki."""
    tab.locator(".board.mine .selectable").first.wait_for()
    tab.evaluate(STEP)
    tab.evaluate(STEP)
    tab.locator(".step", has_text="Aki leads").wait_for()


LOOK_OR_STEP = f"""([elements, text, least]) => {{
  const found = [...document.querySelectorAll(elements)].filter((each) => each.textContent.includes(text));
  return found.length >= least ? "seen" : ({STEP})();
}}"""
"""Look and act in one step: between the two the page may go on, and the act would be another."""


COURSE = (
    "() => [game.observation.status, ...game.history.map(({ seat, tag, fields }) => `${seat} ${tag} ${fields.card}`)]"
)
"""How a match went, for whoever must know why something was not seen."""


def act_until(tab, elements: str, text: str = "", least: int = 1) -> None:
    """Act again and again until the page has these elements, a CSS selector, with this text."""
    until = monotonic() + PLAYED_S
    while (done := tab.evaluate(LOOK_OR_STEP, [elements, text, least])) != "seen":
        assert done != "over", f"{elements} has not appeared: {tab.evaluate(COURSE)}"
        assert monotonic() < until, f"{elements} has not appeared: {done}"
        tab.wait_for_timeout(15)


def play_out(*tabs) -> None:
    """Act in each tab until the match is over in all of them."""
    until = monotonic() + PLAYED_S
    while set(done := [tab.evaluate(STEP) for tab in tabs]) != {"over"}:
        assert monotonic() < until, f"the match has not ended: {done}"
        if "acted" not in done:
            tabs[0].wait_for_timeout(15)


def grave(tab) -> list:
    """Return what axe-core calls serious or critical on the page: the rule and the places."""
    from axe_playwright_python.sync_playwright import Axe  # of the extra `browser`, as a test says that calls this

    found = Axe().run(tab).response["violations"]
    return [
        (each["id"], [node["html"][:160] for node in each["nodes"]])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
