"""How an answer is read: three forms, the last line alone, and refusals that say what would have been fine."""

import pickle
import re
from random import Random
from time import process_time

import kifu
import pytest
from high_card import GAME as HIGH_CARD
from kifu.core.env import Refused, text_table
from kifu.core.env.text import listing
from kifu.core.wire import plain, wire_of

from ..samples import each_game
from .positions import QUICK, each_lang, many, played, tables

WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
"""Each letter of ASCII as one of full width."""


def refusal(table, seat, answer):
    before = table.match.state
    with pytest.raises(Refused) as caught:
        table.parse(seat, answer)
    assert table.match.state is before
    refused = caught.value
    assert "\n" not in str(refused)
    again = pickle.loads(pickle.dumps(refused))
    assert (str(again), vars(again)) == (str(refused), vars(refused))
    return refused


def listed(table, seat):
    return [each for tag in table.game.wire.values() for each in table.find(seat, tag) if each.number]


@pytest.mark.ci
@each_game
@each_lang
@many
def test_every_legal_command_is_read_from_its_number_its_json_and_its_words(game, lang, count):
    for table in tables(game, count, lang):
        for seat in table.to_act:
            commands = sorted(listed(table, seat), key=lambda each: each.number)
            assert [each.command for each in commands] == table.match.legal(seat)[:2000]
            for each in commands[:: max(1, len(commands) // 12)]:
                words = (each.words, each.words.upper(), f"  {each.words.replace(' ', '   ')} ")
                wide = each.words.translate(WIDE).replace(" ", "\u3000")
                tag, fields = wire_of(game).encode(each.command)
                as_seen = str({"tag": tag, "fields": plain(fields)}).translate({ord("'"): '"'})
                for form in (f"#{each.number}", f"＃{each.number}", each.json, *words, wide):
                    assert table.parse(seat, form) == each.command, form
                if as_seen.isascii() and "True" not in as_seen and "False" not in as_seen:
                    assert table.parse(seat, as_seen) == each.command, as_seen


def test_a_number_needs_no_mark_where_nothing_else_is_called_so():
    table = text_table("cake", seed=bytes(32))
    assert table.parse(0, "3") == table.parse(0, "#3") == table.parse(0, "open pile 3")
    assert refusal(table, 0, "9").kind == "number"


@pytest.mark.ci
@each_game
@each_lang
def test_a_bare_number_is_never_a_command_whose_words_have_another(game, lang):
    read = 0
    for table in tables(game, QUICK, lang):
        for seat in table.to_act:
            commands = listed(table, seat)
            for number in range(1, min(len(commands), 15) + 1):
                others = [each for each in commands if each.number != number and str(number) in each.words]
                if any(re.search(rf"(?<![0-9]){number}(?![0-9])", each.words) for each in others):
                    assert refusal(table, seat, str(number)).kind == "unread"
                else:
                    read += 1
                    assert table.parse(seat, str(number)) == table.parse(seat, f"#{number}")
    assert read


@pytest.mark.parametrize(
    "answer",
    [
        "#1",
        "# 1",
        "1",
        "I think about #3.\nopen pile 3 is bad.\n\n#1\n\n",
        "**#1**",
        "`#1`",
        "_open pile 1_",
        "```\n#1\n```",
        '```json\n{"tag": "open", "pile": 0}\n```',
        '{\n  "tag": "open",\n  "pile": 0\n}',
        'Well:\n```json\n{\n  "tag": "open", "pile": 0\n}\n```\n',
        '{"tag":"open","pile":0}',
        '{"tag":"open","fields":{"pile":0}}',
        "Open  Pile 1",
        r"\boxed{#1}",
        r"$\boxed{\#1}$",
        r"\[\boxed{open pile 1}\]",
        r'**\boxed{{"tag":"open","pile":0}}**',
    ],
)
def test_the_last_line_counts_without_fences_emphasis_and_box(answer):
    assert text_table("cake", seed=bytes(32)).parse(0, answer).pile == 0


def test_the_json_of_an_earlier_line_is_not_read_where_the_last_line_is_another():
    table = text_table("cake", seed=bytes(32))
    assert table.parse(0, '{"tag": "open", "pile": 1}\n{"tag": "open", "pile": 2}').pile == 2


@pytest.mark.parametrize(
    "answer",
    [
        *["open", "open 1", "pile 1", "I open pile 1", "open pile 1 please", "open pile 1.", "open pile one"],
        *["Answer: #1", "#1 open pile 1", "#1 or #2", "#1.", "(1)", "not #1", "#1?", r"not \boxed{#1}", "open-pile-1"],
        *['{"pile":0}', 'open {"pile":0}', '{"tag":"open","pile":0}.', '{"tag":"open","pile":0', '[{"tag":"open"}]'],
        *['{"answer":"#1"}', '"#1"', "{}", "open pile 1 {}", "山札1を開く", "#", "?"],
    ],
)
def test_anything_else_is_refused_with_the_three_forms(answer):
    table = text_table("cake", seed=bytes(32))
    refused = refusal(table, 0, answer)
    assert (refused.kind, refused.rule, refused.facts) == ("unread", None, {})
    number = str(refused).partition("(#")[2].partition(")")[0]
    command = table.parse(0, f"#{number}")
    (example,) = [each for each in listed(table, 0) if each.command == command]
    assert f"JSON ({example.json})" in str(refused)
    assert f"({example.words})" in str(refused)


@pytest.mark.ci
def test_what_is_beyond_the_end_of_a_cut_list_is_found_and_given_as_json():
    table = cut_table()
    seat = min(table.to_act)
    beyond = table.match.legal(seat)[2000]
    (found,) = [each for each in table.find(seat, "word", word=beyond.word) if each.command == beyond]
    assert table.parse(seat, found.json) == beyond
    assert str(found).startswith(f"declare {beyond.word}: ")
    assert "You may give one of more than 2000 commands" in table.observe(seat)
    assert table.found(seat, "word", {"word": "-"}) == "No legal command fits."


def cut_table():
    everywhere = (played(kifu.games.find("mabr"), number, 33) for number in range(20))
    return next(each for each in everywhere if each.to_act and len(each.match.legal(min(each.to_act))) > 2000)


@pytest.mark.ci
def test_where_not_all_are_looked_through_it_is_said(monkeypatch):
    monkeypatch.setattr(listing, "MAX_SEARCHED", 2000)
    table = cut_table()
    said = table.found(min(table.to_act), "word", {"word": "-"})
    assert said == "No legal command fits.\nOther commands than those listed may be legal, too."


@pytest.mark.ci
def test_a_field_that_a_command_has_not_finds_nothing():
    table = text_table("mabr", options={"judge": "lexicon"}, seed=bytes(32))
    assert table.find(0, "draw")
    assert table.find(0, "draw", foo=None) == table.find(0, "draw", foo="n*") == []


class TestRefusals:
    def table(self, lang="en"):
        return text_table("take_and_share", seed=bytes(32), lang=lang)

    def test_empty_says_the_forms(self):
        for answer in ("", "\n \n", "```\n```", "**", None, 5):
            refused = refusal(self.table(), 0, answer)
            assert refused.kind == "empty"
            for form in ("a number of the list (#", 'JSON ({"tag":"play","card":', "its words (play a card: "):
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
        for answer in ('{"tag":".takeback","to":-1}', '{"tag":7}', '{"tag":null}', '{"tag":"deal","cards":[]}'):
            assert refusal(self.table(), 0, answer).kind == "tag"

    def test_a_tag_that_a_rule_of_the_game_forbids_now(self):
        everywhere = (played(kifu.games.find("palace"), number, 20 + number % 9) for number in range(60))
        asked = ((each, min(each.to_act)) for each in everywhere if each.to_act)
        table, seat = next(
            (t, seat) for t, seat in asked if {type(each).__name__ for each in t.match.legal(seat)} == {"Build"}
        )
        assert refusal(table, seat, '{"tag":"draw"}').rule.number == "PAL-5"

    @pytest.mark.parametrize("answer", ['{"tag":"play"}', '{"tag":"play","card":"x"}', '{"tag":"play","card":"♥3"}'])
    def test_a_form_names_the_field_and_the_rule(self, answer):
        refused = refusal(self.table(), 0, answer)
        assert (refused.kind, refused.rule.number) == ("form", "FORM")
        assert str(refused).startswith("this is not a whole command (FORM): field ")
        assert 'its form is {"tag":"play","card":CARD}' in str(refused)

    def test_a_broken_rule_is_said_once_with_its_number(self):
        table = self.table()
        missing = next(card for card in range(3, 11) if card not in table.match.view(0).hands[0])
        refused = refusal(table, 0, f'{{"tag":"play","card":{missing}}}')
        assert (refused.kind, refused.rule.number, refused.seat) == ("rule", "TS-2", 0)
        said = f"♠{missing} is not in your hand: play a card that is (TS-2); a legal command is for example #"
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
        for answer in ("", "?", "#99", '{"tag":"share"}', '{"tag":"play"}', '{"tag":"play","card":1}'):
            said = str(refusal(self.table("ja"), 0, answer))
            assert any("\u3040" <= letter <= "\u30ff" for letter in said), said

    def test_they_count_as_the_words_do(self):
        table = text_table("cake", seed=bytes(32))
        assert "there are piles 1 to 6, not 7 " in str(refusal(table, 0, '{"tag":"open","pile":6}'))
        table.act(0, "#1")
        assert ", not 6 " in str(refusal(table, 0, '{"tag":"take","cards":[6]}'))


PIECES = [
    *["#", "#1", "#9999999999999", "1", "{", "}", '{"tag":', '"play"', "play", "vote", "take", "build", "inspect"],
    *["word", "draw", "♥3", "♠8", "R", "|", "[[", "]]", "0", "-1", "1e999", "NaN", "null", "true", "かき"],
    *["\x00", "\ud800", "٣", "９", '\\ud800"', "\u202e", "\n", "```", "*", "_", " ", "  ", ",", ":", '"', "9" * 5000],
    *["[" * 3000, "\\boxed{", "A" * 20000, "dEAL", "no_red", '{"tag":"open","pile":9}', '"fields":{}', '{"tag":[]}'],
    *['{"tag":"open","pile":-99999999999999999999999}', '{"tag":"draw","fields":{"tag":"draw"}}', '{"tag":"deal"}'],
    *['{"tag":"take","cards":[1,1]}', '{"tag":"play","card":[]}', '{"tag":"build","palaces":[[]]}'],
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

    table = text_table(HIGH_CARD.altered(apply=apply), seed=bytes(32))
    with pytest.raises(Refused) as caught:
        table.parse(0, '{"tag":"lay","card":31}')
    assert (caught.value.kind, caught.value.rule.number) == ("form", "FORM")


@pytest.mark.parametrize(
    "answer",
    ["#1 " * 3300, "\\boxed{" * 5000, "```" + " " * 9000 + "!", "," * 9990 + "x", "a" + " " * 9990 + "x", "{" * 9990],
    ids=lambda answer: answer[:4],
)
def test_no_answer_takes_long_to_read(answer):
    table, times = text_table("cake", seed=bytes(32)), []
    for _ in range(3):
        began = process_time()
        refusal(table, 0, answer)
        times.append(process_time() - began)
    assert min(times) < 0.05
