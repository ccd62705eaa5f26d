"""Commands as models say them who have read the prompt alone: what means one is read, what may mean two is not."""

import pytest
from kifu.core.env import Refused, text_table

from .turns import TURNS, said, turn

SEEN = {
    ("take", "en"): {
        "take two cards: 3 3": [
            *["pair of threes", "take the pair of 3s", "both 3s", "two threes", "take both 3s", "keep both 3s"],
        ],
        "take two cards: 3 4": [
            *["keep 3 and 4", "3 + 4", "take 3 & 4", "take 3 and 4 please", "I pick 3 and 4", "take three and four"],
            *[
                "Take the 4 and the 3, and pass on the rest.",
                "take 3 and 4, hand on the rest",
                "I keep 4 and 3",
                "take 4 3, leave the rest",
            ],
            *["5s are what they want, so I'll take 3 and 4", "Fives are rare; therefore I must take 4 and 3."],
            *["Take 3 and 4 because 3 4 leaves 5 to the next.", "take 4 and 3, since both 3s would be eaten"],
        ],
    },
    ("claim", "en"): {"claim a pair: seat 0": ["acquire seat 0", "seat 0's pair", "take the pair of seat 0"]},
    ("vote", "en"): {
        "vote: content": [
            "I am content with my pair.",
            "I vote that I'm content.",
            "I vote to be content",
            "thumbs up",
            "satisfied",
            "I'm happy!",
            "I am not discontent",
            "content: true",
        ],
        "vote: discontent": [
            *["Thumbs down.", "dissatisfied", "I am not satisfied", "not content", "unhappy", "content: false"],
        ],
    },
    ("vote", "ja"): {
        "納得を示す": ["満足", "満足です", "不満はない", "不満ではない", "親指を上に向ける", "投票：納得"],
        "不満を示す": ["不満足", "納得できない", "納得しない", "満足していない", "不満を訴える", "親指を下に向ける"],
    },
    ("claim", "ja"): {"獲得する：席0": ["席0のペアを獲得", "席０の2枚を獲得する", "席0の前の2枚を獲得します"]},
    ("settle", "en"): {
        "keep both, eat nothing": [
            *["keep 3 and 5", "keep 5 and 3", "keep them both", "eat neither", "don't eat anything"],
            *["I keep both cards and eat none of them.", "eat neither of them"],
            *["keep both and eat none", "keep three and five", "keep both because 3 and 5 are few"],
        ],
        "eat 3, keep the other": [
            *["I'll keep the 5 but eat the 3.", "Eat the 3 but keep the 5"],
            *["Eat three, keep five", "eat 3 and keep five since 5 is worth more"],
            *["Eat 3, keep 5", "keep 5, eat 3", "I eat the 3 and keep the 5.", "settle: eat 3; keep 5", "eat only 3"],
        ],
        "eat both: 3 5": ["eat them both", "eat all", "eat two", "keep neither"],
    },
    ("inspect", "en"): {
        "inspect palace 1 of seat 0: no red": [
            *["I charge palace 1 of seat 0 with having no red.", "inspect seat 0's palace 1 - no red"],
            *[
                "I'll inspect palace 1 of seat 0 on the charge of having no red.",
                "inspect palace 1 of seat 0: no red pillars",
            ],
            *["charge: no red", "no red in palace 1 of seat 0", "palace 1 of seat 0 has no red"],
            *["accuse seat 0's palace 1 of no red", "inspect palace 1 of seat 0, charge no red"],
            *["inspect: no red on palace 1 of seat 0", "no red against palace 1 of seat 0"],
            *[
                "challenge palace 1 of seat 0: no red",
                "palace 1 of seat 0 lacks red",
                "inspect palace 1 of seat 0: no red pillar",
            ],
            *["inspect palace 1 of seat 0 for lacking red", "inspect palace 1 of seat 0: missing red"],
            *["inspect palace 1 of seat 0 on the charge that it has no red"],
        ]
    },
    ("inspect", "ja"): {
        "査察する：席0の宮殿1、要件A「赤の柱がない」": [
            *["要件Aで査察", "要件Ａ", "要件Aで席0の宮殿1を査察する", "赤の柱がないとして席0の宮殿1を査察する"],
            *["席0の宮殿1を赤の柱がないで査察", "席0の宮殿1を査察（赤の柱がない）", "席0の宮殿1に要件Aで査察を行う"],
            *["席0の宮殿1は赤がなさそうなので、要件Aで席0の宮殿1を査察する"],
        ]
    },
    ("declare", "en"): {
        "declare: 5 as 2": [
            *["declare 2 with the 5", "lay 5 and say 2", "play 5 declaring 2", "lie with the 5", "Lay 5, claim 2"],
            *["play 5 face down, declaring it as 2", "5 declared as 2", "I lay the 5 and call it 2", "bluff: 5 as 2"],
            *["I'll say 2 with the 5", "play 5 as a 2", "claim 2 with 5", "lay down the 5 and claim it is a 2"],
        ],
        "declare: 5 as 5": ["declare 5 truthfully", "I tell the truth with my 5."],
    },
    ("declare", "ja"): {
        "5 を 2 と申告する": [
            "5を2だとウソをつく",
            "5を2と偽って申告する",
            "5を出して2と宣言する",
            "５を２と宣言",
            "5を2と言う",
            "5で嘘をつく",
        ],
        "5 を 5 と申告する": [
            "5をそのまま5と申告",
            "5を本当の5として申告する",
            "5を正直に申告します",
            "5をそのまま申告する",
        ],
    },
    ("play", "en"): {
        "play a card: 3, face up, a gun": ["shoot with 3", "3 as a gun", "play 3 face-up", "fire 3", "3 gun true"],
        "play a card: 3, face down, a chestnut": ["3 hidden", "play 3, not as a gun", "play 3 face-down"],
    },
    ("play", "ja"): {
        "カードを出す：3、オモテ（銃）": [
            "3を銃で撃つ",
            "3を表向きで置く",
            "3をオモテで捨てる",
            "3をオモテ向きに出す",
            "3を表向き",
            "3を表向きに出します",
        ],
        "カードを出す：3、ウラ（くり）": [
            "3を伏せて捨てる",
            "3をウラ向きで出す",
            "3をくりとして伏せる",
            "3を裏向きに置く",
            "3をウラ向き",
            "くりの3",
            "3を伏せる",
        ],
    },
    ("draw", "en"): {"draw by NHK": ["declare NHK", "I declare the abbreviation NHK", "use NHK"]},
    ("swap", "en"): {
        "swap card 2 for card 1 of seat 1": [
            "swap my card 2 with card 1 of seat 1",
            "swap card 2 with seat 1's card 1",
        ]
    },
    ("conceal", "en"): {"lay the cards down": ["end my turn", "done"]},
    ("open", "ja"): {"山札3を開く": ["3番の山を開く", "山3を開ける", "山札3を開けます"]},
    ("take", "ja"): {
        "2枚抜き取る：3 3": ["3のペア", "3を2枚抜き取る"],
        "2枚抜き取る：3 4": [
            *["4と3を手元に残す", "3と4を抜き取る", "4と3を抜き取る", "手元に3と4を残す"],
            *["5は渡したくないので、3と4を抜き取る", "4と3を抜き取る。なぜなら3のペアは高いから。"],
        ],
    },
    ("settle", "ja"): {
        "3 を食べ、もう1枚を確定させる": ["3を食べ、5を確定させる", "5を確定させ、3を食べる", "3だけ食べる"],
        "2枚とも食べる：3 5": ["両方食べる"],
        "2枚とも確定させ、何も食べない": ["どちらも食べない", "3と5を確定させる"],
    },
    ("draw", "ja"): {"「NHK」で引く": ["NHKを宣言する", "ＮＨＫ", "「ＮＨＫ」を宣言して引く"]},
}
NOT_SEEN = {
    ("take", "en"): [
        *[
            "two 3",
            "both 3 and 4",
            "not a pair of threes",
            "pair of 4s",
            "pass on 3 and 4",
            "keep 3 4 or 5",
            "keep two 3",
        ],
        *["Both 3s are tempting, so not 3 and 4", "if 5 comes, so take 3 and 4", "I would take 4 5, so 3 and 4"],
        *["take one and three", "take three", "keep three of them", "two three", "take three cards"],
        *["take 3 and 4 because 3 is low, but 4 5 is better", "not 3 and 4 because 4 5 is better", "because 3 4"],
        *["take 3 because 4", "I would take 3 and 4 if 5 were there", "take 3 and 4 because I can, or take 4 5"],
        *["seat 1 took both 3s", "a pair of 3s or 4 5", "pair of threes?", "one of both 3s"],
    ],
    ("claim", "en"): ["acquire seat 2", "do not take the pair of seat 0", "not acquire seat 0"],
    ("settle", "en"): [
        *[
            "Eat 7, keep 3",
            "eat 3, keep 3",
            "eat 3 or keep 5",
            "eat 3, or keep 5",
            "eat 3, don't keep 5",
            "keep five",
            "eat three cards",
            "eat three or five",
            "don't eat three, keep five",
            "eat 3, keep 5, because no, I keep both",
            "keep 5, eat 5",
            "keep both but eat 3",
            "keep 3 but 5",
        ],
        *[
            "don't eat 3, keep 5",
            "if I eat 3, keep 5",
            "eat 3, keep 5, eat 5",
            "keep 3 and 5, eat 3",
            "keep both, eat 3",
        ],
        *["eat 3, keep 5?", "seat 0: eat 3, keep 5", "keep 5", "never eat 3, keep 5", "eat 3, eat 5", "keep 3 5 5"],
    ],
    ("inspect", "en"): [
        *["palace 0 of seat 1 has no red", "palace 1 of seat 0 has no red or no blue", "charge no red and no blue"],
        *[
            "palace 1 of seat 0 lacks nothing",
            "palace 1 of seat 0 may lack red",
            "palace 1 of seat 0 lacks red and blue",
        ],
        *["I doubt that palace 1 of seat 0 has no red", "do not charge no red", "palace 1 of seat 0 has red"],
    ],
    ("draw", "en"): ["don't declare NHK", "declare NHK or NTT", "someone may declare NHK", "declare NHK?"],
    ("vote", "en"): ["not happy or satisfied", "I am not dissatisfied, not satisfied", "happy?", "they are not happy"],
    ("vote", "ja"): ["満足か不満足", "満足しないかも", "納得できないわけではない", "満足？"],
    ("declare", "en"): [
        "declare 2 as 5",
        "2 as 5",
        "bluff: 2 as 5",
        "play 2 as 5",
        "declare 4 truthfully",
        "lie with X",
        "don't lie with 5",
        "declare 2 truthfully",
    ],
    ("declare", "ja"): ["2を5と申告する", "6を12と申告する", "4を正直に申告する", "Xで嘘をつく", "5で嘘はつかない"],
    ("play", "en"): ["don't shoot with 3", "not hidden 3", "3, not a chestnut", "3 face-up or face-down"],
    ("play", "ja"): [
        "3を伏せない",
        "3を表向きで伏せる",
        "3をウラで撃つ",
        "3を撃たない",
        "くりの3か2",
        "3を表向きにはしない",
    ],
    ("inspect", "ja"): [
        "席0の宮殿1を赤の柱がないか黄の柱がないで査察",
        "要件Aではなく要件Bで査察",
        "要件Aか要件Bで査察",
        "要件Aで査察しない",
        "席2の宮殿1を要件A",
    ],
    ("swap", "en"): ["swap card 2 or 1 with card 1 of seat 1", "don't swap card 2 with card 1 of seat 1"],
    ("conceal", "en"): ["not done", "done?"],
    ("open", "ja"): ["3番の山は開けない", "3番の山か4番の山を開く", "7番の山を開く"],
    ("take", "ja"): [
        "3のペアか4と5",
        "3のペアは取らない",
        "3のペアと4",
        "1と7を残す",
        "3と4を残す",
        "4と3は取らない",
        "4と3か5",
        *[
            "5が要るので、3と4は取らない",
            "もし5が来るから、3と4を抜き取る",
            "3と4を取る。なぜなら5、しかし4と5でもよい",
        ],
        "4のペア",
        "3を取る",
        "3を2枚は取らない",
    ],
    ("settle", "ja"): [
        *["3を食べ、3を確定させる", "3を食べ、5を確定させない", "3を食べず、5を確定させる", "5を確定させる"],
        *[
            "3を食べるか5を食べる",
            "5を食べるか3を食べる",
            "両方食べない",
            "3を食べ、5を確定させるかも",
            "どちらか食べる",
        ],
    ],
    ("draw", "ja"): ["NHKを宣言しない", "NHKかNTTを宣言する"],
}


@pytest.mark.parametrize(("where", "words"), [(where, words) for where in SEEN for words in SEEN[where]])
def test_what_means_one_command_is_read(where, words):
    table, seat = turn(*TURNS[where[0]], where[1])
    for answer in SEEN[where][words]:
        assert said(table, seat, answer) == words, answer


@pytest.mark.parametrize("where", NOT_SEEN)
def test_what_denies_asks_or_may_mean_another_is_not(where):
    table, seat = turn(*TURNS[where[0]], where[1])
    for answer in NOT_SEEN[where]:
        assert isinstance(said(table, seat, answer), list), answer


@pytest.mark.parametrize(
    ("lang", "forms"),
    [
        ("en", ["I keep {own}, give {b} to seat {B} and {c} to seat {C}.", "{b} for seat {B}, {own} for myself"]),
        ("en", ["{own} to me, {b} to seat {B}, {c} to seat {C}", "{own} to me, {b} to seat {B}"]),
        ("en", ["seat {B}: {b}, seat {A}: {own}, seat {C}: {c}", "seat {B} gets {b}, {own} to myself"]),
        (
            "ja",
            [
                "自分に{own}、席{B}に{b}、席{C}に{c}",
                "{own}を自分に、{b}を席{B}に、{c}を席{C}に",
                "{c}を席{C}、{b}を席{B}",
            ],
        ),
    ],
)
def test_what_a_seat_gives_itself_it_gives_its_seat_and_in_any_order(lang, forms):
    table, seat = turn(*TURNS["share"], lang)
    b, c = (each for each in range(3) if each != seat)
    for command in table.match.legal(seat):
        faces = [table.game.face(card).text for card in command.cards]
        names = {"own": faces[seat], "b": faces[b], "c": faces[c], "A": seat, "B": b, "C": c}
        for form in forms:
            assert table.parse(seat, form.format(**names)) == command, form
        for form in (
            *("{own} to me, {own} to seat {B}", "{own} to me, not {b} to seat {B}", "{own} to me or {b} to seat {B}"),
            *("I don't keep {own}, {b} to seat {B}", "keep {own} or {b}", "{own} for him, {b} for seat {B}"),
            *("{own} to me, {b} to me", "{own} to him, {b} to seat {B}", "自分に{own}、自分に{b}", "自分に{own}か{b}"),
        ):
            assert isinstance(said(table, seat, form.format(**names)), list), form


@pytest.mark.parametrize(
    "form",
    ["seat {} {}", "seat {}: {}", "seat {}→{}", "seat {} <- {}", "seat {} receives {}", "席{}に{}"],
)
def test_no_end_of_a_clause_is_taken_for_the_beginning_of_another(form):
    """`seat 0 ♠8, seat 1 ♠5` stands in `♠3 to seat 0, ♠8 to seat 1, ♠5 to seat 2`, and means another share."""
    table, seat = turn(*TURNS["share"], "ja" if form.startswith("席") else "en")
    for command in table.match.legal(seat):
        faces = [table.game.face(card).text for card in command.cards]
        pairs = [form.format(*pair) for pair in enumerate(faces)]
        for part in (pairs[:2], pairs[1:], pairs[::-2]):
            assert table.parse(seat, ", ".join(part)) == command, part
            loose = said(table, seat, " ".join(part))
            assert isinstance(loose, list) or table.parse(seat, " ".join(part)) == command, part


def test_one_of_two_shares_is_refused_with_both():
    table, seat = turn(*TURNS["share"])
    face = table.game.face(table.match.legal(seat)[0].cards[seat]).text
    named = said(table, seat, f"{face} to me")
    assert len(named) == 2
    assert all(f"{face} to seat {seat}" in each for each in named)


def test_the_one_card_may_be_kept_or_eaten():
    table, seat = turn(*TURNS["settle"])
    for answer in ("3", "only 3"):
        assert said(table, seat, answer) == ["eat 3, keep the other", "eat 5, keep the other"]


def test_a_card_that_is_declared_may_be_played_first():
    for lang, forms in (
        ("en", ["play {}, declare {}", "play {} face down and declare {}"]),
        ("ja", ["{}を出して{}と申告", "{}を伏せて{}と申告する"]),
    ):
        table, seat = turn(*TURNS["declare"], lang)
        for each in table.match.legal(seat):
            face = table.game.face(each.card).text
            assert all(table.parse(seat, form.format(face, each.number)) == each for form in forms)
        lie = table.match.legal(seat)[-1]
        face = table.game.face(lie.card).text
        for answer in (f"play {face}", f"{face}を出す", f"play {face}, don't declare {lie.number}", f"lay {face} or 3"):
            assert isinstance(said(table, seat, answer), list)


def test_a_card_may_be_laid_as_it_lies():
    for lang, hidden, open_ in (
        ("en", ["face down {}", "lay {} face down", "chestnut {}"], ["gun {}", "face up {}"]),
        ("ja", ["{}を伏せて出す", "{}を裏向きで出す", "{}をくりとして出す"], ["{}を表で出す"]),
    ):
        table, seat = turn(*TURNS["play"], lang)
        for each in table.match.legal(seat):
            face = table.game.face(each.card).text
            for form in open_ if each.gun else hidden:
                assert table.parse(seat, form.format(face)) == each
        for form in ("not face down {}", "chestnut {}, a gun", "lay {}", "{}を裏か表で出す", "{}を裏で出さない"):
            assert isinstance(said(table, seat, form.format(face)), list)


def test_letters_in_a_row_are_as_many_cards():
    table = text_table("palace", seed=bytes([11]) + bytes(31))
    table.act(0, '{"tag":"build","palaces":[["G"]]}')  # seat 1 has Y G G
    for answer in (
        "ygg",
        "build ygg",
        "Build: gyg.",
        "build YGG",
        "build GYG",
        "YGG",
        "build YGG because no colour is left out",
        "BUILD YGG",
    ):
        assert said(table, 1, answer) == "build: Y G G", answer
    for answer in (
        *[
            "build YYG",
            "not ygg",
            "build ygg or g",
            "ygg?",
            "build GG or YG",
            "not YGG",
            "build YGGX",
            "YGG?",
            "build BY Y",
            "don't build YGG",
        ],
        *["build YG because GG is better, but build Y", "build YG, no, GG", "build G if YG falls"],
    ):
        assert isinstance(said(table, 1, answer), list), answer
    blue_and_yellow = text_table("palace", seed=bytes([3]) + bytes(31))  # seat 0 has Y Y B
    assert said(blue_and_yellow, 0, "build BYY") == "build: Y Y B"
    assert said(blue_and_yellow, 0, "BUILD BY Y") == []


def test_two_pillars_of_a_colour_are_two_cards():
    table = text_table("palace", seed=bytes([11]) + bytes(31))
    table.act(0, '{"tag":"build","palaces":[["G"]]}')  # seat 1 has Y G G
    for answer in ("build two greens", "build both green", "build a pair of greens", "build G+G", "two greens"):
        assert said(table, 1, answer) == "build: G G", answer
    for answer in ("build both green and yellow pillars", "build two yellows", "two greens or draw", "not two greens"):
        assert isinstance(said(table, 1, answer), list), answer
    said_in_japanese = text_table("palace", match=table.match, lang="ja")
    assert said(said_in_japanese, 1, "緑を2枚使って建てる") == said(said_in_japanese, 1, "緑2枚") == "建築する：G G"
    for answer in ("緑2枚は使わない", "黄2枚", "緑2枚か黄"):
        assert isinstance(said(said_in_japanese, 1, answer), list), answer


def palace_with(wanted, lang="en"):
    """Return a table of Palace, and its seat that has a command like this, after commands from all over the lists."""
    for number in range(40):
        table = text_table("palace", seed=bytes([number]) * 32, lang=lang)
        for step in range(60):
            seat = min(table.to_act, default=None)
            legal = [] if seat is None else table.match.legal(seat)
            found = [each for each in legal if wanted(each)]
            if found or not legal:
                break
            table.act(seat, f"#{1 + (step * 7 + number) % len(legal)}")
        if found:
            return table, seat, found[0]
    raise AssertionError("no such command")


def test_two_palaces_of_one_seat_may_be_said_together():
    def wanted(command):
        targets = getattr(command, "targets", ())
        return len(targets) == 2 and targets[0][0] == targets[1][0]

    for lang, right, wrong in (
        (
            "en",
            *[
                ["no red on palaces {} and {} of seat {}", "inspect palaces {}, {} of seat {}: no red"],
                ["no red on palaces {} or {} of seat {}", "not no red on palaces {} and {} of seat {}"],
            ],
        ),
        ("ja", ["席{2}の宮殿{0}と{1}を要件Aで査察する"], ["席{2}の宮殿{0}か{1}を要件Aで査察する"]),
    ):
        table, seat, command = palace_with(wanted, lang)
        (owner, first), (_, second) = command.targets
        for form in right:
            assert table.parse(seat, form.format(first + 1, second + 1, owner)) == command, form
        for form in wrong:
            assert isinstance(said(table, seat, form.format(first + 1, second + 1, owner)), list), form


def test_cards_that_may_be_one_palace_or_two_are_refused_with_both():
    def wanted(command):
        palaces = getattr(command, "palaces", ())
        return sorted(map(len, palaces)) == [1, 2] and len({*palaces[0], *palaces[1]}) == 3

    for lang, joint, form in (("en", "and", "build {}"), ("ja", "と", "建築：{}")):
        table, seat, two = palace_with(wanted, lang)
        one, pair = ([table.game.face(card).text for card in each] for each in sorted(two.palaces, key=len))
        both = said(table, seat, form.format(f"{' '.join(pair)} {joint} {one[0]}"))
        whole = [table.texts.command(each, table.game) for each in table.match.legal(seat) if each == two]
        assert len(both) == 2
        assert whole[0] in both
        for listed in (f"{pair[0]}, {pair[1]} {joint} {one[0]}", f"{pair[0]} {joint} {pair[1]} {joint} {one[0]}"):
            assert [len(each) for each in table.parse(seat, form.format(listed)).palaces] == [3], listed
        with pytest.raises(Refused) as refused:
            table.parse(seat, form.format(f"{' '.join(pair)} {joint} {one[0]}") + " because it is safe")
        assert lang == "ja" or len(refused.value.facts["numbers"]) == 2


def test_pillars_are_counted_one_by_one():
    table = text_table("palace", seed=bytes([11]) + bytes(31))
    table.act(0, '{"tag":"build","palaces":[["G"]]}')  # seat 1 has Y G G
    for answer in ("build two green pillars and a yellow one", "one yellow pillar and two greens", "build G G and Y"):
        assert said(table, 1, answer) == "build: Y G G", answer
    for answer in ("build three greens", "build one", "build a yellow one or two greens", "one of both"):
        assert isinstance(said(table, 1, answer), list), answer
    said_in_japanese = text_table("palace", match=table.match, lang="ja")
    for answer, words in (("黄を1枚使って建築する", "Y"), ("緑二枚と黄1枚で建てる", "Y G G"), ("緑を1枚", "G")):
        assert said(said_in_japanese, 1, answer) == f"建築する：{words}", answer
    assert isinstance(said(said_in_japanese, 1, "緑を3枚使って建築する"), list)


def test_a_word_that_no_command_has_is_named():
    table, seat = turn("mabr", "word", 20)
    with pytest.raises(Refused, match='none of your legal word commands has "ざざ"'):
        table.parse(seat, "declare ざざ")
