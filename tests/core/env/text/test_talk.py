"""Answers as people and models talk at a table: what stands around a command is left out, what may change it is not."""

import pytest
from kifu.core.env.text.japanese import JapaneseWords

from .turns import TURNS, said, turn

READ = {
    ("open", "en"): {
        "open pile 3": [
            *[
                "Let me open the third pile",
                "I open pile number 3.",
                "Please open the 3rd pile for me.",
                "<open>3</open>",
            ],
            *[
                "Nobody knows what lies where. I open the third pile.",
                "My turn: I open pile 3.",
                "Well, open pile 3 this time.",
            ],
        ]
    },
    ("open", "ja"): {
        "山札3を開く": [
            *[
                "まずは山札3を開けます。",
                "どれも同じなので、とりあえず山札3を開いてみます。",
                "3番の山札を開きましょう。",
            ],
            *[
                "私は山札3を開くことにします。",
                "では、山札3を開かせてください。",
                "次は三番の山札を開きたいと思います。",
            ],
        ]
    },
    ("take", "ja"): {
        "2枚抜き取る：3 5": [
            "私は3と5を選びます。",
            "それでは3と5を抜き取らせていただきます。",
            "今回は3と5を取っておきます。",
        ],
        "2枚抜き取る：3 3": ["3を2枚抜き取ります。"],
    },
    ("vote", "en"): {
        "vote: content": ["My vote is content.", "I'm fully content with my pair.", "Okay, content this time."]
    },
    ("vote", "ja"): {
        "納得を示す": ["私は納得します。", "親指を上にします。", "3がそろっているから、親指は上です。"],
        "不満を示す": ["私は不満です。", "3がほしいので私は不満です。"],
    },
    ("claim", "ja"): {
        "獲得する：席1": ["席1さんの2枚を獲得します。", "seat 1のカードを獲得します。", "私は席1のペアを獲得します。"]
    },
    ("settle", "en"): {
        "keep both, eat nothing": [
            "I eat nothing this time and keep both cards.",
            "Eat neither.",
            "I eat none of them.",
        ]
    },
    ("settle", "ja"): {
        "2枚とも確定させ、何も食べない": [
            *[
                "何も食べません。",
                "どちらも食べずに確定させます。",
                "今は食べないで、2枚とも確定させます。",
                "3も5も確定させます。",
            ],
            *["何も食べずに2枚とも確定させます。", "これから集めたいので、今回は何も食べずに2枚とも残します。"],
        ],
        "3 を食べ、もう1枚を確定させる": ["3だけ食べて、5は確定させます。"],
    },
    ("share", "en"): {
        "share: ♣9 to seat 0, ♦10 to seat 1, ♦8 to seat 2": [
            "Share: the ♣9 goes to me, the ♦10 to seat 1, the ♦8 to seat 2.",
            "I share them like this: I get the ♣9, seat 1 gets the ♦10, seat 2 gets the ♦8.",
            "Share the ♣9 to me (seat 0), the ♦10 to seat 1, the ♦8 to seat 2.",
        ]
    },
    ("share", "ja"): {
        "シェア：席0に♣9、席1に♦10、席2に♦8": [
            *["席0に♣9、席1に♦10、席2に♦8をシェアします。", "自分に♣9、席1に♦10、席2に♦8を配ります。"],
            *["クラブの9は私、♦10は席1、♦8は席2にシェアします。", "♦8は席2、♣9は自分、♦10は席1にシェア"],
            *["席1さんには♦10、席2さんには♦8、席0（自分）には♣9をシェアします。", "シェア：♣9、♦10、♦8"],
            *["席の順に♣9、♦10、♦8をシェアします。", "seat 0に♣9、seat 1に♦10、seat 2に♦8をシェアします。"],
        ]
    },
    ("give", "ja"): {"2枚渡す：3 7": ["3と7をペアの相手に渡します。", "弱い2枚、3と7をペアの相手に渡します。"]},
    ("declare", "ja"): {
        "5 を 2 と申告する": [
            "5を出して、2と申告します。",
            "では5を伏せて出し、「2」と申告します。",
            "5を2だと申告します。",
        ],
        "X を 7 と申告する": ["Xを7ということにします。", "残りはXが弱いので、Xを7だと申告します。"],
        "5 を 5 と申告する": ["正直に、5を5のまま申告します。", "5を5と正直に申告します。"],
    },
    ("play", "en"): {
        "play a card: 7, face down, a chestnut": [
            "I put my 7 on the table face down as a chestnut.",
            "use the 7 as a chestnut",
        ]
    },
    ("play", "ja"): {
        "カードを出す：7、オモテ（銃）": [
            "2は半分では作れないので本当でしょう。7を銃で出します。",
            "ここは7をオモテで出させてください。",
        ]
    },
    ("conceal", "en"): {"lay the cards down": ["I lay them all down.", "Lay the cards down and end my turn, please."]},
    ("conceal", "ja"): {
        "カードを伏せる": [
            *[
                "全部伏せます。",
                "3枚とも伏せます。",
                "では伏せます。",
                "覚えたので伏せます。",
                "カードを伏せて手番を終えます。",
            ],
            *["確認したので、カードを伏せてください。", "カードを伏せて、次の人に回します。", "終わりです。伏せます。"],
        ]
    },
    ("draw", "ja"): {
        "「TPP」で引く": [
            "「TPP」でカードを引くことにします。",
            "TPPで引きましょう。",
            "今回は引きます。略称は「TPP」です。",
        ]
    },
    ("build", "en"): {
        "draw": [
            "There's nothing else to do: I draw.",
            "I'd like a fourth colour, so I'll draw one more.",
            "I draw from the pile.",
        ],
        "build: G G B": [
            "I build a single palace of G, G and B.",
            "Build one palace from both greens and the blue one.",
        ],
    },
    ("build", "ja"): {
        "山札から引く": [
            *[
                "色が足りないので、まず山札から1枚引きます。",
                "赤がほしいので引きます。",
                "もう一枚引きます。",
                "引くだけです。",
            ],
            *["山札から引かせてください。", "手札が少ないので引くしかありません。", "山札の一番上を引きます。"],
        ],
        "建築する：G G B": [
            *["緑、緑、青で建築します。", "G、G、Bの3枚で宮殿を建てます。", "緑2枚・青1枚で宮殿をひとつ建てます。"],
            *["緑緑青で建築する", "建築：緑2枚、青", "緑2枚と青1枚の3枚で宮殿を建てようと思います。"],
        ],
        "建築する：B": ["青を1枚だけ使って、宮殿をひとつ建てます。", "青のカード1枚で小さな宮殿を建てます。"],
    },
    ("inspect", "en"): {
        "inspect palace 1 of seat 0: no red": [
            *["Inspect palace 1 of seat 0 for missing red", "I inspect the first palace of seat 0: it has no red."],
            "I charge palace 1 of seat 0 with missing red.",
        ]
    },
    ("inspect", "ja"): {
        "査察する：席0の宮殿1、要件A「赤の柱がない」": [
            *["要件A「赤の柱がない」で席0の宮殿1を査察します。", "席0の1番の宮殿を、赤の柱がないと見て査察します。"],
            "「赤の柱がない」を宣言して席0の宮殿1を査察します。",
        ]
    },
}
"""Answers by the words of the command that each means, by the tag that is asked for and the language."""

REFUSED = {
    ("open", "en"): [
        *[
            "open pile 3 (not really)",
            "open pile 3 (unless somebody objects)",
            "I (do not) open pile 3",
            "Bob: I open pile 3",
        ],
        *["let them open pile 3", "I let her open pile 3", "Make somebody open pile 3.", "open 3 piles"],
        *[
            "Next turn: I open pile 3",
            "Suppose this: I open pile 3",
            "Rejected idea: I open pile 3",
            "open pile 3 - later",
        ],
        *[
            "open pile 3 - seat 1",
            "open pile 3 — make that the fourth",
            "Yesterday. I open pile 3.",
            "open pile 3 - maybe",
        ],
        "open pile 3 because it is best. On second thought, pile 4.",
        *[
            "I would not open pile 3",
            "He says: I open pile 3",
            "Never: I open pile 3",
            "I opened pile 3.",
            "I do not want: I open 3",
        ],
        *[
            "Don't. I open pile 3",
            "open pile 3 - just kidding",
            "I open the third pile next time",
            "seat 1 opens the third pile",
        ],
        *[
            "Wrong: I open pile 3",
            "My rival's plan: I open pile 3.",
            "Open 3. No, 4.",
            "I open the third pile or the fourth",
        ],
    ],
    ("open", "ja"): [
        *["山札3が開けます", "山札3が開かれます", "山札3を開かせます", "山札3を開くみたいです", "山札3を開いています"],
        *[
            "山札3を見せます",
            "山札3を開きます（嘘）",
            "山札3を開きます（相手が）",
            "席1の番です。山札3を開きます。",
            "例です。山札3を開きます。",
        ],
        *[
            "山札3は開きません。",
            "山札3を開かないことにします",
            "山札3を開くのをやめます",
            "山札3を開きました",
            "席1は山札3を開きます",
        ],
        *[
            "山札3を開くかもしれません",
            "山札3を開くべきではない",
            "山札3を開いてもいいですか？",
            "嘘です。山札3を開きます",
            "山札3を開くと負けます",
        ],
    ],
    ("settle", "ja"): [
        "5を2枚食べます",
        "2枚とも確定させません",
        "確定させません",
        "どちらも確定させない",
        "食べないわけではない",
    ],
    ("share", "en"): ["♣9 to seat 1 (me), ♦10 to seat 0, ♦8 to seat 2"],
    ("conceal", "ja"): [
        "伏せません",
        "まだ伏せないことにします",
        "席1が伏せます",
        "伏せるのをやめます",
        "伏せたくない",
    ],
    ("share", "ja"): [
        *["席1（自分）に♣9、席0に♦10、席2に♦8", "席0に♣9、席1に♦10、席2に♦8（逆）"],
        "席0に♣9、席1に♦10、席2に♦8はシェアしません。",
        "クラブの9は席1、♦10は席1、♦8は席2にシェアします。",
    ],
    ("build", "ja"): [
        *["緑の宮殿と青の宮殿を建てます", "緑の宮殿、青の宮殿を建てる"],
        *["引けます", "引かれます", "引くみたいです", "引きます（嘘）", "緑を全部使って建てます"],
        "引きません",
        "引くつもりはない",
        "席1が引きます",
        "引かずに",
        "緑は残します",
        "相手は引きます",
        "もし引くなら",
    ],
    ("build", "en"): [
        *["let them draw", "build palaces G and B", "have her build G"],
        *["build G (not B)", "draw (if I may)", "build a palace of G and a palace of B", "a second palace of B"],
        "I refuse to draw",
        "stop: I draw",
        "they draw",
        "I may draw",
        "to draw is bad",
        "I keep the green one",
    ],
    ("inspect", "ja"): ["要件Aで査察しない", "席0の宮殿1には赤の柱がないとは思いません"],
    ("claim", "en"): ["claim the pair of the first seat", "seat 0 claims a pair"],
    ("claim", "ja"): [
        *[
            "席0が獲得します",
            "席0さんは獲得します",
            "席0に獲得されます",
            "席0のペアを獲得できます",
            "1番目の席を獲得します",
        ],
    ],
    ("declare", "ja"): ["Xを正直に7と申告します", "5を正直に2と申告します", "5を2と申告できます", "5を2と申告されます"],
    ("play", "en"): ["7 face down (a gun)", "7 as a gun (face down)", "7 face down - I mean up"],
    ("play", "ja"): ["7をオモテで出す（ウラ）", "7をオモテで出せます", "7がオモテで出されます"],
    ("give", "en"): [
        *["my partner gives 3 and 7", "my hand: 3 7", "3 and 7 in my hand", "give the third card and the seventh card"],
    ],
    ("give", "ja"): ["ペアの相手が3と7を渡します", "相方は3と7を渡します", "3と7を渡されます", "3と7を渡せます"],
    ("draw", "en"): ["TPP (not)", "TPP (or BB)", "TPP - BB"],
}


@pytest.mark.parametrize(("where", "words"), [(where, words) for where in READ for words in READ[where]])
def test_talk_around_a_command_is_left_out(where, words):
    table, seat = turn(*TURNS[where[0]], where[1])
    for answer in READ[where][words]:
        assert said(table, seat, answer) == words, answer


@pytest.mark.parametrize("where", REFUSED)
def test_talk_that_may_mean_something_else_is_refused(where):
    table, seat = turn(*TURNS[where[0]], where[1])
    for answer in REFUSED[where]:
        assert isinstance(said(table, seat, answer), list), answer


def test_a_count_in_the_words_of_a_command_is_no_card_of_it():
    both = JapaneseWords.of("2枚とも食べる：1 2", "食べるか決める", "", ["1", "2"], {})
    assert both.values == ["1", "2"]
    assert not both.has(["2", "2", "食"], ["1", "2"], own=True)
