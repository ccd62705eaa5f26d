"""Actions of a person at the page."""

import pytest

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
TOUCH = {"has_touch": True, "is_mobile": True, "size": {"width": 360, "height": 740}}
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


OPEN = """([game, players]) => {
  const at = (id) => document.getElementById(id);
  const put = (id, value, event) => {
    const field = at(id);
    if (field.value === value) return;
    field.value = value;
    if (field.value !== value) throw new Error(`${id} cannot be ${value}`);
    field.dispatchEvent(new Event(event));
  };
  at(`game-${game}`).click();
  at(`seats-${players.length}`)?.click();
  for (const [seat, player] of players.entries()) {
    const isHere = player.startsWith("here ");
    put(`player-${seat}`, isHere ? "here" : player, "change");
    if (isHere) put(`name-${seat}`, player.slice(5), "input");
  }
  Object.assign(wanted.options, { first: 0, dealer: 0, hands: 1 });
  at("do-open").click();
}"""
"""Fill in the form and send it. Else it is drawn by lot who begins, and gosne has four hands."""


def open_match(tab, game: str, *players: str, bot_delay_ms: int = 0) -> str:
    """Open a match with these players, `here NAME`, `link` or `bot random`; return its address."""
    tab.locator("#do-open").wait_for()
    tab.evaluate(BOTS_WAIT, bot_delay_ms)
    tab.evaluate(OPEN, [game, players])
    tab.locator("main.playing").wait_for()
    return tab.url


def sit(opened, game: str = "take_and_share", *, bot: str = "random", name: str = "Aki", opens=open_match, **look):
    """Open the page, and a table of one against bots; wait for one's first turn, and return the tab."""
    tab = opened(**look)
    opens(tab, game, f"here {name}", *[f"bot {bot}"] * {"mabr": 1, "gosne": 3}.get(game, 2))
    tab.locator("main:not(.arriving) .turn-row").wait_for()
    return tab


def join(tab, name: str) -> None:
    tab.locator("#join-name").fill(name)
    tab.locator("#do-join").click()


def sit_two(opened, game: str = "take_and_share", *, opens=open_match, **look) -> tuple:
    """Open a table of Aki, Ren and a bot; return the tabs of both, the second with this look."""
    first = opened()
    second = opened(opens(first, game, "here Aki", "link", "bot random"), **look)
    join(second, "Ren")
    return first, second


def lead(tab) -> None:
    """Play the first card of a match of take_and_share, as Aki."""
    tab.locator(".board.mine .selectable").first.wait_for()
    tab.evaluate(STEP)
    tab.evaluate(STEP)
    tab.locator(".step", has_text="Aki leads").wait_for()


ACTING = f"""async ([elements, text, least, milliseconds]) => {{
  const until = performance.now() + milliseconds;
  while (true) {{
    const found = [...document.querySelectorAll(elements)].filter((each) => each.textContent.includes(text));
    if (found.length >= least) return "seen";
    const done = ({STEP})();
    if (done === "over" || performance.now() > until) return done;
    await new Promise((next) => setTimeout(next, done === "acted" ? 0 : 10));
  }}
}}"""
"""Look, and act in the same step: between two the page may go on, and the act would be another."""


COURSE = (
    "() => [game.observation.status, ...game.history.map(({ seat, tag, fields }) => `${seat} ${tag} ${fields.card}`)]"
)
"""How a match went, for whoever must know why something was not seen."""


def act_until(tab, elements: str, text: str = "", least: int = 1) -> None:
    """Act again and again until the page has these elements, a CSS selector, with this text."""
    done = tab.evaluate(ACTING, [elements, text, least, 1000 * PLAYED_S])
    assert done == "seen", f"{elements} has not appeared: {done}: {tab.evaluate(COURSE)}"


PLAYING = f"""(milliseconds) => {{
  document.body.hidden = true;
  window.playedOut = ({ACTING})([".bar .end", "", 1, milliseconds]).then((done) => {{
    document.body.hidden = false;
    dispatchEvent(new Event("resize"));
    window.playedOut = done;
  }});
}}"""
"""Until the end nothing is laid out: to find how large the cards can be takes most of the time of a match."""


def play_out(*tabs) -> None:
    """Act in all tabs until the match is over in each of them."""
    for tab in tabs:
        tab.evaluate(PLAYING, 1000 * PLAYED_S)
    for tab in tabs:
        tab.wait_for_function("() => typeof window.playedOut === 'string'", timeout=1000 * PLAYED_S)
        assert tab.evaluate("window.playedOut") == "seen", "the match has not ended"


def grave(tab) -> list:
    """Return what axe-core calls serious or critical on the page: the rule and the places."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs kifu[dev]")
    tab.evaluate("document.body.style.opacity = ''")  # colours are judged by what is seen of them
    found = axe.Axe().run(tab).response["violations"]
    return [
        (each["id"], [node["html"][:160] for node in each["nodes"]])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
