"""What is derived of places that are rows, of games for one number of seats, and of cards within classes."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import kifu
import pytest
from kifu.core.env import aec_env, openspiel_game, seat_env, text_table
from kifu.core.errors import GameError
from kifu.core.game import TABLE, Game, Shuffler
from kifu.core.match import Match, registry
from kifu.core.text.texts import Texts

ROWS = """
from typing import Literal

from kifu.core.game import *
from kifu.core import game as k

Cards = tuple[Card, ...]
DECK = tuple(map(Card, range(1, 17)))

@k.state
class Spare:
    cards: Cards

@k.state
class State:
    options: k.NoOptions
    hands: tuple[Cards, ...] = k.own()
    laid: tuple[Card | None, ...] = k.own()
    rows: tuple[Cards, ...] = k.public()
    spares: tuple[Spare, ...] = k.public()
    rest: Cards = k.nobody()
    dice: tuple[tuple[Literal[5, 6], ...], ...] = k.own()
    lays: int = k.public()

@k.command("deal")
class Deal:
    cards: Cards = k.secret()

@k.command("lay")
class Lay:
    card: Card = k.secret()

def start(options, seats):
    return State(options, ((),) * seats, (None,) * seats, ((),) * 4, (), (), ((6, 5, 6),) * seats, 0)

def to_act(state):
    if not state.rest:
        return DEALER
    return frozenset(s for s, card in enumerate(state.laid) if card is None) if state.lays < 2 else frozenset()

def deal(state, shuffler) -> Deal:
    return Deal(shuffler.shuffle(DECK))

def legal(state, seat):
    return [Lay(card) for card in state.hands[seat]]

def apply(state, seat, command):
    seats = len(state.hands)
    if isinstance(command, Deal):
        hands, others = deal_hands(command.cards, seats, 2), command.cards[2 * seats:]
        rows = tuple((card,) for card in others[:3]) + ((),)
        spares = (Spare(others[3:4]), Spare(others[4:5]))
        return k.evolve(state, hands=hands, rows=rows, spares=spares, rest=others[5:])
    hands = replace_at(state.hands, seat, remove_card(state.hands[seat], command.card))
    laid = replace_at(state.laid, seat, command.card)
    if None in laid:
        return k.evolve(state, hands=hands, laid=laid)
    rows = tuple((*row, laid[n]) if n < len(laid) else row for n, row in enumerate(state.rows))
    return k.evolve(state, hands=hands, laid=(None,) * seats, rows=rows, lays=state.lays + 1)

def result(state):
    return None if to_act(state) else Result((0,) * len(state.hands), (0,))

GAME = Game.of(__name__, seats=SEATS, state=State)
"""


def game_of(monkeypatch: pytest.MonkeyPatch, seats: str = "range(2, 4)", source: str = ROWS) -> Game[Any, Any, Any]:
    made = ModuleType("rows_of_a_test")
    monkeypatch.setitem(sys.modules, made.__name__, made)
    exec(source.replace("SEATS", seats), vars(made))
    game: Game[Any, Any, Any] = made.GAME
    return game


def played(game: Game[Any, Any, Any], seats: int) -> Match[Any, Any, Any]:
    """Return a match in which every seat has laid its first card."""
    match: Match[Any, Any, Any] = kifu.new(game, ["Aki", "Ren", "Mio", "Leo"][:seats], seed=bytes(32))
    for seat in range(seats):
        match.play(seat, match.legal(seat)[0])
    return match


def test_rows_of_cards_are_numbered_in_a_scene(monkeypatch: pytest.MonkeyPatch) -> None:
    match = played(game_of(monkeypatch), 2)
    (zone,) = [zone for zone in match.scene(None).table.zones if zone.label == "zone-rows"]
    numbers = [thing.number for thing in zone.things]
    assert numbers == [1, None, 2, None, 3, 4], "the first card of each row has its number, and a row without cards"
    assert [len(thing.faces) for thing in zone.things] == [1, 1, 1, 1, 1, 0]
    rows = [card for row in match.state.rows for card in row]
    assert [thing.part for thing in zone.things if thing.faces] == [("card", card) for card in rows]


def test_notes_say_which_row_has_gained_which_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(monkeypatch)
    match = played(game, 2)
    gained = [
        (dict(note.values)["row"], dict(note.values)["cards"])
        for note in match.steps[-1].notes_for(None)
        if note.key == "rows-gained"
    ]
    assert gained == [(1, match.state.rows[0][1:]), (2, match.state.rows[1][1:])]
    (note, *_) = [note for note in match.steps[-1].notes_for(None) if note.key == "rows-gained"]
    assert Texts("en").note(note, game, ["Aki", "Ren"]) == f"rows 1: {match.state.rows[0][1]}."


def test_what_lies_in_an_open_place_is_told_to_everybody_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though who has laid a card face down has read of it."""
    step = played(game_of(monkeypatch), 2).steps[-1]
    seen = [[note for note in step.notes_for(viewer) if note.key == "rows-gained"] for viewer in (0, 1, None, TABLE)]
    assert seen[0]
    assert seen == [seen[0]] * 4


def test_a_card_laid_in_a_hidden_place_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    step = played(game_of(monkeypatch), 2).steps[1]
    assert [note.key for note in step.notes_for(0)] == ["lay"]
    assert [note.key for note in step.notes_for(1)] == ["lay-unseen"]


def test_what_is_hidden_until_the_end_is_told_seat_by_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    bids = "    bids: tuple[Literal[5, 6, 7], ...] = k.seen_by(lambda state, _: state.lays > 0)\n"
    source = ROWS.replace("    lays: int", f"{bids}    lays: int")
    source = source.replace("seats, 0)", "seats, tuple(range(5, 5 + seats)), 0)")
    match = played(game_of(monkeypatch, source=source), 3)
    (told, others) = (
        [note for note in step.notes_for(None) if note.key == "bids-now"] for step in match.steps[-1:-3:-1]
    )
    assert [dict(note.values) for note in told] == [{"seat": seat, "value": 5 + seat} for seat in range(3)]
    assert others == []


def test_dice_lie_before_their_seat_as_cards_do(monkeypatch: pytest.MonkeyPatch) -> None:
    places = played(game_of(monkeypatch), 2).scene(0).places
    own, other = [zone.things for place in places for zone in place.zones if zone.label == "zone-dice"]
    assert [(thing.faces[0].text, thing.part) for thing in own] == [("6", None), ("5", None), ("6", None)]
    assert [(thing.faces, thing.count) for thing in other] == [((), 3)]


def test_notes_make_no_view(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    source = ROWS.replace("def legal", "def scores(state):\n    ASKED.append(state)\n    return (0, 0)\n\ndef legal")
    monkeypatch.setattr("builtins.ASKED", asked, raising=False)
    match = played(game_of(monkeypatch, source=source), 2)
    asked.clear()
    assert [note.key for step in match.steps for note in step.notes_for(0)]
    assert not asked, "a view tells the scores"


def test_a_deck_that_lacks_hidden_cards_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    source = ROWS.replace("def legal", "def deck(options, seats):\n    return DECK[:10]\n\ndef legal")
    match = played(game_of(monkeypatch, source=source), 2)
    with pytest.raises(GameError, match=r"\d+ cards are hidden, and the deck has \d+ that are not seen: say in `deck`"):
        match.game.determinize(match.view(0), Shuffler(bytes(32)))


def test_rows_that_are_as_many_whatever_the_seats_are_no_rows_of_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the game has as many seats as rows, and no other number."""
    scene = played(game_of(monkeypatch, "range(4, 5)"), 4).scene(None)
    assert "zone-rows" in [zone.label for zone in scene.table.zones]
    for place in scene.places:
        assert [zone.label for zone in place.zones] == ["zone-hands", "zone-laid", "zone-dice"]


def test_rows_of_seats_may_be_written_out_for_the_only_number_of_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    source = ROWS.replace("* seats", "* 4")
    places = played(game_of(monkeypatch, "range(4, 5)", source), 4).scene(None).places
    assert all({"zone-hands", "zone-rows"} <= {zone.label for zone in place.zones} for place in places)


def test_cards_within_classes_are_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(monkeypatch)
    match = played(game, 2)
    for seed in range(5):
        drawn = game.determinize(match.view(0), Shuffler(bytes([seed]) * 32))
        assert sorted(game.cards(drawn)) == list(range(1, 17))
        assert game.view(drawn, 0) == match.view(0)


def test_environments_take_a_file_as_a_match_does(tmp_path: Path) -> None:
    """They are called by who has the file, and loading it runs it."""
    for name in ("aec", "seat", "table", "spiel"):
        (tmp_path / f"rows_for_{name}.py").write_text(ROWS.replace("SEATS", "range(2, 4)"), "utf-8")
    pytest.importorskip("pettingzoo", reason="needs kifu[learn]")
    aec_env(str(tmp_path / "rows_for_aec.py"))
    seat_env(str(tmp_path / "rows_for_seat.py"))
    text_table(str(tmp_path / "rows_for_table.py"))
    assert registry.find("rows_for_aec").name == "rows_for_aec"
    pytest.importorskip("pyspiel", reason="needs kifu[learn]")
    assert openspiel_game(str(tmp_path / "rows_for_spiel.py"))
