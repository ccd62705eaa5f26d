"""What the notes say where a list has one item: no highest of one card, no pair of one player, no each of one."""

import pytest
from kifu import games
from kifu.core.game import Card, Note, Seat
from kifu.core.text.texts import Texts

NAMES = ("Aki", "Ren", "Mio", "Sou")
SEATS = tuple(map(Seat, range(4)))
ALONE = {"one": SEATS[3:], "other": SEATS[:3], "chestnuts": 1, "chestnuts_other": 27}
PAIRS = {"one": SEATS[::2], "other": SEATS[1::2], "chestnuts": 18, "chestnuts_other": 10}
WON = {"seat": Seat(0), "card": Card(9)}
CASES = [
    ("gosne", "won-truth", {**WON, "among": 1}, "the only chestnut.", "ただ1枚のくり。"),
    ("gosne", "won-truth", {**WON, "among": 2}, "the highest chestnut.", "最も強いくり。"),
    ("gosne", "won-lie", {**WON, "among": 1}, "the only gun.", "ただ1枚の銃。"),
    ("gosne", "won-lie", {**WON, "among": 2}, "the highest gun.", "最も強い銃。"),
    ("gosne", "won-prosecutor", {**WON, "among": 1}, "the only chestnut of a prosecutor.", "ただ1枚のくり 9 を出した"),
    ("gosne", "won-prosecutor", {**WON, "among": 2}, "the higher of the", "強い方のくり 9 を出した"),
    (
        "gosne",
        "counted",
        ALONE,
        "Sou alone has 1 chestnut, Aki, Ren, and Mio together 27.",
        "Souが1人で1個、Aki、Ren、Mioの3人が合わせて27個",
    ),
    (
        "gosne",
        "counted",
        PAIRS,
        "Aki and Mio together have 18 chestnuts, Ren and Sou together 10.",
        "Aki、Mioの2人が合わせて18個、Ren、Souの2人が合わせて10個",
    ),
    ("cake", "undisputed", {"count": 0}, "nobody discontent", "不満の者がいない"),
    ("cake", "undisputed", {"count": 1}, "only one discontent", "不満が1人だけ"),
    (
        "palace",
        "won-by-hand",
        {"seats": SEATS[2:3], "points": (6, 9, 9), "hands": (3, 0, 2)},
        "of these Mio wins",
        "そのうち手札の最も多いMio",
    ),
    ("mabr", "last-turns", {"seats": SEATS[1:2]}, "One more turn for Ren", "Renがあと一回だけ"),
    ("mabr", "last-turns", {"seats": SEATS[1:]}, "One more turn for Ren, Mio, and Sou", "Souがあと一回ずつ"),
    ("mabr", "idle", {"rounds": 1}, "For a whole round", "1巡のあいだ"),
]


@pytest.mark.parametrize(("name", "key", "values", "english", "japanese"), CASES)
def test_a_note_says_of_one_what_is_true_of_one(name: str, key: str, values: dict, english: str, japanese: str) -> None:
    game, note = games.find(name), Note.of(key, **values)
    assert english in Texts("en").note(note, game, NAMES)
    assert japanese in Texts("ja").note(note, game, NAMES)
