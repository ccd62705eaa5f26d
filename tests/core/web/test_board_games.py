"""Games of other kinds: boards by mouse, touch and screen reader; bids at once; hints; options of each kind."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest
from attrs import asdict
from kifu.core.game import Face, Fact, Place, Thing, Zone, grid, hex_grid, track
from kifu.core.match import registry

from ..wire import test_option_doors
from .browsing import DESKTOP, PHONE, STEP, open_match, play_out
from .served import Served

pytestmark = pytest.mark.ci
SMALL = {"reversi": {"size": 4}, "goofspiel": {"size": 4}, "fireworks": {"colours": 2, "lives": 1}}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve the example games, and one with an option of each type, as they are once installed."""
    entries = registry._entries()
    places = {name: f"{name}:GAME" for name in SMALL} | {"every_type": f"{test_option_doors.__name__}:EVERY_TYPE"}
    added = {name: EntryPoint(name, place, "kifu.games") for name, place in places.items()}
    entries.update(added)
    with Served() as served:
        yield served.address
    for name in added:
        del entries[name]
    registry.find.cache_clear()


def at_table(opened, game: str, *players: str, **more):
    tab = opened(**more)
    tab.locator(f"label:has(#game-{game})").click()
    tab.evaluate(f"Object.assign(wanted.options, {SMALL[game]})")
    open_match(tab, game, *players)
    return tab


@pytest.fixture(scope="module")
def drawing(opened_once):
    """A table at which nothing happens: what is drawn there is drawn by the test."""
    return first_look(opened_once)


@pytest.mark.parametrize("game", SMALL)
@pytest.mark.parametrize(
    "size", [pytest.param(DESKTOP, marks=pytest.mark.long, id="desktop"), pytest.param(PHONE, id="phone")]
)
def test_it_is_played_to_its_end(opened, game, size):
    tab = at_table(opened, game, "here Aki", "here Ren", size=size)
    play_out(tab)
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert tab.locator(".players strong").count() == 2


def test_where_nothing_is_hidden_the_screen_goes_on_without_a_curtain(opened):
    tab = first_look(opened)
    tab.locator(".space.selectable .cards").first.click()
    tab.locator("#do-it").click()
    tab.locator("#do-hand-over").click()
    tab.locator(".turn-row").wait_for()
    assert tab.evaluate("game.viewer") == 1
    assert tab.locator(".curtain .primary").count() == 0


SHEET_ROWS = """(values) => {
  const played = { title: "", seats: 2, rows: [{ label: "Round 1", values, best: [] }], points: [3, 1], winners: [0] };
  return drawSheet(played).querySelectorAll("tbody tr").length;
}"""


def test_a_score_sheet_does_not_repeat_its_result(drawing):
    assert [drawing.evaluate(SHEET_ROWS, values) for values in ([3, 1], [1, 3])] == [0, 1]


def first_look(opened, **more):
    tab = at_table(opened, "reversi", "here Aki", "here Ren", **more)
    tab.locator(".space.selectable").first.wait_for()
    return tab


def test_a_space_is_tapped_and_the_command_committed(opened):
    tab = first_look(opened, size=PHONE, has_touch=True)
    choices = tab.locator(".space.selectable")
    named = choices.evaluate_all("nodes => nodes.map((node) => node.getAttribute('aria-label'))")
    assert named == ["c4: empty", "d3: empty", "a2: empty", "b1: empty"], "those that turn a disc over, row by row"
    choices.nth(1).locator(".cards").tap()
    tab.locator("#do-it", has_text="d3").tap()
    tab.locator(".step", has_text="Aki places a disc on d3").wait_for()
    assert tab.get_by_role("list", name="board").locator("[aria-label='d3: ●']").count() == 1


SHOW_BOARD = """(board) => {
  const names = board.rows.flat().filter(Boolean);
  const things = names.map((name) => ({ faces: [], count: 0, marks: [], part: ["space", name] }));
  const place = { seat: null, zones: [{ label: "zone-board", things, board }], facts: [], marks: [] };
  document.querySelector(".table .middle").replaceWith(drawPlace({ place }, new Set()));
  const spaces = [...document.querySelectorAll(".middle .space .cards")].map((node, at) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return { name: names[at], left, top: Math.round(top), side: Math.min(width, height) };
  }).sort((one, other) => one.top - other.top || one.left - other.left);
  return {
    rows: [...Map.groupBy(spaces, ({ top }) => top).values()].map((row) => row.map(({ name }) => name).join(" ")),
    smallest: Math.min(...spaces.map(({ side }) => side)),
    sticksOut: document.documentElement.scrollWidth > innerWidth,
  };
}"""
NUMBERS = list(map(str, range(1, 25)))


SMALLEST = {"width": 360, "height": 740}


def test_a_board_of_eight_is_as_wide_as_a_phone(drawing):
    drawing.set_viewport_size(SMALLEST)
    seen = drawing.evaluate(SHOW_BOARD, asdict(grid(8, 8)))
    assert seen["smallest"] >= 44
    assert not seen["sticksOut"]
    drawing.set_viewport_size(DESKTOP)
    winding = track(NUMBERS, 12, winding=True)
    assert drawing.evaluate(SHOW_BOARD, asdict(winding))["rows"] == [" ".join(row) for row in winding.rows]


WIDE = {"9": grid(9, 9), "19": grid(19, 19), "hexagons": hex_grid(8, 8), "track": track(NUMBERS, 12)}


@pytest.mark.parametrize("board", WIDE.values(), ids=WIDE)
def test_a_board_of_many_spaces_is_no_wider_than_a_phone(drawing, board):
    drawing.set_viewport_size(SMALLEST)
    seen = drawing.evaluate(SHOW_BOARD, asdict(board))
    assert not seen["sticksOut"]
    assert drawing.evaluate("document.querySelector('.spaces').getBoundingClientRect().right <= innerWidth")


SHOW_PLACE = """(place) => {
  const node = drawPlace({ place }, new Set());
  document.querySelector(".table .middle").replaceWith(node);
  return [...node.querySelectorAll(".thing")].map((thing) => [
    thing.getAttribute("aria-label"), thing.querySelectorAll(".die").length, thing.querySelectorAll(".back").length,
    thing.querySelectorAll(".pip").length,
  ]);
}"""


def test_where_nothing_can_lie_in_the_middle_no_empty_box_is_drawn(drawing):
    drawing.set_viewport_size(DESKTOP)
    height = f"""(place) => {{ const table = document.querySelector('.table'); table.style.minHeight = '2000px';
      ({SHOW_PLACE})(place); return table.querySelector('.middle').offsetHeight; }}"""
    facts = drawing.evaluate(height, asdict(Place(None, (), (Fact("fact-discs", 3),))))
    assert 20 < facts < 60, "a line of facts"
    trick = drawing.evaluate(height, asdict(Place(None, (Zone("zone-board", ()),))))
    assert trick > 100, "where cards come to lie there is room for them"
    drawing.set_viewport_size(PHONE)
    assert not drawing.locator(".middle header").is_visible(), "nothing is said above the board"
    assert drawing.evaluate(height, asdict(Place(None))) == 0


@pytest.mark.parametrize(
    ("language", "hidden", "cards"), [("en", "3 hidden", "1 face down"), ("ja", "非公開3個", "伏せ札1枚")]
)
def test_what_lies_hidden_is_drawn_as_what_it_is(opened, language, hidden, cards):
    tab = first_look(opened, locale=language)
    dice = Zone("zone-board", (Thing(count=3, back="die"), Thing((Face("5", shape="die"),)), Thing()))
    on_board = Zone("zone-board", (Thing(back="die"), Thing(count=0)), track("12"))
    drawn = tab.evaluate(SHOW_PLACE, asdict(Place(None, (dice, on_board))))
    assert drawn[:3] == [[hidden, 1, 0, 0], ["5", 1, 0, 5], [cards, 0, 1, 0]]
    assert drawn[3][1:] == [1, 0, 0]


def test_a_hint_is_given_by_a_seat_and_a_thing_on_the_table(opened):
    tab = at_table(opened, "fireworks", "here Aki", "here Ren")
    tab.locator("#come-0").click()
    tab.get_by_role("button", name="Ren", exact=True).click()
    tab.locator("[data-part^='[\"hint\",'].selectable .cards").first.click()  # any deal has one
    tab.locator("#do-it").click()
    tab.locator(".step", has_text="Aki tells Ren").wait_for()


def test_no_card_of_the_own_hand_reaches_the_page(opened):
    tab = at_table(opened, "fireworks", "here Aki", "here Ren")
    tab.locator("#come-0").click()
    tab.locator(".board.mine .thing").first.wait_for()
    labels = tab.locator(".board.mine .thing").evaluate_all(
        "nodes => nodes.map((node) => node.getAttribute('aria-label'))"
    )
    assert labels == [f"{number}: ??" for number in range(1, 6)]
    assert tab.evaluate("game.observation.view.hands[0]") is None
    assert tab.evaluate(STEP) in ("acted", "waiting")


WRONG = {
    "number": ["x", "", "1e3", "2.5", "99999999999999999999"], "limit": ["x"], "rows": ["1,x", "1," * 60],
    "pair": ["4"], "turn": ["3"], "by_way": ["z:true"], "by_turn": ["1"], "by_number": ["x:1", "4"],
}  # fmt: skip


def refused(tab, says: str) -> None:
    tab.locator("#do-open").click()
    trouble = tab.locator("#open-trouble", has_text=says)
    trouble.wait_for()
    assert "\n" not in trouble.inner_text()


def test_each_kind_of_wrong_input_is_refused_in_a_line_and_kept(opened):
    tab = opened()
    tab.locator("label:has(#game-every_type)").click()
    tab.locator("details.more summary").click()
    for name, wrong in WRONG.items():
        field = tab.locator(f"#option-{name}")
        right = field.input_value()
        for typed in wrong:
            field.fill(typed)
            refused(tab, f"option '{name}': ")
            tab.locator("#player-1").select_option("here")  # the form is drawn anew
            tab.locator("#player-1").select_option("link")
            assert field.input_value() == typed
        field.fill(right)
    maps = (("by_way", "y:true"), ("by_number", "4:2"))
    for name, typed in (("number", "-7"), ("rows", "9,8"), ("turn", "2"), ("name", "x" * 70), *maps):
        tab.locator(f"#option-{name}").fill(typed)
    tab.locator("#option-either").select_option("all")
    tab.locator("#tick-flag").check()
    tab.locator("#do-open").click()
    tab.locator("main.playing").wait_for()
    chosen = tab.evaluate("game.about.options")
    expected = {"flag": True, "number": -7, "either": "all", "rows": [9, 8], "turn": 2, "name": "x" * 70}
    assert {name: chosen[name] for name in expected} == expected
    assert (chosen["by_number"], chosen["by_way"], chosen["limit"]) == ({"4": 2}, {"y": True}, None)
