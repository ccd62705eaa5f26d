"""The word lists of MABR: what ships, what a frontend registers, and that a name never changes its content."""

import runpy
import sqlite3
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import kifu
import msgpack
import pytest
from kifu.core.errors import GameError, OptionError
from kifu.core.game import RuleViolation, Seat, evolve
from kifu.core.log import log_bytes
from kifu.core.log.header_codec import read_header
from kifu.games.mabr import GAME, lexicon
from kifu.games.mabr.model import KANA, Draw, Options, State, Word
from kifu.games.mabr.search import spellings

from .at_mabr import STACKS

make = SimpleNamespace(**runpy.run_path(str(Path(__file__).parents[3] / "docs" / "word_lists" / "make.py")))
"""What builds the lists."""
SHIPPED = lexicon.find("kifu-ja-1")
NEWEST = lexicon.find("kifu-ja-2")


def header_of(match: kifu.Match[Any, Any, Any]) -> dict[str, Any]:
    """Return the header of a match as its log has it."""
    return dict(next(iter(msgpack.Unpacker(BytesIO(log_bytes(match))))))


def read(header: dict[str, Any], options: dict[str, Any]) -> Options:
    """Return the options that a header with these is read as."""
    return read_header({**header, "options": options}, kifu.games.find)[1].options


def turn(name: str) -> State:
    """Let seat 0 have は and な face down, in a match judged by this lexicon."""
    state = GAME.start(Options(lexicon=name), 2)
    return evolve(state, stacks=STACKS, rows=(("は", "な"), ("か",)), turns=2)


def test_what_a_released_name_stands_for_has_not_changed() -> None:
    assert {name: lexicon.find(name).digest for name in lexicon.SHIPPED} == {
        "kifu-ja-1": "56b7204b8873ea8ab958780aca159276",
        "kifu-ja-2": "31b93e9e399ff77ae75d789571441423",
    }


def test_a_list_that_is_not_the_released_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    released = lexicon.SHIPPED["kifu-ja-1"]
    monkeypatch.setitem(lexicon.SHIPPED, "kifu-ja-1", "0" * 32)
    with pytest.raises(GameError, match=released):
        lexicon._shipped.__wrapped__("kifu-ja-1")


@pytest.mark.ci
def test_no_list_is_read_before_it_is_needed() -> None:
    code = "from kifu.games.mabr import lexicon; print(lexicon._shipped.cache_info())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "misses=0" in done.stdout


def test_a_new_match_is_judged_by_the_newest_list() -> None:
    match = kifu.new("mabr", ["a", "b"])
    assert match.header.options.lexicon == "kifu-ja-2"


def test_a_log_of_rules_version_1_that_names_no_list_is_judged_by_the_first() -> None:
    head = {**header_of(kifu.new("mabr", ["a", "b"], seed=bytes(32))), "rules": 1}
    assert "kifu-ja-1" in str(read(head, {"first": 0, "judge": "lexicon", "min_word": 2}))
    assert read(head, {"lexicon": "kifu-ja-2"}).lexicon == "kifu-ja-2"
    assert read({**head, "rules": 2}, {}).lexicon == "kifu-ja-2"


@pytest.mark.parametrize("shipped", [SHIPPED, NEWEST], ids=lambda each: each.name)
def test_every_shipped_word_can_be_laid(shipped: lexicon.Lexicon) -> None:
    assert all(map(make.can_be_laid, shipped.words))
    assert shipped.common < shipped.words


@pytest.mark.parametrize("shipped", [SHIPPED, NEWEST], ids=lambda each: each.name)
def test_every_shipped_abbreviation_can_be_drawn(shipped: lexicon.Lexicon) -> None:
    deck = Counter({letter: len(kanas) for letter, kanas in KANA.items()})
    for abbreviation in shipped.abbreviations:
        assert len(abbreviation) > 1
        assert Counter(abbreviation) <= deck, abbreviation
    assert set("".join(shipped.abbreviations)) == set(KANA)


def test_the_newest_list_has_every_everyday_word_and_most_of_them_are_common() -> None:
    lines = (Path(__file__).parent / "everyday.txt").read_text("utf-8").splitlines()
    everyday = {word for line in lines if not line.startswith("#") for word in line.split() if make.can_be_laid(word)}
    assert len(everyday) > 1400
    assert everyday - NEWEST.words == set()
    assert len(everyday & NEWEST.common) > 0.95 * len(everyday)


@pytest.mark.parametrize("word", ["ちち", "らーめん", "ほんを", "ヶ", "あ", "つっぱり"])
def test_a_word_that_the_deck_cannot_lay_is_not_taken(word: str) -> None:
    assert not make.can_be_laid(word)
    assert word not in SHIPPED.words | NEWEST.words


def test_the_first_list_is_built_from_the_readings_of_nouns(tmp_path: Path) -> None:
    for name in ("Noun.csv", "Noun.verbal.csv", "Noun.adjv.csv", "Noun.adverbal.csv"):
        (tmp_path / name).write_text("", encoding="euc_jp")
    by_rule = [f"名{i},1,1,5000,名詞,一般,*,*,*,*,名{i},ハナ,ハナ" for i in range(60)]
    entries = ["客,1,1,4123,名詞,一般,*,*,*,*,客,キャク,キャク", "父,1,1,4000,名詞,一般,*,*,*,*,父,チチ,チチ", *by_rule]
    (tmp_path / "Noun.csv").write_text("\n".join(entries), encoding="euc_jp")
    assert make.from_ipadic(tmp_path) == {"きゃく": True, "はな": False}


NOUN, VERB, ADVERB, PHRASE = "noun (common) (futsuumeishi)", "Ichidan verb", "adverb (fukushi)", "expressions (phrases)"
ENTRIES: list[tuple[str, dict[str, list[str]], list[dict[str, list[str]]]]] = [
    ("やま", {"KNP": ["ichi1", "nf01"]}, [{"pos": [NOUN]}]),
    ("カモ", {"KNP": ["nf30"]}, [{"pos": [NOUN]}]),
    ("ねる", {}, [{"pos": [VERB, "intransitive verb"]}]),
    ("られる", {}, [{"pos": ["auxiliary verb", VERB]}]),
    ("そろり", {}, [{"pos": [ADVERB], "misc": ["onomatopoeic or mimetic word"]}]),
    ("いまこそ", {}, [{"pos": [ADVERB]}]),
    ("やはり", {"KNP": ["ichi1"]}, [{"pos": [ADVERB]}]),
    ("ために", {"KNP": ["spec1"]}, [{"pos": ["conjunction"]}]),
    ("くものうえ", {}, [{"pos": [PHRASE, NOUN]}]),
    ("かみのけ", {"KNP": ["ichi1"]}, [{"pos": [PHRASE, NOUN]}]),
    ("いっせきにちょう", {}, [{"pos": [PHRASE, NOUN], "misc": ["yojijukugo"]}]),
    ("いにしえ", {}, [{"pos": [NOUN], "misc": ["archaism"]}]),
    ("てふ", {}, [{"pos": [NOUN], "misc": ["archaism"]}, {"pos": [NOUN]}]),
    ("あほう", {}, [{"pos": [NOUN], "misc": ["derogatory"]}, {"pos": [NOUN]}]),
    ("あきんど", {}, [{"pos": [NOUN], "dialect": ["Kansai-ben"]}]),
    ("にもの", {"KNP": ["news1"]}, [{"pos": [NOUN], "dialect": ["Kansai-ben"]}]),
    ("くわつ", {"KNI": ["out-dated or obsolete kana usage"]}, [{"pos": [NOUN]}]),
    ("ひと", {}, [{"pos": ["suffix"]}, {"pos": [NOUN], "stagr": ["じん"]}]),
    ("えっ", {"KNP": ["ichi1"]}, [{"pos": ["interjection (kandoushi)"]}]),
    ("はは", {"KNP": ["ichi1"]}, [{"pos": [NOUN]}]),
]
"""Readings as the database has them, with their marks, and the senses of their entries."""


def test_the_newest_list_is_built_from_the_words_of_a_dictionary(tmp_path: Path) -> None:
    database = tmp_path / "words.db"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE Kana (ID INTEGER PRIMARY KEY, idseq, text)")
        connection.execute("CREATE TABLE Sense (ID INTEGER PRIMARY KEY, idseq)")
        for table in ("KNP", "KNI", "pos", "misc", "dialect", "stagr"):
            connection.execute(f"CREATE TABLE {table} ({'kid' if table in ('KNP', 'KNI') else 'sid'}, text)")
        for entry, (reading, marks, senses) in enumerate(ENTRIES):
            of = {"kid": connection.execute("INSERT INTO Kana VALUES (NULL, ?, ?)", (entry, reading)).lastrowid}
            for table, texts in marks.items():
                connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", [(of["kid"], text) for text in texts])
            for sense in senses:
                number = connection.execute("INSERT INTO Sense VALUES (NULL, ?)", (entry,)).lastrowid
                for table, texts in sense.items():
                    connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", [(number, text) for text in texts])
        connection.commit()
    common = {"やま", "やはり", "かみのけ", "にもの", "おはよう"}
    others = {"かも", "ねる", "そろり", "いっせきにちょう", "てふ"}
    words = make.from_jmdict(database, ["おはよう"])
    assert words == {**dict.fromkeys(common, True), **dict.fromkeys(others, False)}
    with pytest.raises(ValueError, match="ちち"):
        make.from_jmdict(database, ["ちち"])


@pytest.mark.long
def test_the_newest_list_is_built_again_byte_for_byte() -> None:
    jamdict_data = pytest.importorskip("jamdict_data")
    words = make.from_jmdict(Path(jamdict_data.JAMDICT_DB_PATH), make.added())
    packed = (Path(lexicon.__file__).parent / "kifu-ja-2.words.z").read_bytes()
    assert make.content(words) == zlib.decompress(packed)


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


class Entry:
    """An entry point of another package."""

    value = "flowers:LEXICON"

    def __init__(self, load: Callable[[], object]) -> None:
        self.load = load


def installed(monkeypatch: pytest.MonkeyPatch, load: Callable[[], object]) -> None:
    """Let a package have the lexicon wild-1."""
    monkeypatch.setattr(lexicon, "_entries", lambda: {"wild-1": Entry(load)})
    lexicon._installed.cache_clear()


def test_an_installed_package_brings_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not lexicon.is_known("wild-1")
    installed(monkeypatch, lambda: lexicon.Lexicon("wild-1", ["なは"], ["ZZ"]))
    assert "wild-1" in lexicon.names()
    said = [each for each in GAME.legal(turn("wild-1"), Seat(0)) if isinstance(each, Word | Draw)]
    assert said == [Draw("ZZ"), Word("なは", (1, 0))]
    with pytest.raises(OptionError):
        lexicon.register("wild-1", ["はな"], ["ZZ"])


@pytest.mark.parametrize(
    "load", [lambda: None, lambda: lexicon.Lexicon("wild-2", (), ()), lambda: 1 / 0, lambda: sys.exit()]
)
def test_an_installed_list_that_cannot_be_used_is_an_error_of_the_game(monkeypatch, load: Callable[[], object]) -> None:
    installed(monkeypatch, load)
    with pytest.raises(GameError, match="wild-1"):
        lexicon.find("wild-1")


def test_what_a_registered_list_has_that_no_card_can_do_is_left_aside() -> None:
    lexicon.register(
        "odd-1", ["はを", "あい", "ハナ", "", "かかかかかかか", "はな"], ["NHKA", "K", "nhk", "KKKKKKK", "NHK"]
    )
    said = [each for each in GAME.legal(turn("odd-1"), Seat(0)) if isinstance(each, Word | Draw)]
    assert said == [Draw("NHK"), Word("はな", (0, 1))]


def test_spellings_go_through_all_that_the_stacks_hold_the_shortest_first() -> None:
    stacks = (("か", "き"), *((),) * 11, ("ぱ",))
    assert list(spellings(stacks)) == ["KK", "KP", "PK", "KKP", "KPK", "PKK"]


def test_a_build_without_the_word_lists_says_what_it_lacks_and_plays_by_a_list_of_ones_own(tmp_path, monkeypatch):
    """`KIFU_WITHOUT_WORD_LISTS=1 pip wheel .` leaves out what is not under the code's license."""
    monkeypatch.setattr(lexicon, "files", lambda package: tmp_path)
    lexicon._here.cache_clear()
    try:
        with pytest.raises(OptionError, match="made without the word list 'kifu-ja-2': register a list"):
            kifu.new("mabr", ["Aki", "Ren"])
        assert not {"kifu-ja-1", "kifu-ja-2"} & {*lexicon.names()}
        lexicon.register("left-out-1", ["さくら", "ばら"], ["SKR", "BR"])
        match = kifu.new("mabr", ["Aki", "Ren"], options={"lexicon": "left-out-1"})
        assert match.legal(0)
    finally:
        lexicon._here.cache_clear()
