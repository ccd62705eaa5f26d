"""Records that do not tell everything: what is filled in makes all legal, and is never taken for what was known."""

import pickle
import re
from collections import Counter
from itertools import islice, permutations
from pathlib import Path
from random import Random
from typing import Any, Literal

import kifu
import pytest
from kifu import TABLE, UNKNOWN, LogError, MatchError
from kifu.core import game as k
from kifu.core import log
from kifu.core.game import Card, RedactedCommand
from kifu.core.log.json_form import from_json, to_json
from kifu.core.match.assumed import Assumed
from kifu.core.match.fork import Fork, fork_match
from kifu.core.trust.audit import audit
from kifu.games.mabr.model import Deal as MabrDeal
from kifu.games.take_and_share.model import Deal
from small_poker import GAME as POKER
from small_poker import Call, Raise
from small_poker import Deal as PokerDeal

PAGE = Path(__file__).parents[3] / "docs" / "import.md"
SEATS = ["Aki", "Ren", "Mio", "Sou"]
J, Q, K = map(Card, range(3))
LEDUC = {"variant": "leduc"}


def played(name: Any, seats: int, seed: int, **options: Any) -> kifu.Match[Any, Any, Any]:
    match, random = kifu.new(name, SEATS[:seats], options, seed=bytes([seed]) * 32), Random(seed)
    while match.to_act:
        seat = min(match.to_act)
        legal = match.legal(seat)
        match.play(seat, legal[random.randrange(len(legal))])
    return match


def told(match: kifu.Match[Any, Any, Any], *, deals: bool = False) -> list[tuple[int, Any]]:
    return [(event.seat, event.command) for event in match.events if deals or event.seat != TABLE]


def judged(match: kifu.Match[Any, Any, Any]) -> Any:
    """What reading the log of a match finds."""
    return log.read_bytes(log.log_bytes(match), lambda _: match.game)


# What is filled in.


@pytest.mark.parametrize(
    ("name", "seats", "seed"),
    [("take_and_share", 4, 2), ("take_and_share", 3, 1), ("gosne", 4, 1), ("cake", 3, 1), (POKER, 2, 1)],
)
def test_a_whole_deal_is_found_from_what_was_played(name: Any, seats: int, seed: int) -> None:
    match = played(name, seats, seed)
    found = kifu.reconstruct(name, SEATS[:seats], told(match))
    assert [event.command for event in found.events if event.seat != TABLE] == [each for _, each in told(match)]
    assert found.assumed is not None
    assert found.assumed.count == found.assumed.of > 0
    assert judged(found).ok


def test_known_cards_stay_where_they_are() -> None:
    match = played("take_and_share", 4, 3)
    cards = [card if place % 3 else UNKNOWN for place, card in enumerate(match.events[0].command.cards)]
    found = kifu.reconstruct("take_and_share", SEATS, [(TABLE, Deal(tuple(cards))), *told(match)])
    dealt = found.events[0].command.cards
    assert all(told in (UNKNOWN, made) for told, made in zip(cards, dealt, strict=True))
    assert sorted(dealt) == sorted(match.events[0].command.cards)
    assert found.header.assumed == tuple((0, "cards", place) for place in range(0, 60, 3))
    assert found.assumed == Assumed(20, 60, 0, "cards")


def test_a_record_that_tells_everything_is_the_match() -> None:
    match = played("take_and_share", 4, 3)
    found = kifu.reconstruct("take_and_share", SEATS, told(match, deals=True), match="m")
    assert found.assumed is None
    assert found.state == match.state
    assert b"assumed" not in log.log_bytes(found)


def test_a_deal_by_stacks_takes_what_is_known_of_them() -> None:
    """In `mabr` a kana lies in the stack of its letter alone, which is a pair of letter and stack."""
    match = played("mabr", 2, 1)
    (letter, stack), *others = match.events[0].command.stacks
    deal = MabrDeal(((letter, (*stack[:2], *[UNKNOWN] * (len(stack) - 2))), *others))
    found = kifu.reconstruct("mabr", SEATS[:2], [(TABLE, deal)])
    assert found.events[0].command.stacks[0][1][:2] == stack[:2]
    assert sorted(found.events[0].command.stacks[0][1]) == sorted(stack)


def test_what_is_filled_in_is_the_same_each_time() -> None:
    events = told(played("gosne", 4, 1))
    one, other = (kifu.reconstruct("gosne", SEATS, events) for _ in range(2))
    assert one.state == other.state


# Small odd games.


@k.options
class NoOptions:
    """None."""


@k.command("deal")
class Shuffled:
    cards: tuple[k.Card, ...] = k.secret()


@k.command("roll")
class Roll:
    dice: tuple[int, ...] = k.public()


@k.command("draw")
class Draw:
    card: k.Card = k.secret()


@k.command("lay")
class Lay:
    card: k.Card = k.secret()


@k.command("turn")
class Turn:
    card: k.Card = k.public()


@k.command("say")
class Say:
    word: Literal["low", "high"] = k.secret()
    kind: Literal["yes", "no"] = k.public()


@k.state
class Odd:
    seats: int = k.public()
    hands: tuple[tuple[k.Card, ...], ...] = k.own()
    laid: tuple[k.Card | None, ...] = k.own()
    said: tuple[Literal["low", "high"], ...] = k.nobody()
    dice: tuple[int, ...] = k.public()
    asked: tuple[int, ...] = k.public()
    """Who is to act, all at once."""
    script: tuple[str, ...] = k.public()
    """What comes: `deal`, `roll`, `draw`, `lay`, `turn`, `say`, each until all have done it."""


DECK = tuple(map(Card, range(6)))


class OddRules:
    """A game of two that is what its script says."""

    def __init__(self, *script: str) -> None:
        self.script = script

    def start(self, options: Any, seats: int) -> Odd:
        return self._next(Odd(seats, ((),) * seats, (None,) * seats, (), (), (), ("", *self.script)))

    def _next(self, state: Odd) -> Odd:
        script = state.script[1:]
        by_table = not script or script[0] in ("deal", "roll", "draw")
        asked = () if not script else (TABLE,) if by_table else tuple(range(state.seats))
        return k.evolve(state, script=script, asked=asked)

    def to_act(self, state: Odd) -> frozenset[int]:
        return frozenset(k.Seat(each) for each in state.asked)

    def deal(self, state: Odd, shuffler: k.Shuffler) -> Any:
        kind = state.script[0]
        if kind == "roll":
            return Roll(tuple(1 + shuffler.below(6) for _ in range(2)))
        left = [card for card in DECK if not any(card in hand for hand in state.hands)]
        return Shuffled(shuffler.shuffle(DECK)) if kind == "deal" else Draw(left[shuffler.below(len(left))])

    def legal(self, state: Odd, seat: int) -> list[Any]:
        if seat not in state.asked:
            return []
        kind = state.script[0]
        if kind == "say":
            return [Say(word, each) for word in ("low", "high") for each in ("yes", "no")]
        if kind == "turn":
            return [Turn(card) for card in (state.laid[seat],) if card is not None]
        return [Lay(card) for card in state.hands[seat]]

    def apply(self, state: Odd, seat: int, command: Any) -> Odd:
        k.check_turn(self.to_act(state), seat, deals=seat == TABLE)
        if isinstance(command, Shuffled):
            k.check_deck(k.DEALER, seat, command.cards, DECK)
            return self._next(k.evolve(state, hands=(command.cards[:2], command.cards[2:4])))
        if isinstance(command, Roll):
            return self._next(k.evolve(state, dice=(*state.dice, *command.dice)))
        if isinstance(command, Draw):
            if any(command.card in hand for hand in state.hands):
                raise k.RuleViolation(k.TableRule.DEAL, seat)
            to = sum(map(len, state.hands)) % 2
            hand = (*state.hands[to], command.card)
            return self._next(k.evolve(state, hands=k.replace_at(state.hands, to, hand)))
        if command not in self.legal(state, seat):
            raise k.RuleViolation(k.TableRule.ORDER, seat, expected=state.script[0])
        if isinstance(command, Lay):
            hands = k.replace_at(state.hands, seat, k.remove_card(state.hands[seat], command.card))
            state = k.evolve(state, hands=hands, laid=k.replace_at(state.laid, seat, command.card))
        if isinstance(command, Say):
            state = k.evolve(state, said=(*state.said, command.word))
        asked = tuple(each for each in state.asked if each != seat)
        return k.evolve(state, asked=asked) if asked else self._next(state)

    def result(self, state: Odd) -> k.Result | None:
        return None if state.asked else k.Result((0,) * state.seats, ())


COMMANDS = (Shuffled, Roll, Draw, Lay, Turn, Say)


def odd(*script: str) -> k.Game[Any, Any, Any]:
    rules: Any = OddRules(*script)
    return k.Game("odd", range(2, 3), Odd, COMMANDS, rules, NoOptions)


def reconstructed(script: str, *events: tuple[int, Any], **more: Any) -> kifu.Match[Any, Any, Any]:
    return kifu.reconstruct(odd(*script.split()), SEATS[:2], events, **more)


def commands(match: kifu.Match[Any, Any, Any]) -> list[Any]:
    return [event.command for event in match.events]


def test_a_card_that_lay_face_down_is_one_that_was_turned_up_later() -> None:
    match = reconstructed("deal lay turn", (1, Lay(UNKNOWN)), (0, Lay(UNKNOWN)), (0, Turn(Card(5))), (1, Turn(Card(2))))
    assert commands(match)[1:] == [Lay(Card(2)), Lay(Card(5)), Turn(Card(5)), Turn(Card(2))]
    assert match.header.assumed == ((0,), (1, "card"), (2, "card"))
    assert match.assumed == Assumed(6, 6, 2, "cards")


def test_a_whole_command_may_be_unknown() -> None:
    match = reconstructed("deal lay turn", (0, UNKNOWN), (1, Lay(Card(4))), (0, Turn(Card(1))))
    assert commands(match)[1] == Lay(Card(1))
    assert match.header.assumed == ((0,), (1,))


def test_known_and_unknown_fields_stand_beside_each_other() -> None:
    match = reconstructed("say", (1, Say(UNKNOWN, "no")), (0, Say("high", UNKNOWN)))
    assert [(each.word, each.kind) for each in commands(match)] == [("low", "no"), ("high", "yes")]
    assert match.header.assumed == ((0, "word"), (1, "kind"))
    assert match.assumed == Assumed(0, 0, 2, "cards")


def test_dice_are_values_of_which_some_are_known() -> None:
    match = reconstructed("roll say roll", (TABLE, Roll((6, UNKNOWN))), (0, Say("low", "no")), (1, Say("low", "no")))
    assert commands(match)[0].dice[0] == 6
    assert 1 <= commands(match)[0].dice[1] <= 6
    assert match.assumed == Assumed(1, 2, 0, "cards")
    assert TABLE in match.to_act  # what comes after the record stays open


def test_draws_leave_what_is_known_to_come_later() -> None:
    """Three of four draws are unknown, and none of them may take the card that the last one brings."""
    for last in DECK:
        match = reconstructed(
            "draw draw draw draw lay", *[(TABLE, Draw(UNKNOWN))] * 3, (TABLE, Draw(last)), (1, Lay(last))
        )
        assert len({each.card for each in commands(match)[:4]}) == 4


def test_draws_that_the_record_leaves_out_are_drawn() -> None:
    match = reconstructed("draw draw draw draw lay", (1, Lay(Card(3))), (0, Lay(Card(0))))
    assert [each.card for each in commands(match)[4:]] == [3, 0]
    assert match.header.assumed == ((0,), (1,), (2,), (3,))


def test_every_part_of_a_deal_may_be_known() -> None:
    for known in islice(permutations(DECK, 3), 0, None, 7):
        match = reconstructed("deal lay", (TABLE, Shuffled((UNKNOWN, *known, UNKNOWN, UNKNOWN))), (0, Lay(known[0])))
        assert commands(match)[0].cards[1:4] == known


def test_a_deal_of_the_next_round_is_left_out_as_the_first_is() -> None:
    match = reconstructed("deal lay deal lay", *[(seat, Lay(Card(4 - seat))) for seat in (0, 1, 1, 0)])
    assert [event.seat for event in match.events] == [TABLE, 0, 1, TABLE, 1, 0]


def test_a_takeback_in_a_record_is_taken_as_it_is() -> None:
    match = reconstructed(
        "deal lay", (0, Lay(UNKNOWN)), (TABLE, kifu.Takeback(0)), (1, Lay(Card(2))), (0, Lay(UNKNOWN))
    )
    assert match.result is not None
    assert judged(match).ok


# What nothing allows.


def refused(*args: Any, **more: Any) -> LogError:
    with pytest.raises(LogError) as caught:
        reconstructed(*args, **more)
    return caught.value


def test_no_deal_at_all_is_said_where_all_were_tried() -> None:
    error = refused("deal lay lay", (0, Lay(Card(1))), (1, Lay(Card(1))))
    assert (error.kind, error.rule, error.seq) == ("rule", "ORDER", 2)
    assert re.search(r"no deal at all allows it: all \d+ ways were tried", error.message)


def test_what_is_wrong_whatever_was_dealt_is_the_rule_alone() -> None:
    error = refused("say", (0, Say("low", "no")), (0, Say("low", "no")))
    assert (error.kind, error.rule, error.seq) == ("rule", "TURN", 1)
    assert "deal" not in error.message.rpartition("(")[2]


def test_where_not_all_were_tried_it_says_how_many() -> None:
    error = refused("roll say", (1, Lay(Card(1))), tries=30)
    assert (error.rule, error.seq) == ("ORDER", 1)
    cards = played("take_and_share", 4, 2)
    events = told(cards)
    with pytest.raises(LogError, match="none of the 41 ways that were tried allows it") as caught:
        kifu.reconstruct("take_and_share", SEATS, [*events[:3], events[0]], tries=40)
    assert (caught.value.rule, caught.value.seq) == ("TURN", 4)


@pytest.mark.parametrize(
    ("events", "rule", "seq"),
    [
        ([(TABLE, Shuffled((Card(1), Card(1), UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)))], "DEAL", 0),
        ([(TABLE, Shuffled((Card(9), *[UNKNOWN] * 5)))], None, 0),
        ([(TABLE, Shuffled((UNKNOWN,) * 5))], None, 0),
        ([(TABLE, Shuffled(UNKNOWN)), (TABLE, UNKNOWN)], "TURN", 1),
        ([(TABLE, Roll(UNKNOWN))], "ORDER", 0),
        ([(0, Say(UNKNOWN, "no"))], "ORDER", 1),
        ([(0, Lay(UNKNOWN)), (0, Lay(UNKNOWN))], "TURN", 2),
        ([(0, Lay("x"))], None, 1),
    ],
)
def test_a_bad_record_names_the_event_and_the_rule(events: Any, rule: str | None, seq: int) -> None:
    error = refused("deal lay", *events)
    assert (error.rule, error.seq) == (rule, seq)
    assert error.kind == ("form" if rule is None else "rule")


@pytest.mark.parametrize("events", [[5], [(0,)], [(0, "lay")], [(7, Lay(Card(1)))], [("0", UNKNOWN)], [(0, None)]])
def test_what_is_no_event_is_refused(events: Any) -> None:
    with pytest.raises(MatchError):
        reconstructed("deal lay", *events)


def test_unknown_stays_the_one_that_it_is() -> None:
    assert pickle.loads(pickle.dumps(UNKNOWN)) is UNKNOWN
    assert repr(Lay(UNKNOWN)) == "Lay(card=UNKNOWN)"


# The header.


def poker(*cards: Any) -> kifu.Match[Any, Any, Any]:
    deal = PokerDeal((*cards, *[UNKNOWN] * (6 - len(cards))))
    events = [(place % 2, command) for place, command in enumerate((Raise(), Call(), Call(), Call()))]
    return kifu.reconstruct(POKER, SEATS[:2], [(TABLE, deal), *events], LEDUC)


def test_the_header_keeps_it_through_every_form() -> None:
    match = poker(Q, K)
    raw = log.log_bytes(match)
    assert from_json(to_json(raw).encode()) == raw
    assert '"assumed": [[0, "cards", 2], [0, "cards", 3], [0, "cards", 4], [0, "cards", 5]]' in to_json(raw)
    again = judged(match).match
    assert log.log_bytes(again) == raw
    assert again.assumed == match.assumed == Assumed(4, 6, 0, "cards")


def with_assumed(value: Any, **header: Any) -> Any:
    from json import dumps, loads

    form = loads(to_json(log.log_bytes(poker(Q, K))))
    form["header"] |= {"assumed": value, **header}
    for event in form["events"]:
        del event["chain"]
    form["end"].pop("chain")
    return log.read_bytes(from_json(dumps(form).encode()), lambda _: POKER)


@pytest.mark.parametrize(
    "value", [None, 3, "all", {}, [], [3], [[-1]], [["x"]], [[0, 1]], [[0, "cards", None]], [[True]], [[0, "a", [1]]]]
)
def test_a_malformed_one_cannot_hide_what_is_assumed(value: Any) -> None:
    assert [each.kind for each in with_assumed(value).findings] == ["header"]


def test_a_place_that_an_event_does_not_have_is_all_of_it() -> None:
    assert with_assumed([[0, "cards", 5]]).match.assumed.count == 1
    for place in ([0, "cards", 6], [0, "card"], [0, "cards", "x"], [0, "cards", 1, 1], [0], [0, "cards"]):
        assert with_assumed([place]).match.assumed.count == 6
    assert with_assumed([[]]).match.assumed == Assumed(6, 6, 4, "cards")
    assert with_assumed([[99, "cards"]]).match.assumed == Assumed(0, 6, 0, "cards")


def test_with_a_seed_nothing_is_assumed() -> None:
    assert [each.kind for each in with_assumed([[0]], seed="00" * 32).findings] == ["header"]


def test_a_fork_keeps_the_mark_for_what_it_shares() -> None:
    match = poker(UNKNOWN, K)
    for places, kept in ((match.header.assumed, match.header.assumed), (((),), ((0,), (1,)))):
        fork = fork_match(kifu.Match(POKER, match.header), "f", Fork("m", -1), engine="", more=())
        assert fork.header.assumed == ()
        from attrs import evolve

        parent: Any = kifu.Match(POKER, evolve(match.header, assumed=places))
        for event in match.events:
            parent.apply(event.seat, event.command)
        assert fork_match(parent, "f", Fork("m", 1), engine="", more=()).header.assumed == kept


def test_it_proves_nothing() -> None:
    match = poker(Q, K)
    assert [each.kind for each in audit(log.log_bytes(match), lambda _: POKER).findings] == ["head"]


# What viewers are told.


def test_a_note_tells_everybody_how_much_and_the_table_which() -> None:
    match = poker(Q, K, J)
    step = match.steps[0]
    assert [note.values for note in step.notes if note.key == "assumed-cards"] == [
        (("count", 3), ("of", 6), ("cards", match.events[0].command.cards[3:]))
    ]
    for viewer in (0, 1, None):
        assert [dict(note.values) for note in step.notes_for(viewer) if note.key == "assumed"] == [
            {"what": "cards", "count": 3, "of": 6}
        ]
    assert not any(note.key.startswith("assumed") for each in match.steps[1:] for note in each.notes)
    assert isinstance(step.command_for(0), RedactedCommand)


# The page.


def test_the_page_shows_what_audit_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    click = pytest.importorskip("click", reason="needs kifu[replay]")
    assert click
    from kifu.replay.app import run

    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text("utf-8")
    printed: list[str] = []
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    names = {"__name__": "docs", "print": lambda *each: printed.append(" ".join(map(str, each)))}
    exec(compile(code, "import.md", "exec"), names)
    shown = [line.partition("#")[2].strip() for line in text.splitlines() if line.startswith(("print(", "    print("))]
    assert [line.partition(": the queen")[0] for line in shown] == printed
    import contextlib
    import io

    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert run(["audit", "hand.log", "--game", str(PAGE.parent / "examples" / "holdem.py")]) == 0
    said = [line.strip() for line in re.findall(r"^    (?!\$)(.*(?:fine|legal).*)$", text, re.MULTILINE)]
    assert [line.strip() for line in out.getvalue().splitlines()] == said


@pytest.mark.filterwarnings("ignore:The chararray class:DeprecationWarning")
def test_playthroughs_of_openspiel_come_in() -> None:
    """Random ones, as OpenSpiel itself writes them: the same returns, and nothing but the rest of the deck assumed."""
    pytest.importorskip("pyspiel", reason="needs kifu[learn]")
    from from_openspiel import from_openspiel
    from open_spiel.python.algorithms import generate_playthrough

    lengths: Counter[int] = Counter()
    for seed in range(12):
        text = generate_playthrough.playthrough("leduc_poker", None, seed=seed)
        returns = re.findall(r"^Returns\(\) = \[(.*)\]$", text, re.MULTILINE)[-1]
        match = from_openspiel(text)
        assert match.result is not None
        assert list(match.result.points) == [round(float(each)) for each in returns.split(",")]
        lengths[match.assumed.count] += 1
    assert set(lengths) == {3, 4}
