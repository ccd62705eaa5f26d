"""A game in one module: `Game.of` finds what it states, asks it only in turn, and says why a command is illegal."""

import sys
from types import ModuleType
from typing import Any

import kifu
import pytest
from high_card import GAME as HIGH_CARD
from kifu.core.game import TABLE, Game, GameError, Illegal, NoOptions, Note, Passing, RuleViolation, TableRule
from kifu.core.match import Match
from kifu.core.text.texts import Texts

NIM = '''
from kifu.core.game import Game, Illegal, Result, command, options, state

RULES = """
NIM-1 A turn takes one to three stones.
NIM-2 Nobody takes more than there are.
"""
ASKED = []


@options
class Options:
    heap: int = 7


@command("take", rule="NIM-1")
class Take:
    stones: int


@command("pass")
class Pass:
    pass


@state
class State:
    heap: int
    turn: int
    seats: int


def start(options, seats):
    return State(options.heap, 0, seats)


def to_act(state):
    return frozenset({state.turn}) if state.heap else frozenset()


def legal(state, seat):
    ASKED.append(("legal", seat))
    return [Take(stones) for stones in (1, 2, 3) if stones <= state.heap]


def apply(state, seat, command):
    ASKED.append(("apply", seat))
    if isinstance(command, Pass):
        raise Illegal("passing {is} for cowards", stones=state.heap)
    if not 1 <= command.stones <= 3:
        raise Illegal("take one to three")
    if command.stones > state.heap:
        raise Illegal("NIM-2", heap=state.heap)
    return State(state.heap - command.stones, (seat + 1) % state.seats, state.seats)


def result(state):
    return None if state.heap else Result((0,) * state.seats, ((state.turn - 1) % state.seats,))
'''
NIM_WITHOUT_NUMBERS = NIM.replace(', rule="NIM-1"', "")


def module(monkeypatch: pytest.MonkeyPatch, source: str = NIM, name: str = "nim_of_a_test", **more: Any) -> Any:
    """Load a module from its source, so that `Game.of` finds it by its name."""
    made = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, made)
    vars(made).update(more)
    exec(source, vars(made))
    return made


def nim(monkeypatch: pytest.MonkeyPatch, source: str = NIM, **more: Any) -> tuple[Any, Any]:
    """Return the game of a module, and the module."""
    found = module(monkeypatch, source)
    return Game.of(found.__name__, state=found.State, **{"seats": range(2, 4), "book": found.RULES} | more), found


def refusal(call: Any) -> RuleViolation:
    with pytest.raises(RuleViolation) as error:
        call()
    return error.value


def test_a_module_has_the_parts_and_the_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    game, found = nim(monkeypatch)
    assert (game.name, game.commands, game.options) == ("nim_of_a_test", (found.Take, found.Pass), found.Options)
    assert [(rule.number, rule.sentence) for rule in game.book] == [
        ("NIM-1", "A turn takes one to three stones."),
        ("NIM-2", "Nobody takes more than there are."),
    ]
    assert (game.start, game.to_act) == (found.start, found.to_act)
    assert nim(monkeypatch, name="nim")[0].name == "nim"
    assert nim(monkeypatch, NIM.replace("@options", "@state").replace("options.heap", "7"))[0].options is NoOptions


def test_a_program_has_the_name_of_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    found = module(monkeypatch, name="__main__", __file__="/home/somebody/my_nim.py")
    assert Game.of("__main__", seats=range(2, 4), state=found.State, book=found.RULES).name == "my_nim"


def test_it_is_asked_only_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """So its functions need not say whose turn it is, nor that the game is over."""
    game, found = nim(monkeypatch)
    state = game.start(game.options(), 2)
    for seat in (1, TABLE):
        assert list(game.legal(state, seat)) == []
        violation = refusal(lambda seat=seat: game.apply(state, seat, found.Take(1)))
        assert (violation.rule, violation.seat) == (TableRule.TURN, seat)
    over = found.State(0, 0, 2)
    assert list(game.legal(over, 0)) == []
    assert refusal(lambda: game.apply(over, 0, found.Take(1))).rule is TableRule.OVER
    assert found.ASKED == []
    assert (len(list(game.legal(state, 0))), game.apply(state, 0, found.Take(2)).heap) == (3, 5)
    assert found.ASKED == [("legal", 0), ("apply", 0)]


def test_only_the_table_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    game = HIGH_CARD
    state = game.start(game.options(), 2)
    deal = game.deal(state, kifu.core.game.Shuffler(bytes(32)))
    assert refusal(lambda: game.apply(state, 0, deal)).rule is TableRule.TURN
    after = game.apply(state, TABLE, deal)
    lay = next(iter(game.legal(after, 0)))
    assert refusal(lambda: game.apply(after, 0, deal)).rule is TableRule.TURN, "a seat is to act, but not with a deal"
    assert refusal(lambda: game.apply(state, TABLE, lay)).rule is TableRule.TURN
    assert list(game.legal(state, TABLE)) == []


def test_a_rule_is_broken_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    game, found = nim(monkeypatch)
    violation = refusal(lambda: game.apply(found.State(2, 1, 2), 1, found.Take(3)))
    assert (violation.rule, violation.seat, violation.facts) == (game.rule("NIM-2"), 1, {"heap": 2})
    assert violation.__cause__ is None
    text = Texts("en").violation(violation, game, ["Aki", "Ren"])
    assert text == "Ren broke the rule: Nobody takes more than there are."


def test_a_sentence_is_the_reason_under_the_rule_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    game, found = nim(monkeypatch)
    violation = refusal(lambda: game.apply(found.State(2, 1, 2), 1, found.Take(0)))
    assert (violation.rule, violation.facts) == (game.rule("NIM-1"), {"because": "take one to three"})
    english, japanese = (Texts(lang).violation(violation, game, ["Aki", "Ren"]) for lang in ("en", "ja"))
    assert english == "Ren may not do that: take one to three"
    assert japanese == "Renにはできません：take one to three"
    told = [Texts(lang).refusal(violation, game, ["Aki", "Ren"]) for lang in ("en", "ja")]
    assert told == ["take one to three"] * 2, "who tried it is told the reason alone"


def test_without_numbers_a_sentence_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Braces in it are no placeholders, and its facts are known."""
    game, found = nim(monkeypatch, NIM_WITHOUT_NUMBERS, book="")
    violation = refusal(lambda: game.apply(found.State(2, 0, 2), 0, found.Pass()))
    assert violation.facts == {"because": "passing {is} for cowards", "stones": 2}
    assert Texts("en").violation(violation, game, ["Aki"]) == "Aki may not do that: passing {is} for cowards"
    assert "passing {is} for cowards" in violation.summary


def test_an_unknown_number_is_an_error_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    game, found = nim(monkeypatch, NIM.replace('Illegal("NIM-2"', 'Illegal("NIM-7"'))
    why = "`Illegal\\('NIM-7'\\)` names a rule that is not in the book: it has NIM-1, NIM-2"
    with pytest.raises(GameError, match=why):
        game.apply(found.State(2, 0, 2), 0, found.Take(3))


@pytest.mark.parametrize(
    ("function", "seen", "wanted"),
    [("legal", "None", "`list`"), ("apply", "None", "`State`"), ("result", "7", "`Result`")],
)
def test_a_function_that_returns_something_else_is_named(
    monkeypatch: pytest.MonkeyPatch, function: str, seen: str, wanted: str
) -> None:
    found = module(monkeypatch)
    setattr(found, function, lambda *_: eval(seen))
    game = Game.of(found.__name__, seats=range(2, 4), state=found.State, book=found.RULES)
    state = found.State(7, 0, 2)
    calls = {"legal": (state, 0), "apply": (state, 0, found.Take(1)), "result": (state,)}
    with pytest.raises(GameError, match=f"`{function}` returned {seen}: it returns {wanted}"):
        getattr(game, function)(*calls[function])


DEALT = """
from kifu.core.game import DEALER, command

@command("deal")
class Deal:
    pass

def deal(state, shuffler):
    return Deal()

def to_act(state):
    return DEALER
"""


def test_the_table_acts_only_where_there_is_a_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = nim(monkeypatch, NIM + DEALT.replace("def deal", "def dael"))
    with pytest.raises(GameError, match="the table is to act, and the game has no `deal`"):
        kifu.new(game, ["Aki", "Ren"])


WRONG: dict[str, tuple[str, dict[str, Any], str]] = {
    "a deal without an annotation, which a seat could give": (NIM + DEALT, {}, "annotate it, such as `-> Deal`"),
    "two classes of options": (
        NIM + "\n@options\nclass More:\n    pass\n",
        {},
        "Options and More are both declared by `@options`",
    ),
    "plain options": (NIM.replace("@options", ""), {}, "class Options is not immutable data: declare it with `@opt"),
    "a command without a tag": (
        NIM.replace('@command("pass")', "@command"),
        {},
        'class Pass is declared with `@command`: give it a tag, `@command."pass".`',
    ),
    "a state with brackets": (
        NIM.replace("@state", "@state()"),
        {},
        "game 'nim_of_a_test': `@state` is written without brackets",
    ),
    "options with brackets": (NIM.replace("@options", "@options()"), {}, "`@options` is written without brackets"),
    "extras that are no tuple": (NIM, {"extras": Passing()}, "`extras` is a tuple, not Passing"),
    **{
        f"seats as {seats}": (NIM, {"seats": seats}, "give the numbers of seats as a range")
        for seats in (2, (2, 5), range(2, 2), range(3))
    },
}


@pytest.mark.parametrize(("source", "given", "why"), WRONG.values(), ids=WRONG)
def test_a_module_that_states_its_game_wrongly_is_refused(
    monkeypatch: pytest.MonkeyPatch, source: str, given: dict[str, Any], why: str
) -> None:
    with pytest.raises(GameError, match=why):
        nim(monkeypatch, source, **given)


def test_a_module_that_is_not_there_is_refused() -> None:
    with pytest.raises(GameError, match="there is no module 'nonsense'"):
        Game.of("nonsense", seats=range(2, 4), state=object)


def test_illegal_says_what_and_by_which_facts() -> None:
    illegal = Illegal("HC-2", card=7, pile=(1, 2))
    assert (illegal.summary, Illegal("take one").summary) == ("HC-2 (card 7, pile (1, 2))", "take one")


def test_a_match_is_played_logged_and_told_without_any_part_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = nim(monkeypatch)
    match: Match[Any, Any, Any] = kifu.new(game, ["Aki", "Ren"])
    while match.to_act:
        seat = min(match.to_act)
        match.play(seat, match.legal(seat)[0])
    assert match.result == kifu.Result((0, 0), (0,))
    texts = Texts("en")
    notes = [texts.note(note, game, ["Aki", "Ren"]) for note in match.steps[0].notes_for(1)]
    assert notes == ["Aki: take 1.", "heap: 6.", "turn: 1."]
    last = [note.key for note in match.steps[-1].notes]
    assert last[-1] == "won"
    assert match.scene(None).places[0].seat == 0
    assert game.parts(match.events[0].command) == (("take-stones", 1),)
    assert kifu.core.log.read_bytes(kifu.core.log.log_bytes(match), lambda _: game).ok


def test_notes_of_derived_games_name_the_rule_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = nim(monkeypatch)
    match: Match[Any, Any, Any] = kifu.new(game, ["Aki", "Ren"])
    step = match.play(0, match.legal(0)[1])
    assert [note.rule for note in step.notes] == [game.rule("NIM-1")] * len(step.notes)
    assert isinstance(step.notes[0], Note)


POINT = """
from kifu.core.game import Game, Illegal, Index, Result, Seat, command, public, secret, state


@command("point")
class Point:
    seat: Seat = public()
    begins: Index = secret()


@state
class State:
    pointed: tuple[bool, ...] = public()


def start(options, seats):
    return State((False,) * seats)


def to_act(state):
    return frozenset() if all(state.pointed) else frozenset({state.pointed.index(False)})


def legal(state, seat):
    return [Point(Seat(other), 1) for other in range(len(state.pointed)) if other != seat]


def apply(state, seat, command):
    if command not in legal(state, seat):
        raise Illegal("another seat", seat=command.seat)
    return State(tuple(at <= seat for at in range(len(state.pointed))))


def result(state):
    return Result((0,) * len(state.pointed), ()) if all(state.pointed) else None
"""


def test_a_command_may_name_another_seat_in_a_field_called_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    found = module(monkeypatch, POINT, "point")
    match = kifu.new(Game.of(found, seats=range(2, 4), state=found.State), ["Aki", "Ren"])
    point = match.legal(0)[0]
    texts = Texts("en")
    with pytest.raises(RuleViolation, match="named_seat 0"):
        match.play(0, type(point)(0, 1))
    match.play(0, point)
    words = [texts.note(match.steps[-1].notes_for(viewer)[0], match.game, ["Aki", "Ren"]) for viewer in (0, 1)]
    assert words == ["Aki: point Ren, 2.", "Aki: point Ren (face down)."], "texts count an `Index` from 1"
