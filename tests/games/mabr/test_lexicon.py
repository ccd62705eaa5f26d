"""The word lists of MABR: what ships, what a frontend registers, and that a name never changes its content."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from kifu.core.errors import GameError, OptionError
from kifu.core.game import RuleViolation, Seat, evolve
from kifu.games.mabr import GAME, lexicon
from kifu.games.mabr.lexicon.build import build, can_be_laid
from kifu.games.mabr.model import FIXED, KANA, LETTER, Draw, Options, State, Word, laid
from kifu.games.mabr.search import spellings

SHIPPED = lexicon.find("kifu-ja-1")
STACKS = tuple(tuple(kanas) for kanas in KANA.values())


def turn(name: str) -> State:
    """Let seat 0 have は and な face down, in a match judged by this lexicon."""
    state = GAME.start(Options(lexicon=name), 2)
    return evolve(state, stacks=STACKS, rows=(("は", "な"), ("か",)), turns=2)


def test_what_a_released_name_stands_for_has_not_changed() -> None:
    assert {name: lexicon.find(name).digest for name in lexicon.SHIPPED} == {
        "kifu-ja-1": "56b7204b8873ea8ab958780aca159276"
    }


def test_a_list_that_is_not_the_released_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(lexicon.SHIPPED, "kifu-ja-1", "0" * 32)
    with pytest.raises(GameError, match=SHIPPED.digest):
        lexicon._shipped.__wrapped__("kifu-ja-1")


def test_every_shipped_word_can_be_laid() -> None:
    cards = {*LETTER, *FIXED.values()}
    for word in SHIPPED.words:
        assert len(word) > 1
        assert Counter(laid(word)) <= Counter(cards), word
    assert SHIPPED.common < SHIPPED.words


def test_every_shipped_abbreviation_can_be_drawn() -> None:
    deck = Counter({letter: len(kanas) for letter, kanas in KANA.items()})
    for abbreviation in SHIPPED.abbreviations:
        assert len(abbreviation) > 1
        assert Counter(abbreviation) <= deck, abbreviation
    assert set("".join(SHIPPED.abbreviations)) == set(KANA)


@pytest.mark.parametrize("word", ["ぶひん", "ぶんつう", "きゃく", "がっこう", "はな"])
def test_everyday_words_are_common(word: str) -> None:
    assert word in SHIPPED.common


@pytest.mark.parametrize("word", ["ちち", "らーめん", "ほんを", "ヶ", "あ", "つっぱり"])
def test_a_word_that_the_deck_cannot_lay_is_not_taken(word: str) -> None:
    assert not can_be_laid(word)
    assert word not in SHIPPED.words


def test_the_list_is_built_from_the_readings_of_nouns(tmp_path: Path) -> None:
    for name in ("Noun.csv", "Noun.verbal.csv", "Noun.adjv.csv", "Noun.adverbal.csv"):
        (tmp_path / name).write_text("", encoding="euc_jp")
    by_rule = [f"名{i},1,1,5000,名詞,一般,*,*,*,*,名{i},ハナ,ハナ" for i in range(60)]
    entries = ["客,1,1,4123,名詞,一般,*,*,*,*,客,キャク,キャク", "父,1,1,4000,名詞,一般,*,*,*,*,父,チチ,チチ", *by_rule]
    (tmp_path / "Noun.csv").write_text("\n".join(entries), encoding="euc_jp")
    assert build(tmp_path) == {"きゃく": True, "はな": False}


def test_a_frontend_can_register_a_list_and_be_judged_by_it() -> None:
    lexicon.register("flowers-1", ["なは"], ["ZZ"])
    GAME.check_options(Options(lexicon="flowers-1"), 2)
    state = turn("flowers-1")
    said = list(GAME.legal(state, Seat(0)))
    assert [each for each in said if isinstance(each, Word | Draw)] == [Draw("ZZ"), Word("なは", (1, 0))]
    assert GAME.apply(state, Seat(0), Word("なは", (1, 0))).turned[0] == (0, 1)
    with pytest.raises(RuleViolation):
        GAME.apply(state, Seat(0), Word("はな", (0, 1)))


def test_a_name_stands_for_one_content() -> None:
    first = lexicon.register("birds-1", ["かも"], ["KM"])
    assert lexicon.register("birds-1", ["かも"], ["KM"]) is first
    for name, words in (("birds-1", ["さぎ"]), ("kifu-ja-1", ["かも"])):
        with pytest.raises(OptionError):
            lexicon.register(name, words, ["KM"])
    assert "birds-1" in lexicon.names()


def test_what_a_registered_list_has_that_no_card_can_do_is_left_aside() -> None:
    lexicon.register(
        "odd-1", ["はを", "あい", "ハナ", "", "かかかかかかか", "はな"], ["NHKA", "K", "nhk", "KKKKKKK", "NHK"]
    )
    said = [each for each in GAME.legal(turn("odd-1"), Seat(0)) if isinstance(each, Word | Draw)]
    assert said == [Draw("NHK"), Word("はな", (0, 1))]


def test_legal_lists_every_word_that_could_be_said_and_no_other() -> None:
    """Hold the search against trying every word of a list with every choice of some cards."""
    kanas = set("かきくけこばびぶべぼなにぬねのんあいう")
    some = [word for word in sorted(SHIPPED.words) if set(laid(word)) <= kanas and len(word) < 5][::4]
    lexicon.register("some-1", some, ["NHK"])
    state = evolve(turn("some-1"), rows=(tuple("かくばん"), ("き",)), turned=((1, 2), ()))
    cards = (0, 1, 2, 3, "A", "I", "U")
    accepted = set()
    for word in some:
        for choice in permutations(cards, len(word)):
            try:
                GAME.apply(state, Seat(0), Word(word, choice))
            except RuleViolation:
                continue
            accepted.add(Word(word, choice))
    listed = {each for each in GAME.legal(state, Seat(0)) if isinstance(each, Word) and set(each.cards) <= set(cards)}
    assert len(accepted) > 50
    assert listed == accepted


def test_spellings_go_through_all_that_the_stacks_hold_the_shortest_first() -> None:
    stacks = (("か", "き"), *((),) * 11, ("ぱ",))
    assert list(spellings(stacks)) == ["KK", "KP", "PK", "KKP", "KPK", "PKK"]
