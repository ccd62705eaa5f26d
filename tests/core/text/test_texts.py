"""Every note, rule, label and violation has its text in every language, and untrusted text is sanitized."""

import re
from functools import cache
from importlib.resources import files
from inspect import getsource
from pathlib import Path
from typing import get_args

import attrs
import pytest
from kifu import games
from kifu.core.game import TABLE, Note, RedactedCommand, RuleBook, RuleViolation, TableRule, Takeback
from kifu.core.testing.laws_of_texts import Catalogue, catalogue_of
from kifu.core.text.texts import Texts
from kifu.core.wire import wire_of
from kifu.games.cake.model import Open, Settle, Vote
from kifu.games.gosne.model import Declare, Play
from kifu.games.mabr.model import Word
from kifu.games.palace.model import Quake
from kifu.replay.tournament.random_matches import NAMES, matches

LANGUAGES = ("en", "ja")
GAMES = games.names()
PACKAGES = ("kifu.core.text", "kifu.core.page", "kifu.core.web", "kifu.replay")
IN_THE_SOURCE = ("rule-", "message-", "manual-")
"""The keys whose English stands in the source: the rulebook's sentences, messages, the help of commands."""
FUNCTIONS = {"SEAT", "SEATS", "CARD", "CARDS", "NAME", "POINTS", "LAID", "OWNED", "GIVEN", "NTH", "NUMBERED", "EACH"}
FUNCTIONS |= {"LIST", "COUNT", "COMMAND"}


def source(package: str, lang: str) -> str:
    """Read a catalogue where it lies: no import, which might need an extra."""
    folder = files("kifu").joinpath(*package.split(".")[1:])
    return folder.joinpath("texts", f"{lang}.ftl").read_text(encoding="utf-8")


def catalogue(package: str, lang: str) -> Catalogue:
    return catalogue_of(source(package, lang))


@cache
def played(name: str) -> list:
    """A few random matches of a game, at every number of seats."""
    game = games.find(name)
    return [match for seats in game.seats for match in matches(game, NAMES[:seats], {}, bytes([seats]) * 32, 1)]


@pytest.mark.parametrize("package", PACKAGES)
def test_the_languages_have_the_same_messages_with_the_same_values(package: str) -> None:
    """Of games law 8 holds it."""
    english, japanese = catalogue(package, "en"), catalogue(package, "ja")
    own = {key for key in (*english, *japanese) if key.startswith((*IN_THE_SOURCE, "readings"))}
    assert english.keys() - own == japanese.keys() - own
    for key in english.keys() - own:
        assert english[key].variables == japanese[key].variables, key


@pytest.mark.parametrize("package", [*PACKAGES, *(games.find(name).texts for name in GAMES)])
def test_messages_call_functions_that_there_are(package: str) -> None:
    for lang in LANGUAGES:
        assert {*re.findall(r"[{(,]\s*([A-Z]+)\(", source(package, lang))} <= FUNCTIONS


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_words_that_an_option_takes_have_messages(name: str, lang: str) -> None:
    game = games.find(name)
    options = wire_of(game).option_fields.items()
    choices = {(option, each) for option, field in options for each in get_args(field.type)}
    keys = {f"option-{option}-{each}" for option, each in choices if isinstance(each, str)}
    assert keys - set(catalogue(game.texts, lang)) == set()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_note_and_command_of_a_match_can_be_formatted(name: str, lang: str) -> None:
    texts, other = Texts(lang), Texts("ja" if lang == "en" else "en")
    for match in played(name):
        names = match.header.seats
        for step in match.steps:
            assert all(texts.command(step.command_for(viewer), match.game, names) for viewer in (TABLE, None))
            for note in step.notes_for(TABLE):
                text = texts.find(f"note-{note.key}", match.game, names, **dict(note.values))
                assert text, (note.key, "a value that the message does not take")
                assert text != other.note(note, match.game, names), (note.key, "another language")
                assert "()" not in text
                assert "???" not in text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "violation",
    [
        RuleViolation(TableRule.FORM, 2, why="no card"),
        RuleViolation(TableRule.OVER, 2),
        RuleViolation(TableRule.TURN, 2, asked=(0, 1)),
        RuleViolation(TableRule.ORDER, 2, expected="share"),
        RuleViolation(TableRule.DEAL, -1, expected="each card once"),
        RuleViolation(TableRule.SEED, -1, deal=1),
    ],
    ids=lambda violation: violation.rule.number,
)
def test_the_rules_of_every_game_have_messages(violation: RuleViolation, lang: str) -> None:
    game = games.find("take_and_share")
    key = f"violation-{violation.rule.number}"
    assert key in catalogue("kifu.core.text", lang)
    assert Texts(lang).find(key, game, None, seat=violation.seat, **violation.facts)
    assert "2" not in Texts(lang).refusal(violation, game) or violation.seat != 2, "a player is spoken to"
    assert f"rule-{violation.rule.number}" in catalogue("kifu.core.text", "ja")


def test_a_violation_is_shown_with_its_facts_and_a_refusal_speaks_to_the_player() -> None:
    game, names = games.find("take_and_share"), ["a", "b", "Mio", "d"]
    violation = RuleViolation(game.rule("TS-3"), 2, card=104, led="♠", held=9)
    text = "seat 2 played ♥4 but holds ♠9: the led suit ♠ must be followed"
    assert Texts("en").violation(violation, game) == text
    assert Texts("en").violation(violation, game, names) == text.replace("seat 2", "Mio")
    assert Texts("en").refusal(violation, game) == "You hold ♠9: follow ♠"
    assert Texts("ja").refusal(violation, game) == "出せません\uff1a♠9 を持っています。♠ をフォローしてください。"


class Strange(RuleBook):
    ONE = "X-1", "Something must be so."


def test_without_a_message_texts_are_made_of_keys_and_values() -> None:
    game, texts = games.find("take_and_share"), Texts("xx")
    assert texts.note(Note.of("never-heard", None, seat=1, card=104), game) == "never heard (seat 1, card 104)"
    assert texts.violation(RuleViolation(Strange.ONE, 1, card=3), game) == (
        "seat 1 broke the rule: Something must be so. (card 3)"
    )
    assert texts.rule(Strange.ONE, game) == "Something must be so."
    assert texts.label("zone-far-away", game) == "far away"


@pytest.mark.parametrize("values", [{}, {"seat": "x", "card": 104}, {"seat": 0, "card": ("a", 1)}, {"seat": None}])
def test_values_that_do_not_suit_a_message_raise_nothing(values: dict) -> None:
    game = games.find("take_and_share")
    for key in catalogue(game.texts, "en"):
        if key.startswith("note-"):
            assert Texts("ja").note(Note(key.removeprefix("note-"), None, tuple(values.items())), game)


def test_numbers_and_long_lists_stay_readable() -> None:
    game = games.find("take_and_share")
    note = Note.of("long-ends", None, totals=(12345, 6), goal=1000)
    text = Texts("en").note(note, game, ["Aki", "Ren"])
    assert "Aki 12345, Ren 6" in text
    assert "more than 1000," in text
    many = Note.of("next-shares", None, cards=tuple(range(100_000)))
    assert len(Texts("en").note(many, game)) < 2000


def test_names_are_shown_so_that_nobody_is_taken_for_another() -> None:
    texts = Texts("en")
    names = ["Aki\x1b[2J", "Ren", "Ren", " \u200b", "x" * 200]
    assert texts.seat(0, names) == "Aki␛[2J"
    assert texts.seat(1, names) == "Ren (1)"
    assert texts.seat(2, names) == "Ren (2)"
    assert len(texts.seat(4, names)) == 24
    assert texts.seat(0, ["  "]) == "seat 0"
    assert texts.seat(7, names) == "seat 7"
    assert (texts.seat(TABLE, names), texts.seat(None, names)) == ("the table", "a spectator")


def test_texts_of_a_log_are_sanitized_in_notes() -> None:
    game = games.find("take_and_share")
    text = Texts("en").note(Note.of("free", None, seat=0, card=104, led="\x1b[31m\u202e"), game)
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_command_is_its_name_its_cards_and_its_fields() -> None:
    match = played("take_and_share")[0]
    texts, game = Texts("en"), match.game
    play = next(step for step in match.steps if step.game.wire[type(step.command)] == "play")
    assert texts.command(play.command, game) == f"play a card: {game.face(play.command.card).text}"
    assert texts.command(RedactedCommand("deal"), game) == "deal"
    assert texts.command(Takeback(3), game) == "take back to event 3"
    assert texts.command(Takeback(-1), game) == "take back to the start"


def test_the_functions_are_those_of_the_documentation() -> None:
    from kifu.core.text import message_catalogue, texts

    assert set(re.findall(r"`([A-Z]+)`", texts.__doc__ or "")) == FUNCTIONS
    assert all(f'"{name}"' in getsource(message_catalogue) for name in FUNCTIONS)


def test_another_package_has_its_own_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "foreign_words" / "texts").mkdir(parents=True)
    (tmp_path / "foreign_words" / "__init__.py").touch()
    (tmp_path / "foreign_words" / "texts" / "en.ftl").write_text("""
note-laid = { LAID($cards) } lie there.
note-given = { GIVEN($cards) } went out.
note-joined = { SEATS($seats) } did { COMMAND($tag) } with { LIST($words) }, not { LIST($others) }.
command-play = play
""")
    monkeypatch.syspath_prepend(tmp_path)
    game, texts = attrs.evolve(games.find("take_and_share"), texts="foreign_words"), Texts("ja")
    assert texts.note(Note.of("laid", None, cards=(104, 9)), game, ["Aki"]) == "Aki ♥4, seat 1 ♠9 lie there."
    assert texts.note(Note.of("given", None, cards=(104, 9)), game, ["Aki"]) == "♥4 to Aki, ♠9 to seat 1 went out."
    joined = Note.of("joined", None, seats=(0, 1, -1), tag="play", words=("か", "き"), others=())
    assert texts.note(joined, game, ["Aki", "Ren"]) == "Aki, Ren, and the table did play with か and き, not none."


def test_things_are_numbered_from_0_in_commands_and_from_1_in_words() -> None:
    cake, mabr, names = games.find("cake"), games.find("mabr"), ("Aki", "Ren")
    for lang, words in {"en": "open pile 3", "ja": "山札3を開く"}.items():
        assert Texts(lang).command(Open(2), cake, names) == words
    word = Word("だいどう", (1, "I", 2, "U"))
    for lang, words in {
        "en": "declare だいどう: だ (card 2) い (fixed) ど (card 3) う (fixed)",
        "ja": "「だいどう」を宣言\uff1aだ\uff082枚目\uff09 い\uff08固定\uff09 ど\uff083枚目\uff09 う\uff08固定\uff09",
    }.items():
        assert Texts(lang).command(word, mabr, names) == words


def test_a_list_of_rows_has_a_message_for_each() -> None:
    scored = Note.of("scored-suit", None, suit="♠", sums=(18, 18, 12, 7), seats=(0, 1), counts=(4, 2))
    text = Texts("ja").note(scored, games.find("take_and_share"), ("Aki", "Ren", "Mio", "Sou"))
    assert text.startswith("♠の合計はAki 18、Ren 18、Mio 12、Sou 7。")
    assert text.endswith("Aki 4点、Ren 2点。")


def test_a_thing_of_a_seat_is_shown_by_its_owner_and_number() -> None:
    inspect = RedactedCommand("inspect", (("targets", ((1, 11), (2, 0))),))
    words = Texts("en").command(inspect, games.find("palace"), ("Aki", "Ren", "Mio"))
    assert words == "inspect: palace 12 of Ren, palace 1 of Mio"


@pytest.mark.parametrize(
    ("name", "command", "english", "japanese"),
    [
        ("cake", Vote(True), "vote: content", "納得を示す"),
        ("cake", Settle(()), "keep both, eat nothing", "2枚とも確定させ、何も食べない"),
        ("cake", Settle((3,)), "eat 3, keep the other", "3 を食べ、もう1枚を確定させる"),
        ("cake", Settle((3, 4)), "eat both: 3 4", "2枚とも食べる\uff1a3 4"),
        ("gosne", Declare(4, 2), "declare: 4 as 2", "4 を 2 と申告する"),
        ("gosne", RedactedCommand("declare", (("number", 2),)), "declare: number 2", "申告する\uff1a数字 2"),
        ("gosne", Play(4, True), "play a card: 4, face up, a gun", "カードを出す\uff1a4、オモテ\uff08銃\uff09"),
        ("palace", Quake(1), "cause an earthquake: yellow", "地震を起こす\uff1a黄"),
    ],
)
def test_a_command_says_what_its_parts_are(name, command, english, japanese) -> None:
    said = [Texts(lang).command(command, games.find(name)) for lang in LANGUAGES]
    assert said == [english, japanese]
