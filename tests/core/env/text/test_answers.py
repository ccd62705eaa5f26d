"""How an answer is read: four forms, the last line alone, and refusals that say what would have been fine."""

import pickle
import re
from contextlib import suppress
from functools import cache
from random import Random
from time import process_time
from typing import get_args

import attrs
import kifu
import pytest
from high_card import GAME as HIGH_CARD
from hypothesis import given
from hypothesis import strategies as st
from kifu.core.env import Refused, text_table
from kifu.core.env.text import listing
from kifu.core.env.text.wording import CHOICES
from kifu.core.game import Card, Index
from kifu.core.wire import wire_of

from .positions import GAMES, IDS, LANGS, LONG, QUICK, played, tables

each_game = pytest.mark.parametrize("game", GAMES, ids=IDS)
many = pytest.mark.parametrize("count", [QUICK, pytest.param(LONG, marks=pytest.mark.long)])


@pytest.mark.ci
@each_game
@pytest.mark.parametrize("lang", LANGS)
@many
def test_every_legal_command_is_read_from_its_number_its_json_and_its_words(game, lang, count):
    for table in tables(game, count, lang):
        for seat in table.to_act:
            found = [each for tag in game.wire.values() for each in table.find(seat, tag)]
            listed = sorted((each for each in found if each.number), key=lambda each: each.number)
            assert [each.command for each in listed] == table.match.legal(seat)[:2000]
            for each in listed[:: max(1, len(listed) // 12)]:
                for form in (f"#{each.number}", each.json, each.words, each.words.upper()):
                    assert table.parse(seat, form) == each.command, form


@pytest.mark.ci
@each_game
@many
def test_every_legal_command_is_read_from_its_tag_and_values(game, count):
    for table in tables(game, count):
        for seat in table.to_act:
            legal = table.match.legal(seat)[:2000]
            for command in legal[:: max(1, len(legal) // 12)]:
                said = tag_and_values(game, command)
                if said in game.wire.values() and sum(type(each) is type(command) for each in legal) > 1:
                    with pytest.raises(Refused):  # without its values it could be any of them
                        table.parse(seat, said)
                else:
                    assert table.parse(seat, said) == command


@each_game
@pytest.mark.parametrize("lang", LANGS)
def test_a_line_of_the_list_may_be_repeated(game, lang):
    for table in tables(game, 10, lang):
        for seat in table.to_act:
            legal = table.match.legal(seat)[:40]
            for each in [each for tag in game.wire.values() for each in table.find(seat, tag)][:40:7]:
                number, words, json = f"#{each.number}", each.words, each.json
                for form in (str(each), f"{number}. {words}", f"{number}: {json}", f"{number}.", f"Answer: {number}"):
                    assert table.parse(seat, form) == each.command, form
                if len(legal) > 1:
                    other = "#1" if each.number > 1 else "#2"
                    with pytest.raises(Refused, match=rf"{other} .*{number} ") as refused:
                        table.parse(seat, f"{other} {words}")
                    assert refused.value.kind == "unread"


@pytest.mark.parametrize(
    ("game", "tag", "answers"),
    [
        ("cake", "vote", ["vote content", "Vote: Content.", "vote yes", "content", '{"tag":"vote","content":true}']),
        ("cake", "take", ["take 1 1", "take 1|1", "take [1,1]"]),
        ("cake", "settle", ["settle nothing", "settle none", "settle []", '{"tag":"settle","eat":[]}']),
        ("cake", "claim", ["claim seat 1", "claim 1", "claim the seat 1"]),
        (
            "take_and_share",
            "play",
            ["play ♥3", "play: ♥3", "play the ♥3", "play card ♥3", "♥3", '{"tag":"play","card":"♥3"}'],
        ),
        (
            "palace",
            "inspect",
            ["inspect no_blue 1 1 2 1", "inspect no_blue 1 1 | 2 1"],
        ),
        ("gosne", "play", ["play 11 false", "play 11 chestnut", "play 11 face down", "11 a chestnut"]),
        ("palace", "build", ["build B G", "build G B", '{"tag":"build","palaces":[["B","G"]]}', "build blue green"]),
        ("gosne", "give", ["give 5 1", "give 1 5", '{"tag":"give","cards":["5",1]}']),
    ],
)
def test_what_a_reader_may_well_write_is_one_command(game, tag, answers):
    """Forms on which readers of the texts alone have stumbled."""
    for number in range(200):
        table = played(kifu.games.find(game), 3 * number, number % 30)
        for seat in table.to_act:
            if tag not in {wire_of(table.game).tag(each) for each in table.match.legal(seat)}:
                continue
            try:
                commands = [table.parse(seat, each) for each in answers]
            except Refused:  # as a rule since the cards of the example are not there
                continue
            assert all(each == commands[0] for each in commands)
            return
    raise AssertionError("no turn was found at which all of them are read")


@pytest.mark.parametrize("part", ["discontent", "vote: discontent", "Discontent."])
def test_a_part_of_the_words_that_no_other_command_has_is_enough(part):
    table = next(each for each in tables(kifu.games.find("cake"), 60, "en") if len(each.to_act) > 1)
    assert table.parse(min(table.to_act), part).content is False


def test_a_part_of_japanese_words_is_enough():
    table = text_table("gosne", seed=bytes(32), lang="ja")
    while not table.find(min(table.to_act), "play"):
        table.act(min(table.to_act), "#1")
    seat = min(table.to_act)
    hidden = table.find(seat, "play", gun=False)[0]
    face = table.game.face(hidden.command.card).text
    assert [
        table.parse(seat, each) for each in (f"{face} くり", f"{face}、ウラ(くり)", f"{face}、ウラ\uff08くり\uff09")
    ] == [hidden.command] * 3


@pytest.mark.parametrize("part", ["vote", "a card", "not vote", "content discontent"])
def test_words_that_several_commands_have_or_none_are_refused(part):
    table = next(each for each in tables(kifu.games.find("cake"), 60, "en") if len(each.to_act) > 1)
    assert refusal(table, min(table.to_act), part).kind in ("unread", "form")


@pytest.mark.ci
def test_a_field_that_a_command_has_not_finds_nothing():
    table = text_table("mabr", options={"judge": "lexicon"}, seed=bytes(32))
    assert table.find(0, "draw")
    assert table.find(0, "draw", foo=None) == table.find(0, "draw", foo="n*") == []


def test_a_part_is_not_enough_where_more_is_legal_than_the_list_has():
    for judge, read in (("lexicon", True), ("table", False)):
        table = text_table("mabr", options={"judge": judge}, seed=bytes(32))
        drawn = table.find(0, "draw")[0]
        assert table.parse(0, drawn.words) == drawn.command
        if read:
            assert table.parse(0, drawn.command.abbreviation) == drawn.command
        else:
            assert refusal(table, 0, drawn.command.abbreviation).kind == "unread"


def cut_table():
    everywhere = (played(kifu.games.find("mabr"), number, 33) for number in range(20))
    return next(each for each in everywhere if each.to_act and len(each.match.legal(min(each.to_act))) > 2000)


@pytest.mark.ci
def test_what_is_beyond_the_end_of_a_cut_list_is_found():
    table = cut_table()
    seat = min(table.to_act)
    beyond = table.match.legal(seat)[2000]
    (found,) = [each for each in table.find(seat, "word", word=beyond.word) if each.command == beyond]
    assert table.parse(seat, found.json) == beyond
    assert str(found).startswith(f"declare {beyond.word}: ")
    assert "You may give one of more than 2000 commands" in table.observe(seat)
    assert table.found(seat, "word", {"word": "-"}) == "No legal command fits."


@pytest.mark.ci
def test_where_not_all_are_looked_through_it_is_said(monkeypatch, plants):
    monkeypatch.setattr(listing, "MAX_SEARCHED", 2000)
    table = cut_table()
    said = table.found(min(table.to_act), "word", {"word": "-"})
    assert said == "No legal command fits.\nOthers than those listed may be legal, too."


def test_where_there_is_but_one_command_any_words_of_it_are_enough_and_those_of_another_are_not():
    everywhere = (each for number in range(20) for each in (played(kifu.games.find("take_and_share"), number, 55),))
    table = next(each for each in everywhere if each.to_act and len(each.match.legal(min(each.to_act))) == 1)
    (only,) = [each for tag in table.game.wire.values() for each in table.find(min(table.to_act), tag)]
    words = only.words.split()
    assert words[:3] == ["play", "a", "card:"]
    seat, card = min(table.to_act), words[-1]
    suit = {"♠": "spades", "♥": "hearts", "♦": "diamonds", "♣": "clubs", "★": "stars", "☾": "moons"}[card[0]]
    for some in (card, f"lead {card}", f"Only one card is allowed: {card[1:]} of {suit}", "play a card", f"{suit}"):
        assert table.parse(seat, some) == only.command, some
    other = next(f"{each}9" for each in "♠♥♦" if f"{each}9" not in card)
    for some in (other, f"play {other}", f"share {card}", f"not {card}", "2", "I would rather not", "a"):
        assert refusal(table, seat, some).kind != "empty", some


def test_numbers_are_those_of_the_words():
    """A model that shortens "open pile 1" opens pile 1; JSON counts from 0, as logs do."""
    table = text_table("cake", seed=bytes(32))
    for answer in ("open pile 3", "open 3", "pile 3", "3", "#3", '{"tag":"open","pile":2}'):
        assert table.parse(0, answer).pile == 2, answer
    assert refusal(table, 0, "open 0").kind == "form"


def test_what_could_name_two_is_refused_with_both():
    table = next(each for each in tables(kifu.games.find("cake"), 60, "en") if len(each.to_act) > 1)
    seat = min(table.to_act)
    refused = refusal(table, seat, "vote")
    assert str(refused) == (
        '"vote" could be each of these: #1 vote: content; #2 vote: discontent; '
        "say which, by its number or in all its words"
    )
    assert refused.facts == {"numbers": [1, 2]}
    assert "#1 vote: content; #2 vote: discontent" in str(refusal(table, seat, "#1 vote: discontent"))


def test_a_bare_number_is_refused_where_the_list_and_the_words_say_two():
    for number in range(100):
        table = played(kifu.games.find("gosne"), number, 12 + number % 20)
        for seat in table.to_act:
            listed = [each for tag in table.game.wire.values() for each in table.find(seat, tag)]
            for each in listed:
                word = each.words.split()[-1]
                sharing = [other for other in listed if word in other.words.replace(",", " ").split()]
                if word.isdigit() and 1 <= int(word) <= len(listed) and sharing == [each] and each.number != int(word):
                    refused = refusal(table, seat, word)
                    assert refused.facts == {"numbers": sorted([int(word), each.number])}
                    return
    raise AssertionError("no such turn was found")


def tag_and_values(game, command):
    """Spell a command as a person might: its tag, then its values, a card by its face."""
    tag, _ = wire_of(game).encode(command)
    kinds = {field.name: field.type for field in attrs.fields(attrs.resolve_types(type(command)))}
    values = [spelled(game, kinds[name], value) for name, value in attrs.asdict(command, recurse=False).items()]
    return " ".join([tag, *filter(None, values)])


def spelled(game, kind, value):
    if isinstance(value, tuple):
        nested = value and all(isinstance(each, tuple) for each in value) and "Card" in str(kind)
        args = get_args(kind)
        kinds = [args[0]] * len(value) if args[1:] == (Ellipsis,) else args
        return (" | " if nested else " ").join(spelled(game, *each) for each in zip(kinds, value, strict=True))
    if isinstance(value, bool):
        return str(value).lower()
    if kind is Index or (Index in get_args(kind) and isinstance(value, int)):
        return str(value + 1)
    return game.face(value).text if kind is Card else str(value)


@pytest.mark.parametrize(
    "answer",
    [
        "#1",
        "I think about #3.\nplay ♥3 is bad.\n\n#1\n\n",
        "**#1**",
        "`#1`",
        "```\n#1\n```",
        '```json\n{"tag": "open", "pile": 0}\n```',
        '{"tag":"open","pile":0}',
        '{"tag":"open","fields":{"pile":0}}',
        "open 1",
        "Open 1",
        "1",
        "open pile 1",
        "OPEN  PILE 1.",
    ],
)
def test_the_last_line_counts_without_fences_or_emphasis(answer):
    table = text_table("cake", seed=bytes(32))
    assert table.parse(0, answer).pile == 0


def test_a_face_names_a_card_only_if_it_names_one():
    twofold = attrs.evolve(HIGH_CARD, face=lambda card: kifu.core.game.scene.Face(f"F{card // 2}"))
    table, card = next(
        (table, each.card)
        for table in (text_table(twofold, seed=bytes(31) + bytes([number])) for number in range(50))
        for each in table.match.legal(0)
        if any(other.card == each.card ^ 1 for other in table.match.legal(0))
    )
    with pytest.raises(Refused) as refused:
        table.parse(0, f"lay F{card // 2}")
    assert refused.value.kind == "unread"
    assert "; #" in str(refused.value)  # both are named
    assert table.parse(0, f'{{"tag":"lay","card":{card}}}').card == card


def refusal(table, seat, answer):
    before = table.match.state
    with pytest.raises(Refused) as caught:
        table.parse(seat, answer)
    assert table.match.state is before
    refused = caught.value
    assert "\n" not in str(refused)
    again = pickle.loads(pickle.dumps(refused))
    assert (again.kind, str(again), again.rule, again.facts) == (
        refused.kind,
        str(refused),
        refused.rule,
        refused.facts,
    )
    return refused


class TestRefusals:
    def table(self, lang="en"):
        return text_table("take_and_share", seed=bytes(32), lang=lang)

    def test_empty_and_unread_say_the_forms(self):
        table = self.table()
        for answer in ("", "\n \n", "```\n```", None, 5):
            assert refusal(table, 0, answer).kind == "empty"
        refused = refusal(table, 0, "I would rather not")
        assert refused.kind == "unread"
        assert '"I would rather not"' in str(refused)
        for form in ("#", '{"tag":"play","card":', "play a card: ", "tag and its values"):
            assert form in str(refused)

    def test_a_number_that_there_is_not(self):
        refused = refusal(self.table(), 0, "#99")
        assert (refused.kind, refused.facts) == ("number", {"number": 99, "last": 15})
        assert str(refused) == "the list has no #99; it has #1 to #15"
        assert refusal(self.table(), 0, "#0").kind == "number"

    def test_a_tag_that_the_seat_has_not_now(self):
        refused = refusal(self.table(), 0, '{"tag":"share","cards":[3,4,5]}')
        assert (refused.kind, refused.facts) == ("tag", {"tags": ["play"]})
        assert str(refused) == 'you have no command "share" now; you have play'
        for answer in ("deal", '{"tag":".takeback","to":-1}', '{"tag":7}', "{}", '{"tag":"deal","cards":[]}'):
            assert refusal(self.table(), 0, answer).kind == "tag"

    @pytest.mark.parametrize("answer", ["play", "play x", "play 3 4", "play 103"])
    def test_words_behind_a_tag_that_are_no_value_are_refused_in_words(self, answer):
        refused = refusal(self.table(), 0, answer)
        assert (refused.kind, refused.rule.number, refused.facts["field"]) == ("form", "FORM", "card")
        said = re.escape(f'card could not be read in "{answer}" (FORM); write for example play a card: ')
        assert re.fullmatch(said + ".[0-9]+", str(refused))

    @pytest.mark.parametrize("answer", ['{"tag":"play"}', '{"tag":"play","card":"x"}'])
    def test_a_form_names_the_field_and_the_rule(self, answer):
        refused = refusal(self.table(), 0, answer)
        assert (refused.kind, refused.rule.number) == ("form", "FORM")
        assert str(refused).startswith("this is no whole command (FORM): field ")
        assert 'its form is {"tag":"play","card":CARD}' in str(refused)

    def test_a_broken_rule_is_said_once_with_its_number(self):
        table = self.table()
        missing = next(card for card in range(3, 11) if card not in table.match.view(0).hands[0])
        refused = refusal(table, 0, f"play ♠{missing}")
        assert (refused.kind, refused.rule.number, refused.seat) == ("rule", "TS-2", 0)
        said = f"♠{missing} is not in your hand: play a card that is (TS-2); legal now is for example #"
        assert str(refused).startswith(said)
        assert refused.facts["card"] == missing

    def test_not_asked_and_over(self):
        table = self.table()
        refused = refusal(table, 1, "#1")
        assert (refused.kind, refused.rule.number) == ("turn", "TURN")
        assert str(refused) == "it is not the turn of seat 1; to act: seat 0"
        while table.to_act:
            table.act(min(table.to_act), "#1")
        assert refusal(table, 1, "#1").rule.number == "OVER"

    def test_they_speak_japanese(self):
        for answer in ("", "?", "#99", "share 1", "play", "play ♠1"):
            said = str(refusal(self.table("ja"), 0, answer))
            assert any("\u3040" <= letter <= "\u30ff" for letter in said), said


PIECES = [
    *["#", "#1", "#9999999999999", "{", "}", '{"tag":', '"play"', "play", "vote", "take", "build", "inspect", "quake"],
    *[
        "word",
        "draw",
        "swap",
        "lay",
        "♥3",
        "♠8",
        "R",
        "|",
        "[[",
        "]]",
        "0",
        "-1",
        "1e999",
        "NaN",
        "null",
        "true",
        "かき",
    ],
    *["\x00", "\ud800", "٣", "９", '\\ud800"', "\u202e", "\n", "```", "*", "_", " ", "  ", ",", ":", '"', "9" * 5000],
    *[
        "[" * 3000,
        '{"tag":"open","pile":9}',
        '{"tag":"open","pile":-99999999999999999999999}',
        "A" * 20000,
        "dEAL",
        "no_red",
    ],
    *['{"tag":"take","cards":[1,1]}', '{"tag":"play","card":[]}', '{"tag":"build","palaces":[[]]}', '"fields":{}'],
]


@pytest.mark.ci
@each_game
@pytest.mark.parametrize("count", [150, pytest.param(100_000, marks=pytest.mark.long)])
def test_whatever_is_answered_nothing_is_raised_but_a_refusal(game, count):
    random = Random(game.name)
    positions = [played(game, number, 3 + number * 5) for number in range(6)]
    asked = [(table, seat) for table in positions for seat in table.to_act]
    for number in range(count):
        table, seat = asked[number % len(asked)]
        answer = "".join(random.choice(PIECES) + random.choice(["", " "]) for _ in range(random.randint(0, 6)))
        try:
            command = table.parse(seat, answer)
        except Refused as caught:
            said = str(caught)
        else:
            table.game.apply(table.match.state, seat, command)
            continue
        assert b"\n" not in said.encode()


def test_rules_that_fail_on_a_strangers_command_refuse_it():
    def apply(state, seat, command):
        if getattr(command, "card", 0) > 30:
            raise ZeroDivisionError
        return HIGH_CARD.apply(state, seat, command)

    table = text_table(attrs.evolve(HIGH_CARD, apply=apply), seed=bytes(32))
    with pytest.raises(Refused) as caught:
        table.parse(0, '{"tag":"lay","card":31}')
    assert (caught.value.kind, caught.value.rule.number) == ("form", "FORM")


@pytest.mark.parametrize(
    "answer",
    [
        '{\n  "tag": "open",\n  "pile": 1\n}',
        '```json\n{\n  "tag": "open", "pile": 1\n}\n```',
        r"\boxed{#2}",
        r"$\boxed{open pile 2}$",
        r"\boxed{\text{open pile 2}}",
        "Final answer: open pile 2",
        "**Final answer:** #2",
        "My final answer is #2.",
        "The answer is: open pile 2",
        r"So my answer is $\boxed{2}$.",
        "I open pile 2: <answer>#2</answer>",
        "OPEN PILE 2!",
    ],
)
def test_what_models_write_about_a_command_is_read(answer):
    table = text_table("cake", seed=bytes(32))
    assert wire_of(table.game).encode(table.parse(0, answer)) == ("open", {"pile": 1})


@pytest.mark.parametrize(
    "answer",
    [
        "最終回答: 山札2を開く",
        "答え\uff1a山札2を開く",
        "選択\uff1a#2",
        "#2\uff1a山札2を開く",
        "open\uff1a 2",
        r"\boxed{山札2を開く}",
    ],
)
def test_what_models_write_in_japanese_about_a_command_is_read(answer):
    table = text_table("cake", seed=bytes(32), lang="ja")
    assert wire_of(table.game).encode(table.parse(0, answer)) == ("open", {"pile": 1})


@pytest.mark.parametrize(
    "answer", ["open pile 2 or open pile 3", "either #2, or #3", "#2 or #3", r"#3, no: \boxed{#2}"]
)
def test_a_line_that_names_two_commands_is_refused_with_both(answer):
    with pytest.raises(Refused, match="#2 open pile 2; #3 open pile 3; say which") as caught:
        text_table("cake", seed=bytes(32)).parse(0, answer)
    assert caught.value.facts["numbers"] == [2, 3]


def test_the_json_of_an_earlier_line_is_not_read_where_the_last_line_is_another():
    table = text_table("cake", seed=bytes(32))
    assert wire_of(table.game).encode(table.parse(0, '{"tag": "open", "pile": 1}\n{"tag": "open", "pile": 2}')) == (
        "open",
        {"pile": 2},
    )


@pytest.mark.parametrize(
    "answer",
    [
        *[
            "Answer: draw",
            "**Answer:** draw",
            "My answer is #1",
            "Answer: 1",
            "Move: draw",
            "(#1)",
            "<answer>#1</answer>",
        ],
        *["> draw", "- draw", "I draw", "I would like to draw a card.", "draw a card", "draw (#1)", "Option #1"],
        *['Answer: {"tag":"draw"}', '{"tag":"draw"}.', "So I choose: draw"],
    ],
)
def test_what_stands_around_a_command_is_left_out(answer):
    table = text_table("palace", seed=bytes(32))
    assert wire_of(table.game).tag(table.parse(0, answer)) == "draw"


@pytest.mark.parametrize(
    "answer",
    [
        *["do not draw", "I won't draw", "never #1", "not: #1", "#1 is bad", "build G (#1)", "either draw or #2"],
        *["draw 2 cards", "draw, then build G", "I shall never do this: draw", '{"tag":"draw"', "draw blue"],
        *["I cause an earthquake: blue", "earthquake: blue", "inspect: blue", "a palace to inspect: G"],
    ],
)
def test_what_may_mean_another_command_is_refused(answer):
    refusal(text_table("palace", seed=bytes(32)), 0, answer)


REJECTIONS = {
    ("palace", "en"): [
        *["Draw is too slow, so #2", "draw (#2)", "draw loses to #2", "draw and #2", "draw was last turn; now #2"],
        *["Draw is bad", "I would draw if I could", "I will draw next turn", "I would avoid #2", "avoid #2"],
        *["Instead of #2", "Anything rather than #2", "anything else than #2", "draw, rather than #2", "neither #2"],
        *["I'd rather draw than #2", "I prefer draw over #2", "I reject #2", "draw. I rejected #2", "Worst: #2"],
        *["My move isn't #2", "I wouldn't play #2", "I shouldn't play #2", "It would be a mistake to play #2"],
        *["I considered #2", r"I won't play \boxed{#2}", "not <answer>#2</answer>", "<answer>#2</answer> is wrong"],
        *[r"I draw, not \boxed{#2}", r"instead of \boxed{build B}", r"I hate \boxed{draw}", r"\boxed{#2} \u274c"],
        *["avoid: draw", "Instead of this: draw", "The worst would be: draw", "Last turn I played: draw", "#2?"],
        *[
            "My rival should: draw",
            "A single pillar never has a pair: #1",
            "<wrong>#2</wrong>",
            "\u274c #2",
            "!= #2",
            "~~#2~~",
        ],
    ],
    ("palace", "ja"): ["選ばないのは#2", "選ばない\uff1a#1", "いいえ\uff1a#2", "以外: #2", "反対\uff1a山札から引く"],
    ("mabr", "en"): ["Pass is weak so #1", "pass on NHK"],
    ("take_and_share", "en"): ["opponent leads: ♦7", "They led: ♦7", "Losing card: ♦7"],
    ("cake", "en"): [
        *['I open {"pile": 1} not', 'not open {"pile": 1}', "open {pile: 1}", 'open {"pile": 1, "x": 2}', "open {}"],
        *[
            'open("pile": 1)',
            '"pile": 1',
            "open pile 2 (#3)",
            'open pile 1 {"pile": 1}',
            'open {"pile": 1} {"pile": 1}',
        ],
    ],
}


@cache
def first_turn(game, lang):
    return text_table(game, seed=bytes(32), lang=lang)


@pytest.mark.parametrize(("where", "answer"), [(where, each) for where in REJECTIONS for each in REJECTIONS[where]])
def test_what_rejects_a_command_or_tells_of_another_turn_is_not_played(where, answer):
    refusal(first_turn(*where), 0, answer)


@pytest.mark.parametrize(
    "answer",
    [
        *["I play #2", "I\u2019ll go with #2", "The best move is **#2**.", "Thus we choose option (#2)", "Build: #2"],
        *[r"My final answer is \(\boxed{#2}\).", r"I build B: \boxed{#2}", "I build B (#2)", "Answer: #2 build: B"],
    ],
)
def test_a_number_behind_words_of_choice_or_its_own_command_is_played(answer):
    assert first_turn("palace", "en").parse(0, answer) == first_turn("palace", "en").parse(0, "#2")


OTHERS = str.split("against worse skip after unlike lose yesterday opponent maybe could hardly wrong ban last you they")
OWN_WORDS = str.split("draw build builds red green blue yellow black white")
words = st.lists(st.sampled_from(sorted(each for each in CHOICES if each.isascii())), max_size=6)
others = st.sampled_from(OTHERS) | st.text("abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=9)


@pytest.mark.ci
@given(words, others.filter(lambda word: word not in CHOICES and word not in OWN_WORDS), st.integers(0, 7), st.data())
def test_one_word_around_a_number_that_is_no_word_of_choice_refuses_it(before, other, place, data):
    table, mark = first_turn("palace", "en"), data.draw(st.sampled_from([" ", ": ", ", ", " ("]))
    assert table.parse(0, f"{' '.join(before)}{mark}#2") == table.parse(0, "#2")
    refusal(table, 0, f"{' '.join([*before[:place], other, *before[place:]])}{mark}#2")
    refusal(table, 0, f"{' '.join(before)}{mark}#2 {other}")


def seconds_to_read(answer):
    """Return the least of three times: the processor's."""
    times = []
    for _ in range(3):
        began = process_time()
        refusal(first_turn("cake", "en"), 0, answer)
        times.append(process_time() - began)
    return min(times)


@pytest.fixture(scope="module")
def numbers_s():
    return seconds_to_read("#1 " * 3300)


@pytest.mark.parametrize(
    "answer",
    [
        *["<a>" + " " * 5000 + "x", "<answer>" * 5000, "\\boxed{" * 5000, "```" + " " * 9000 + "!"],
        *["," * 9990 + "x", ":" * 9990 + "x", "a" + " " * 9990 + "x", "]" + " " * 9990 + "x", "(#1 " * 2400],
        *["一番" * 2500, "席1は" * 3333, "a b" * 3333],
    ],
    ids=lambda answer: answer[:4],
)
def test_no_answer_takes_much_longer_to_read_than_as_many_numbers(answer, numbers_s):
    assert seconds_to_read(answer) < 5 * numbers_s


@pytest.mark.parametrize(
    "answer", ['open {"pile": 1}', 'open: {"pile": 1}', 'Answer: open {"pile": 1}', 'OPEN {"pile":1}.']
)
def test_json_behind_its_tag_is_json(answer):
    """It counts from 0, as all JSON does."""
    assert first_turn("cake", "en").parse(0, answer) == first_turn("cake", "en").parse(0, "open pile 2")


def test_json_behind_a_tag_may_have_faces_and_no_field():
    hearts = first_turn("take_and_share", "en")
    assert hearts.parse(0, 'play {"card": "♦7"}') == hearts.parse(0, "♦7")
    assert hearts.parse(0, 'play {"card": 207}') == hearts.parse(0, "♦7")
    assert wire_of(first_turn("palace", "en").game).tag(first_turn("palace", "en").parse(0, "draw {}")) == "draw"


def test_json_that_is_broken_is_not_read_as_words():
    """`{"pile":2,}` is pile 3 of the words."""
    for answer in ('{"pile":2,}', '{"tag":"open","pile":2,}', 'Answer: {"pile": 2'):
        assert refusal(text_table("cake", seed=bytes(32)), 0, answer).kind == "unread"


@pytest.mark.parametrize(
    ("answer", "card"),
    [
        *[("the 7 of diamonds", "♦7"), ("play the 3 of hearts.", "♥3"), ("♣ 7", "♣7"), ("10♣", "♣10")],
        *[("the seven of diamonds", "♦7"), ("I play the Ten of Clubs.", "♣10"), ("three of hearts", "♥3")],
        *[("two of hearts", None), ("two seven of diamonds", None), ("not the seven of diamonds", None)],
        *[("seven", None), ("three of hearts or seven of diamonds", None), ("ace of spades", None)],
        *[("I play star 4", "★4"), ("★", None), ("8 of clubs", None), ("play 7 of diamonds", "♦7"), ("play 4", "★4")],
    ],
)
def test_a_card_may_be_said(answer, card):
    table = text_table("take_and_share", seed=bytes(32))
    if card is None:
        assert refusal(table, 0, answer).kind in ("unread", "rule")
    else:
        assert table.game.face(table.parse(0, answer).card).text == card


@pytest.mark.parametrize(
    ("answer", "card"),
    [
        *[
            ("ハートの3", "♥3"),
            ("ダイヤの7を出す", "♦7"),
            ("ダイヤ7", "♦7"),
            ("クラブの10を出します。", "♣10"),
            ("星の4", "★4"),
        ],
        *[
            ("ハートの2", None),
            ("スペードの1", None),
            ("ハートの3は出さない", None),
            ("ダイヤの7以外", None),
            ("星", None),
        ],
        *[("ハートの3かダイヤの7", None), ("ダイヤの7ではなくハートの3", None), ("前回はダイヤの7を出した", None)],
    ],
)
def test_a_card_may_be_said_in_japanese(answer, card):
    table = first_turn("take_and_share", "ja")
    if card is None:
        refusal(table, 0, answer)
    else:
        assert table.game.face(table.parse(0, answer).card).text == card


def test_a_number_behind_a_tag_is_no_code_of_a_card():
    """6 is the code of ♠6, and a reader means any six."""
    table = text_table("take_and_share", seed=bytes(32))
    assert refusal(table, 0, "play 6").facts["numbers"] == [1, 7, 13]
    assert refusal(table, 0, "6").facts["numbers"] == [1, 6, 7, 13]
    assert refusal(text_table("palace", seed=bytes(32)), 0, "build 3").kind == "form"
    assert refusal(table, 0, "♠3").rule.number == "TS-2"


def test_the_exact_cards_win_over_more_of_them():
    table = text_table("palace", seed=bytes(32))
    assert table.parse(0, "G B").palaces == ((2, 3),)
    assert table.parse(0, "B").palaces == ((3,),)
    assert refusal(table, 0, "build B B").rule.number == "PAL-8"
    assert refusal(table, 0, "build G | G | B").kind in ("form", "rule")
    assert refusal(table, 0, "build G | B B").rule.number in ("PAL-8", "PAL-9")


def test_a_command_that_cannot_be_given_now_is_refused_by_the_rule_that_forbids_it():
    everywhere = (played(kifu.games.find("palace"), number, 20 + number % 9) for number in range(60))
    asked = ((each, min(each.to_act)) for each in everywhere if each.to_act)
    table, seat = next(
        (t, seat) for t, seat in asked if {type(each).__name__ for each in t.match.legal(seat)} == {"Build"}
    )
    assert refusal(table, seat, "draw").rule.number == "PAL-5"
    assert refusal(table, seat, '{"tag":"draw"}').rule.number == "PAL-5"


def test_words_may_stand_in_another_order_and_a_number_stays_behind_its_word():
    everywhere = (played(kifu.games.find("palace"), number, 20 + number % 20) for number in range(60))
    table = next(
        each for each in everywhere if each.to_act and each.find(min(each.to_act), "inspect", charge="no_pair")
    )
    seat = min(table.to_act)
    listed = table.find(seat, "inspect", charge="no_pair")
    for each in listed:
        number, owner = re.findall("[0-9]+", each.words)
        for form in (
            f"no pair: inspect palace {number} of seat {owner}",
            f"inspect seat {owner} palace {number}: no pair",
            f"no pair: inspect seat {owner} palace {number}",
            f"inspect seat {owner}, palace {number}: no pair",
        ):
            assert table.parse(seat, form) == each.command
        if number != owner:
            refusal(table, seat, f"no pair: inspect palace {owner} of seat {number}1")
        refusal(table, seat, f"inspect no_pair {number} seat {owner}")


@pytest.mark.ci
def test_a_palace_of_a_seat_is_not_read_as_two_palaces():
    everywhere = (played(kifu.games.find("palace"), number, 20 + number % 20) for number in range(120))
    read = 0
    for table in everywhere:
        for seat in table.to_act:
            for each in table.find(seat, "inspect", charge="no_red"):
                if len(each.command.targets) == 1:
                    number, owner = re.findall("[0-9]+", each.words)
                    with suppress(Refused):
                        assert table.parse(seat, f"inspect seat {owner}, palace {number}: no red") == each.command
                        read += 1
    assert read > 20


def test_two_lists_beside_each_other_are_two_palaces():
    table = first_turn("palace", "en")  # where nobody has fewer palaces than all others
    for said in ("build [G] [B]", "build [[G], [B]]", "build: [G],[B]"):
        assert refusal(table, 0, said).rule.number == "PAL-9"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        *[("inspect palace {} of seat {}: all colors", True), ("inspect palace {} of seat {} for all colours", True)],
        ("inspect palace {} of seat {}: all four colours", True),
        ("inspect palace {} of seat {}: all five colours", False),
    ],
)
def test_a_charge_may_be_spelled_otherwise(said, meant):
    everywhere = (played(kifu.games.find("palace"), number, 20 + number % 20) for number in range(60))
    table = next(each for each in everywhere if each.to_act and each.find(min(each.to_act), "inspect"))
    seat = min(table.to_act)
    for each in table.find(seat, "inspect", charge="all_colours"):
        line = said.format(*re.findall("[0-9]+", each.words))
        if meant:
            assert table.parse(seat, line) == each.command
        else:
            assert each.words in str(refusal(table, seat, line)), "it is the one that is asked for"


def test_the_closest_command_is_asked_for():
    table = next(each for each in tables(kifu.games.find("cake"), 60, "en") if len(each.to_act) > 1)
    assert str(refusal(table, min(table.to_act), "I might be content")) == (
        'no command was read in "I might be content"; did you mean #1 vote: content? '
        "The last line holds the command and no other word"
    )
    assert "did you mean" not in str(refusal(table, min(table.to_act), "I shall not be content")), "it is the other"


def test_a_hint_has_no_other_cards_than_those_said():
    table = text_table("palace", seed=bytes(32))  # seat 0 has G G B
    assert "build: G G B" in str(refusal(table, 0, "build some G G B maybe"))
    assert not re.search("did you mean|build: (?:G G|G B|G)$", str(refusal(table, 0, "some G B B maybe, I build")))
    assert "did you mean" not in str(refusal(table, 0, "from the pile, some G G B")), "the pile is drawn from"


@pytest.mark.parametrize(
    ("answer", "pile"),
    [
        *[("Open pile number 4", 3), ("I will open pile 4 now", 3), ("Let us open pile 4.", 3), ('{"pile": 3}', 3)],
        *[("#3 open pile 4", 3), ("#3 (open pile 4)", 3), ("#3: I open pile 4", 3), ("open pile #3", None)],
        *[("#3 (open pile 5)", None), ("#3: not open pile 4", None), ("pile #3", None), ('{"pile": 3, "x": 1}', None)],
    ],
)
def test_a_number_and_words_beside_it_are_one_command_or_refused(answer, pile):
    """Pile 2 is open, so that #3 of the list is pile 4: `open pile #3` could be both."""
    table = played(kifu.games.find("cake"), 0, 1)
    while len(table.match.legal(min(table.to_act))) != 5 or not table.find(min(table.to_act), "open"):
        table.act(min(table.to_act), "#2" if table.find(min(table.to_act), "open") else "#1")
    seat = min(table.to_act)
    if pile is None:
        refusal(table, seat, answer)
    else:
        assert table.parse(seat, answer).pile == pile


def test_words_of_both_cards_are_not_of_none():
    everywhere = (played(kifu.games.find("cake"), number, 10 + number % 9) for number in range(60))
    table = next(each for each in everywhere if each.to_act and len(each.match.legal(min(each.to_act))) == 4)
    seat = min(table.to_act)
    assert [len(table.parse(seat, each).eat) for each in ("keep both", "eat nothing", "eat both")] == [0, 0, 2]
    refusal(table, seat, "both")


@pytest.mark.parametrize(
    ("game", "tag", "form"),
    [
        *[
            ("take_and_share", "play", "I lead {}"),
            ("take_and_share", "play", "discard the {}."),
            ("gosne", "give", "pass {}"),
        ],
        *[
            ("take_and_share", "share", "give {}"),
            ("palace", "draw", "take a card from the pile"),
            ("gosne", "declare", "declare card {}"),
        ],
    ],
)
def test_what_a_command_may_be_called_as_well(game, tag, form):
    table = next(each for each in tables(kifu.games.find(game), 200, "en") if each.find(min(each.to_act), tag))
    seat = min(table.to_act)
    for each in table.find(seat, tag):
        values = each.words.partition(": ")[2]
        assert table.parse(seat, form.format(values)) == each.command
        refusal(table, seat, f"they {form.format(values)}")
        refusal(table, seat, f"not {form.format(values)}")


@pytest.mark.parametrize(
    ("game", "tag", "form"), [("take_and_share", "play", "リード {}"), ("gosne", "give", "渡す {}")]
)
def test_what_a_command_may_be_called_as_well_in_japanese(game, tag, form):
    table = next(each for each in tables(kifu.games.find(game), 200, "ja") if each.find(min(each.to_act), tag))
    seat = min(table.to_act)
    for each in table.find(seat, tag):
        face = " ".join(re.findall("[♠♥♦♣★☾]?[0-9X]+(?![0-9枚])", each.words))
        assert table.parse(seat, form.format(face)) == each.command


def test_a_gun_may_be_played_as_a_gun():
    table = next(each for each in tables(kifu.games.find("gosne"), 200, "en") if each.find(min(each.to_act), "play"))
    seat = min(table.to_act)
    for each in table.find(seat, "play"):
        card, kind = table.game.face(each.command.card).text, "gun" if each.command.gun else "chestnut"
        assert table.parse(seat, f"I play {card} as a {kind}") == each.command
        refusal(table, seat, f"I play {card} as no {kind}")


def test_what_is_whose_names_it():
    table = next(each for each in tables(kifu.games.find("cake"), 200, "en") if each.find(min(each.to_act), "claim"))
    seat = min(table.to_act)
    for each in table.find(seat, "claim"):
        owner = each.command.owner
        for said in (f"claim seat {owner}'s pair", f"claim the pair in front of seat {owner}"):
            assert table.parse(seat, said) == each.command


def test_a_refusal_counts_as_the_words_do():
    table = text_table("cake", seed=bytes(32))
    assert "there are piles 1 to 6, not 7 " in str(refusal(table, 0, "open 7"))
    table.act(0, "open 1")
    assert "are called for, not 6 " in str(refusal(table, 0, '{"tag":"take","cards":[6]}'))


@pytest.mark.parametrize(
    ("answer", "eaten"),
    [
        *[("keep nothing", None), ("keep nothing, eat both", None), ("keep both, eat", None), ("nothing: keep", None)],
        *[("eat nothing", 0), ("keep both", 0), ("nothing", 0), ("eat nothing, keep both", 0), ("eat both", 2)],
    ],
)
def test_what_denies_a_word_denies_the_same_word_of_the_command(answer, eaten):
    everywhere = (played(kifu.games.find("cake"), number, 10 + number % 9) for number in range(60))
    table = next(each for each in everywhere if each.to_act and len(each.match.legal(min(each.to_act))) == 4)
    seat = min(table.to_act)
    if eaten is None:
        refusal(table, seat, answer)
    else:
        assert len(table.parse(seat, answer).eat) == eaten


@pytest.mark.parametrize(
    ("answer", "lang", "charge"),
    [
        *[(each, "en", None) for each in ("pair", "a pair", "red", "inspect: red", "inspect for a pair")],
        *[("no pair", "en", "no_pair"), ("inspect: no red", "en", "no_red"), ("all colours", "en", "all_colours")],
        *[(each, "ja", None) for each in ("青", "B", "査察する 青", "査察する B", "ペアがある", "赤")],
        *[("青の柱がない", "ja", "no_blue"), ("要件B", "ja", "no_yellow"), ("要件A「赤の柱がない」", "ja", "no_red")],
    ],
)
def test_a_charge_is_read_with_its_denial_and_is_no_card(answer, lang, charge):
    table = text_table("palace", seed=bytes([11]) + bytes(31), lang=lang)
    table.act(0, '{"tag":"build","palaces":[["G"]]}')  # seat 1 has Y G G
    if charge is None:
        refusal(table, 1, answer)
    else:
        assert table.parse(1, answer).charge == charge


def test_the_only_command_is_not_read_where_another_seat_is_named():
    everywhere = tables(kifu.games.find("cake"), 200, "ja")
    table = next(each for each in everywhere if len(each.find(min(each.to_act), "claim")) == 1)
    seat = min(table.to_act)
    (only,) = table.find(seat, "claim")
    assert table.parse(seat, f"獲得する 席{only.command.owner}") == only.command
    refusal(table, seat, f"獲得する 席{(only.command.owner + 1) % 3}")


def test_what_stands_behind_a_number_in_a_shared_japanese_line_may_be_repeated():
    everywhere = (played(kifu.games.find("palace"), number, 20 + number % 20, "ja") for number in range(60))
    table = next(each for each in everywhere if each.to_act and len(each.find(min(each.to_act), "inspect")) > 6)
    for each in table.find(min(table.to_act), "inspect"):
        assert table.parse(min(table.to_act), f"#{each.number} {each.words.rpartition('、')[2]}") == each.command
