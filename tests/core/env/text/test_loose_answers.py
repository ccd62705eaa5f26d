"""Answers as readers of the texts alone write them: what plays is what a person would read, the rest is refused."""

from functools import cache

import pytest
from kifu.core.env import Refused, text_table
from kifu.core.env.text.japanese import number_chosen, pieces
from kifu.core.wire import wire_of


@cache
def turn(game, tag, count, lang="en", seats=None):
    """Return a table, and its seat that has at least so many commands of a tag and gave the first one until then."""
    table = text_table(game, seats, seed=bytes([7] * 32), lang=lang)
    while True:
        seat = min(table.to_act)
        listed = [each for each in table.find(seat, tag) if wire_of(table.game).tag(each.command) == tag]
        if len(listed) >= count:
            return table, seat
        table.act(seat, "#1")


def meant(where, answer):
    """Return the number of the command that an answer is read as; of a refusal, the numbers that it names."""
    table, seat = where
    try:
        command = table.parse(seat, answer)
    except Refused as refused:
        return refused.facts.get("numbers", [])
    return table.match.legal(seat).index(command) + 1


PAIR = turn("cake", "settle", 4)
HAND = turn("take_and_share", "play", 15)
SHARE = turn("take_and_share", "share", 6)
PALACE = turn("palace", "build", 2)


def test_a_question_plays_nothing_whatever_it_asks():
    """One rule: `draw?` as `#1?`."""
    for where, answers in (
        (PALACE, ["draw?", "#1?", "Draw\uff1f", "(draw?)", "draw?!", "1?", "**draw?**"]),
        (PAIR, ["keep both?", "#1 keep both, eat nothing?"]),
    ):
        for answer in answers:
            with pytest.raises(Refused, match="asks, and plays nothing") as refused:
                where[0].parse(where[1], answer)
            assert refused.value.kind == "unread"


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        *[
            (each, 1)
            for each in ("1.", "(1)", "1)", "#1;", '"#1"', "'#1'", "「#1」", "\\#1", "$\\boxed{\\#1}$", "＃１", "１")
        ],
        *[(each, 1) for each in ("I choose **#1**.", '"keep both, eat nothing"', "1. keep both, eat nothing")],
        *[
            (each, 1)
            for each in ("settle keep both", "settle eat nothing", "settle: eat []", "eat []", "eat: []", '"eat": []')
        ],
        *[(each, 1) for each in ('{"move":"#1"}', '{"answer":1}', '{"thought":"3?","command":"keep both"}')],
        *[(each, 1) for each in ('{"action":"settle","eat":[]}', '{"command":{"tag":"settle","eat":[]}}')],
        ('keep both, eat nothing {"tag":"settle","eat":[]}', 1),
        ("settle", [1, 2, 3, 4]),
        ("2. keep both, eat nothing", [2, 1]),
        ('keep both, eat nothing {"tag":"settle","eat":[3]}', []),
        *[
            (each, [])
            for each in ("settle keep nothing", "settle keep 3", "keep or eat", "keep nothing", "settle: keep 3 3")
        ],
        *[
            (each, [])
            for each in ('{"move":"#1","then":"#2"}', '{"foo":1}', '{"move":"#1","choice":"#2"}', '{"move":true}')
        ],
    ],
)
def test_a_pair_is_kept_or_eaten_as_it_is_said(answer, wanted):
    assert meant(PAIR, answer) == wanted


def test_json_without_a_tag_is_told_what_is_missing():
    with pytest.raises(
        Refused, match='the JSON has no "tag", which names the command: settle; for example '
    ) as refused:
        PAIR[0].parse(PAIR[1], '{"foo":1}')
    assert (refused.value.kind, refused.value.facts) == ("tag", {"tags": ["settle"]})


def test_two_cards_for_one_are_refused_with_both():
    first, second = (each.words.removeprefix("play a card: ") for each in HAND[0].find(HAND[1], "play")[:2])
    for answer in (
        f"play {first} or {second}",
        f"play {first} {second}",
        f"{first} or {second}",
        f"{first}, not {second}",
    ):
        assert meant(HAND, answer) == [1, 2]
    assert meant(HAND, f"play {first} #2") == [1, 2] or meant(HAND, f"play {first} #2") == [2, 1]


def test_what_a_command_is_called_may_stand_before_its_values():
    table, seat = turn("mabr", "draw", 10)
    wanted = table.find(seat, "draw")[7].command
    for answer in (
        f"draw by an abbreviation: {wanted.abbreviation}",
        f"draw with the abbreviation {wanted.abbreviation}",
        f'draw "{wanted.abbreviation}"',
        f"draw {wanted.abbreviation.lower()}",
    ):
        assert table.parse(seat, answer) == wanted


@pytest.mark.ci
def test_the_whole_words_of_a_command_beyond_the_end_of_the_list_are_read():
    table, seat = turn("mabr", "word", 1500)
    beyond = table.match.legal(seat)[2500]
    words = table.texts.command(beyond, table.game)
    assert table.parse(seat, words) == beyond
    cards = " ".join(str(card + 1) if isinstance(card, int) else card for card in beyond.cards)
    for form in ("declare {} {}", "declare {} with cards {}", "declare {} using my cards {}", "declare {}, cards: {}"):
        assert table.parse(seat, form.format(beyond.word, cards)) == beyond
    for form in ("declare {} without cards {}", "don't declare {} with cards {}", "declare {} or cards {}"):
        assert meant((table, seat), form.format(beyond.word, cards)) == []
    assert meant((table, seat), words.rpartition(" ")[0]) == []


def test_what_stands_in_a_shared_line_before_a_number_may_be_repeated():
    table, seat = turn("palace", "inspect", 6)
    listed = table.find(seat, "inspect")[0]
    head = listed.words.rpartition(": ")[0]
    assert table.parse(seat, f"{head}: #{listed.number}") == listed.command
    for answer in (f"no #{listed.number}", f"not palace 1: #{listed.number}", f"inspect palace 9: #{listed.number}"):
        assert meant((table, seat), answer) == []


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        *[
            (each, 3)
            for each in (
                "3番",
                "３番にします",
                "＃３",
                "#3にします",
                "#3を選びます",
                "私は#3を選びます",
                "答えは #3 です。",
                "#3を渡す",
            )
        ],
        *[(each, 3) for each in ("#3でお願いします", "番号3")],
        *[
            (each, [])
            for each in ("#3ではない", "#3かな", "#3はやめて", "#3以外", "#3は選びません", "#3を出さない", "番号3かも")
        ],
    ],
)
def test_a_number_that_is_chosen_in_japanese(answer, wanted):
    assert meant(turn("gosne", "give", 5, "ja"), answer) == wanted


def test_a_line_of_japanese_is_read_by_its_pieces():
    where = turn("gosne", "play", 6, "ja")
    listed = where[0].find(where[1], "play")
    gun = next(each for each in listed if each.command.gun)
    face = gun.words.removeprefix("カードを出す：").partition("、")[0]
    for answer in (
        "{}を銃で出す",
        "{}オモテ",
        "銃で{}",
        "オモテの{}",
        "{}をオモテで出します",
        "{}、オモテ（銃）でお願いします",
    ):
        assert meant(where, answer.format(face)) == gun.number, answer
    for answer in (
        "{}を銃で出さない",
        "{}をオモテかウラで出す",
        "{}は銃、ではない",
        "{}を銃で出すかも",
        "{}を銃で渡す",
    ):
        assert meant(where, answer.format(face)) == [], answer
    hidden = [each.number for each in listed if each.words.startswith(f"カードを出す：{face}、")]
    assert meant(where, f"{face}を出す") == hidden


def test_votes_in_japanese_are_read_and_the_denial_of_one_is_the_other():
    where = turn("cake", "vote", 2, "ja")
    assert [meant(where, each) for each in ("納得", "納得します", "不満です", "不満を示します")] == [1, 1, 2, 2]
    assert [meant(where, each) for each in ("納得しない", "不満ではない", "納得できません")] == [2, 1, 2]
    assert [meant(where, each) for each in ("納得しないこともない", "不満でも納得する")] == [[]] * 2
    assert meant(where, "納得か不満") == [1, 2]


def test_what_is_kept_in_japanese_is_not_eaten():
    """Each verb has its own card: a sentence of two clauses is read by a whole one."""
    where = turn("cake", "settle", 4, "ja")
    first = where[0].find(where[1], "settle")[1]
    card = first.words.partition(" ")[0]
    for answer in ("何も食べない", "食べない"):
        assert meant(where, answer) in (1, [])
    assert meant(where, f"{card}を食べる") == meant(where, first.words) == 2
    for answer in ("2枚とも", "確定"):
        assert len(meant(where, answer)) > 1, answer
    for answer in (f"{card}を確定させる", f"{card}は食べない", f"{card}を食べるかも"):
        assert meant(where, answer) == [], answer


def test_pieces_of_japanese():
    assert pieces("12を銃で出します。") == ["12", "銃", "出"]
    assert pieces("シェア：席0に♣8、席1に♥10") == ["シェア", "席", "0", "♣8", "席", "1", "♥10"]
    assert number_chosen("#3か#4") is None
    assert number_chosen("#3は嫌") == (3, {"嫌"})


@pytest.mark.parametrize("answer", ["open(pile=1)", "pile=1", "open pile=1"])
def test_a_field_that_is_set_as_in_code_is_no_number_of_words(answer):
    """In JSON the pile 1 is the second: whoever writes the field's name may count as JSON does."""
    assert meant(turn("cake", "open", 3), answer) == []


def test_a_number_of_the_list_may_be_called_an_option():
    for lang, right, wrong in (
        (
            "en",
            ["option 2", "I choose option 2.", "Option #2", "**Option 2**"],
            ["not option 2", "option 1 or option 2"],
        ),
        ("ja", ["選択肢2", "選択肢２でお願いします"], ["選択肢2ではない", "選択肢1か選択肢2"]),
    ):
        where = turn("cake", "open", 3, lang)
        assert [meant(where, each) for each in right] == [2] * len(right)
        assert all(isinstance(meant(where, each), list) for each in wrong)
