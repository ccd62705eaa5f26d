"""The law of the page: what you decide about is in sight or repeated in the dock, in every game and at every size."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from kifu import games
from kifu.core.game.shuffle import Shuffler
from kifu.core.host import Host
from kifu.core.match.random_play import draw_command
from kifu.core.stores import MemoryStore

from .browsing import TOUCH, act_until, sit
from .conftest import Entropy, opening
from .served import Served

BY_TOUCH = ((360, 740), (740, 360), (390, 844))
BY_MOUSE = ((640, 400), (1280, 800), (1920, 1080))
"""Phones upright and sideways; a desktop at 200 % zoom, a small one and a large one."""
DEVICES = {BY_TOUCH: {**TOUCH, "locale": "ja-JP"}, BY_MOUSE: {}}
LOOKS = 9
"""How many decisions of a match are looked at, at each size."""
CHOSEN = (0, 1, 9)
"""How many things are chosen as a decision is looked at: of each kind of decision the first times in this order."""
EVERY = 4
"""Of later ones some are looked at: a game is seen from its beginning to where it is crowded."""
SHORTEST = "gosne"
"""The game that is played to its end."""

UNSEEN = r"""() => {
  const faults = [], dock = document.querySelector(".dock");
  const inset = ({ left, top, right, bottom }) => [[left, top], [right, top], [left, bottom], [right, bottom]]
    .map(([x, y]) => [x + (x === left ? 4 : -4), y + (y === top ? 4 : -4)]);
  const inside = (x, y) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  const at = (x, y, around) => (inside(x, y) && document.elementFromPoint(x, y)?.closest(around)) || null;
  const seen = (node) => inset(node.getBoundingClientRect()).every(([x, y]) => at(x, y, ".table, .refusal"));
  const repeated = (kind, name) => [...dock.querySelectorAll(`[data-${kind}]`)].some((each) => {
    const { top, bottom } = each.getBoundingClientRect();
    return each.dataset[kind] === name && each.checkVisibility() && top >= 0 && bottom <= innerHeight;
  });
  const tell = (what, name) => faults.push(`${what}: ${name}`);
  const named = new Set(game.observation.legal.flatMap(({ parts }) => parts.map((part) => JSON.stringify(part))));
  for (const thing of document.querySelectorAll(".table [data-part]")) {
    const part = thing.dataset.part, cards = thing.querySelector(".cards");
    if (named.has(part) && !seen(cards) && !repeated("repeats", part)) tell("a command names", part);
    if (thing.classList.contains("picked") && !seen(cards) && !repeated("repeats", part)) tell("chosen", part);
  }
  const since = game.history.slice(Math.max(0, game.history.findLastIndex(({ seat }) => seat === game.viewer) + 1));
  const pieces = since.flatMap(({ notes }) => notes.flatMap(({ text }) => text));
  const told = pieces.filter((each) => typeof each === "number" && each >= 0);
  for (const seat of new Set([...named].map((part) => JSON.parse(part)).filter(([kind]) => kind === "seat")
    .map(([, seat]) => seat).concat(told))) {
    const place = document.querySelector(`.place.seat-${seat}`);
    const all = [place.querySelector(".who"), ...place.querySelectorAll(".thing > .cards")];
    if (!all.every(seen) && !repeated("seat", String(seat))) tell("told of", seatLabel(seat));
  }
  for (const thing of document.querySelectorAll(".table .new")) {
    const [, seat = "middle"] = /seat-(\d)/.exec(thing.closest(".place").className) ?? [];
    if (!seen(thing.querySelector(".cards")) && !repeated("seat", seat)) tell("new", thing.getAttribute("aria-label"));
  }
  const latest = dock.querySelector(".latest .told:last-child");
  const line = latest?.getBoundingClientRect();
  if (latest && !at(line.left + 20, line.top + 12, ".latest")) tell("the latest note", latest.textContent);
  for (const each of dock.querySelectorAll("#do-it, #do-clear, .turn-row .status")) {
    const whole = inset(each.getBoundingClientRect()).every(([x, y]) => each.contains(at(x, y, "*")));
    if (!whole) tell("cut", each.id || "status");
  }
  for (const each of dock.querySelectorAll(".choice, .typing input")) {
    const box = each.getBoundingClientRect();
    each.scrollIntoView({ block: "nearest" });
    const now = each.getBoundingClientRect(), [x, y] = [now.left + now.width / 2, now.top + now.height / 2];
    if (!each.contains(at(x, y, "*"))) tell("a choice", each.textContent);
    if (box.width > innerWidth) tell("wide", each.textContent);
  }
  if (document.documentElement.scrollWidth > innerWidth) tell("wide", document.documentElement.scrollWidth);
  return faults;
}"""
"""What one decides about and cannot see."""
UNANSWERED = """() => {
  if (!game.observation || game.sending || game.loading) return [];
  const { places } = game.observation.scene, mine = isMyTurn(game.observation), over = hasEnded();
  const seen = (each) => {
    if (!each?.checkVisibility() || !each.textContent.trim()) return false;
    const { left, top, width, height } = each.getClientRects()[0];
    return each.contains(document.elementFromPoint(left + Math.min(width / 2, 12), top + Math.min(height / 2, 9)));
  };
  const all = (wanted) => [...document.querySelectorAll(wanted)].filter(seen);
  const said = document.querySelector(".dock .status")?.textContent ?? "";
  const others = sinceMine(toldEvents()).filter(({ notes }) => notes.length);
  const open = ".table :is(.selectable, .possible), .listed button, .choice, #type-word, #do-it";
  const picked = ".picked .cards, .choice[aria-pressed=true], .chip, #do-it";
  const answers = {
    "whose turn": all(".dock .status").length && (over || said.includes(mine ? say("your-turn") : say("waiting-for"))),
    "what have I chosen": !mine || !game.selection.begun || all(picked).length,
    "what may I do": !mine || (all(".dock .tags").length && document.querySelector(open)),
    "what happened since": over ? all(".sheet, .end .status").length
      : !others.length || all(".latest .told:last-child").length,
    "who leads": all(".players :is(.score, strong)").length >= places.length,
  };
  return Object.keys(answers).filter((each) => !answers[each]).map((each) => `${each}: ${said}`);
}"""
"""The questions that the screen leaves open. A long answer has its beginning in sight, and a tap shows the rest."""
CHOOSE = """([many, chance]) => {
  for (let made = 1; made <= many && !document.querySelector("#do-it"); made += 1) {
    const open = [...document.querySelectorAll(
      ".table :is(.selectable, .possible):not(.picked, .replaces) > .cards, .choice[aria-pressed=false]:not(.replaces)",
    )];
    open[Math.floor(made * chance * 7919) % open.length]?.click();
  }
}"""
"""Choose so many things that are open, or fewer where they make a command."""
SETTLED = """(count) => game?.observation?.count === count && game.history.length === count && !game.loading"""
DRAWN = """async () => {
  const ends = (each) => each.effect.getComputedTiming().iterations !== Infinity;
  await Promise.all(document.getAnimations().filter(ends).map(({ finished }) => finished.catch(() => {})));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
"""Wait until nothing moves any more."""


FAULTS = """() => {
  const faults = [];
  const shown = (each) => each.checkVisibility() && !each.closest("details:not([open]) > div");
  const seen = (each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    return each.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  };
  const tell = (fault, each) => faults.push(`${fault}: ${(each.id && `#${each.id}`) || each.outerHTML.slice(0, 120)}`);
  const things = [...document.querySelectorAll(".table :is(.selectable, .possible, .refused) > .cards")];
  const tapped = [...document.querySelectorAll("button, a, summary, select, label.check")].filter(shown);
  for (const each of [...things, ...tapped]) {
    const box = each.getBoundingClientRect();
    if (box.width < 43.5 || box.height < 43.5) tell("small", each);
  }
  for (const each of document.querySelectorAll(".table .bundle .card:nth-child(2):last-child")) {
    const [under, over] = [each.previousElementSibling, each].map((card) => card.getBoundingClientRect());
    if (over.left - under.left < under.width * .7) tell("a card over the other of a pair", each);
  }
  const dock = document.querySelector(".dock");
  if (!hasEnded()) {
    const said = dock.querySelector(".status");
    if (said.scrollWidth > said.clientWidth) tell("cut off", said);
    if (dock.getBoundingClientRect().height > innerHeight / 3 + 1) faults.push("a dock over a third of the screen");
    for (const each of dock.querySelectorAll("button, summary")) {
      if (shown(each) && !each.closest(".open-choices, .shelf") && !seen(each)) tell("covered in the dock", each);
    }
  }
  const at = scrollY;
  const told = [...document.querySelectorAll(".sheet, .end button, .end a")].filter(shown);
  for (const each of hasEnded() ? told : things) {
    each.scrollIntoView({ block: "center" });
    if (!seen(each)) tell("covered", each);
  }
  scrollTo(0, at);
  return faults;
}"""
"""What is wrong with the page on the screen."""
REFUSED = """() => {
  const card = [...document.querySelectorAll(".table .refused > .cards")].pop();
  card?.scrollIntoView({ block: "center" });
  return card ?? null;
}"""
REFUSAL = """() => {
  const { left, right, top, bottom } = document.querySelector(".refusal").getBoundingClientRect();
  const dock = document.querySelector(".dock").getBoundingClientRect();
  return left >= 0 && right <= document.documentElement.clientWidth && top >= 0 && bottom <= dock.top;
}"""


CROWDED = """(lines) => {
  const { shelf, bar } = game.parts;
  if (shelf.hidden) shelf.replaceChildren(shelved(document.querySelector(".board:not(.mine)"), new Set()));
  shelf.hidden = false;
  bar.querySelector(".status").style.minHeight = `${lines * 20}px`;
  const confirm = bar.querySelector("#do-it"), { left, top, right, bottom } = confirm.getBoundingClientRect();
  const corners = [[left + 4, top + 4], [right - 4, bottom - 4]];
  return corners.every((corner) => confirm.contains(document.elementFromPoint(...corner)));
}"""
"""Whether the button that confirms is whole where the shelf is out and whose turn it is takes so many lines."""


@pytest.mark.parametrize("size", [(360, 740), (740, 360)])
def test_the_button_that_confirms_stays_in_the_dock_however_much_is_said_above_it(opened, size):
    tab = sit(opened, **{**TOUCH, "size": dict(zip(("width", "height"), size, strict=True))})
    act_until(tab, "#do-it")
    for lines in (2, 4, 6):
        assert tab.evaluate(CROWDED, lines), lines


COVERED = """() => {
  const far = document.querySelector(".board:not(.mine)"), near = document.querySelector(".mine");
  game.parts.shelf.replaceChildren();
  far.querySelector(".thing").classList.add("new");
  far.style.transform = "translateY(-900px)";
  const lowest = Math.max(...[...near.querySelectorAll(".cards")].map((each) => each.getBoundingClientRect().bottom));
  near.style.transform = `translateY(${dockBox().top - 9 - lowest}px)`;
  drawShelf();
  return [...game.parts.shelf.children].map((each) => each.dataset.seat);
}"""
LEFT = """() => {
  const card = { faces: [{ text: "4" }], count: 1 };
  const zones = ["hand", "played", "last"].map((label) => ({ label, things: [card] }));
  const left = withoutLaid({ seat: 0, zones }, { zones: [{ things: [{ ...card, seat: 0 }] }] });
  return left.zones.map(({ label }) => label);
}"""
"""What stays in a place where a card lies in the middle, too, and is like those beside it."""


SCROLLED = """() => {
  const { latest } = game.parts.story, line = latest.lastChild;
  line.classList.add("to-me");
  latest.append(...Array.from({ length: 9 }, () => line.cloneNode(true)));
  latest.scrollTop = 0;
  document.dispatchEvent(new Event("scrollend"));
  return latest.scrollTop > 0;
}"""
"""Whether of a long story the latest line is in sight once the page has been scrolled."""


TOLD_AT_LENGTH = """() => {
  const note = game.parts.story.latest.lastChild.querySelector(".note");
  note.append(" told at length".repeat(9));
  document.querySelector(".mine .zone").style.minHeight = "700px";
  game.mostDock = { window: `${innerWidth} ${innerHeight}`, height: innerHeight / 3 };
  settleSight();
  return note.scrollWidth <= note.clientWidth;
}"""
"""Whether a long note is whole where the table has no room, but the dock has."""


def test_the_story_is_cut_off_only_where_the_dock_has_no_room_and_what_the_shelf_covers_is_repeated(opened):
    tab = sit(opened, **TOUCH)
    assert tab.evaluate(LEFT) == ["hand", "last"]
    assert tab.evaluate(COVERED) == ["0", "1"]
    assert tab.evaluate(TOLD_AT_LENGTH)
    assert tab.evaluate(SCROLLED)


SHEET = """() => {
  Object.assign(game.observation, { status: "over", result: { points: [52, 60, 52, 60], winners: [1, 3], teams: [] } });
  game.scores = { rows: [{ label: "第1回 · 自分の側の得点", values: [12, 16, 12, 16], best: [] }] };
  drawScores();
  const names = [...document.querySelectorAll(".sheet .name")];
  return names.filter((each) => each.getClientRects().length > 1).map((each) => each.textContent);
}"""
"""Which names are broken in two at the head of a sheet."""
NAME_LINES = """() => {
  const laid = drawThing({ faces: [], count: 1, marks: [], seat: 0 }, false), range = document.createRange();
  document.querySelector(".middle").append(el("ul", { class: "things" }, laid));
  range.selectNodeContents(laid.querySelector(".name").firstChild);
  return range.getClientRects().length;
}"""
"""In how many lines the name under a card stands that a seat has laid."""


def test_names_are_whole_under_a_card_and_in_a_sheet_of_four_on_a_phone(opened):
    tab = sit(opened, "gosne", name="プレイヤー1", **TOUCH, locale="ja-JP")
    assert tab.evaluate(NAME_LINES) == 1
    assert tab.evaluate(SHEET) == []


SCROLLED_ON = """() => {
  document.querySelector(".board:not(.mine) .selectable[data-part^='[\\"palace'] > .cards").click();
  const { bar } = game.parts, choices = bar.querySelector(".open-choices");
  choices.scrollTop = choices.scrollHeight;
  const { left, top, width, height } = bar.querySelector(".chip").getBoundingClientRect();
  const isSeen = bar.querySelector(".chip").contains(document.elementFromPoint(left + width / 2, top + height / 2));
  return [choices.scrollTop > 0, isSeen];
}"""


def test_what_is_chosen_stays_in_sight_while_one_looks_at_what_else_there_is_to_choose(opened):
    tab = sit(opened, "palace", size={"width": 740, "height": 360}, has_touch=True, is_mobile=True, locale="ja-JP")
    act_until(tab, ".board:not(.mine) .selectable[data-part^='[\"palace']")
    assert tab.evaluate(SCROLLED_ON) == [True, True]


def test_on_a_phone_held_sideways_a_table_opens_with_the_hand_in_sight(opened):
    tab = sit(opened, "gosne", size={"width": 740, "height": 360}, has_touch=True, is_mobile=True)
    hand = tab.locator("main.playing:not(.arriving) .mine .zone").first
    hand.wait_for()
    assert hand.evaluate("(it) => it.getBoundingClientRect().bottom") <= 360
    tab.evaluate("document.querySelector('main .zone').style.minHeight = '600px'; settleSight()")  # has no room at all
    assert not tab.locator(".dock.tight").count(), "beside the table the story has room of its own"
    tab.evaluate("beginFork()")
    dock = tab.locator(".dock").bounding_box()
    assert dock["y"] + dock["height"] <= 360, "what a panel has more scrolls in it"
    tab.evaluate("endFork()")
    tab.locator("aside").evaluate("(it) => scrollTo(0, it.getBoundingClientRect().top + scrollY)")
    assert tab.locator(".dock").evaluate("(it) => it.getBoundingClientRect().top") > 0, "it stays beside the steps"


def refusal_is_told(tab) -> None:
    """Tap something that cannot be chosen now: why not stands inside the screen, above the dock."""
    card = tab.evaluate_handle(REFUSED).as_element()
    if card is not None:
        card.tap()
        tab.locator(".refusal").wait_for(timeout=20_000)
        assert tab.evaluate(REFUSAL)
        tab.evaluate("dropRefusal()")


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    """A server at which matches are the same in every run."""
    with Served(Host(MemoryStore(), entropy=Entropy())) as served:
        yield served


def decisions(host, match, keys) -> Iterator[Any]:
    """Play a match by drawing commands; yield what Aki sees before each decision of his."""
    drawn = Shuffler(bytes(32), 7)
    while acting := host.observe(match).to_act:
        seat = min(acting)
        seen = host.observe(match, keys[seat])
        if seat == 0:
            yield seen
        host.submit(match, keys[seat], draw_command(seen.legal, drawn), seen.count)


def faults(tab, sizes, *laws) -> Iterator[str]:
    """Resize the window, and yield what is wrong at each size."""
    for width, height in sizes:
        tab.set_viewport_size({"width": width, "height": height})
        tab.evaluate(DRAWN)
        judged = (FAULTS, *laws) if (width, height) == BY_TOUCH[0] else laws
        yield from (f"{width} × {height}: {each}" for law in judged for each in tab.evaluate(law))


@pytest.mark.ci
@pytest.mark.parametrize("crowd", [max, pytest.param(min, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", games.names())
def test_what_one_decides_about_is_in_sight_or_in_the_dock(server, browser, refusals, game, crowd):
    """On a phone what one taps is large and covered by nothing, too, also at the end of the shortest game."""
    host, chance, found, looked = server.context.host, Random(7), set(), Counter()
    names = ["Aki", *(f"ボット{number}" for number in range(2, crowd(games.find(game).seats) + 1))]
    opened = host.open(game, names)
    with opening(browser, server.address, refusals) as show:
        tabs = [
            show(f"{server.address}#match={opened.match}&key={opened.keys[0]}", **look) for look in DEVICES.values()
        ]
        for tab in tabs:
            tab.locator(".told").first.wait_for()
            assert tab.evaluate("scrollY") == 0, "an opened table begins at its top"
        for number, seen in enumerate(decisions(host, opened.match, opened.keys)):
            kind = frozenset(map(type, seen.legal))
            if looked.total() == LOOKS and game != SHORTEST:
                break
            if looked.total() == LOOKS or (looked[kind] >= len(CHOSEN) and number % EVERY):
                continue
            choosing = [CHOSEN[looked[kind] % len(CHOSEN)], chance.random()]
            looked[kind] += 1
            for tab, sizes in zip(tabs, DEVICES, strict=True):
                tab.wait_for_function(SETTLED, arg=seen.count)
                tab.evaluate(CHOOSE, choosing)
                found.update(faults(tab, sizes, UNANSWERED, UNSEEN))  # which scrolls
                if sizes == BY_TOUCH and choosing[0] == 0:
                    refusal_is_told(tab)
        else:
            tabs[0].locator(".sheet table").wait_for()
            assert tabs[0].evaluate("scrollY") == 0, "an end begins at what was won"
            found.update(faults(tabs[0], BY_TOUCH))
    assert sorted(found) == []
