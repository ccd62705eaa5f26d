"""What MABR lists: held against going through every word with every card, and counted without being listed."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from zlib import crc32

import attrs
import pytest
from kifu.core.game import TABLE, Seat, evolve
from kifu.core.game.shuffle import Shuffler
from kifu.core.match.fold import Fold
from kifu.core.match.header import new_header
from kifu.core.match.legal import MAX_LEGAL
from kifu.core.match.random_play import draw_command
from kifu.games.mabr import GAME, lexicon
from kifu.games.mabr.bot import BEST, best_words, priors
from kifu.games.mabr.legal import SUGGESTIONS, legal, legal_by_kind
from kifu.games.mabr.model import FIXED, LETTER, Draw, Options, State, Swap, Word, laid, value
from kifu.games.mabr.row import FirstWords, row_of, shown
from kifu.games.mabr.rules import GOAL_WORD, GOALS, claimed, score
from kifu.games.mabr.search import spellings

OPTIONS = [
    Options(lexicon="kifu-ja-1"),
    Options(),
    Options(judge="table"),
    Options(judge="table", lexicon="no such list"),
    Options(min_word=4),
]


def states(options: Options, seats: int, number: int, most: int = 150) -> Iterator[State]:
    """Yield the states of a match where seats now play at random, now lay the words that they have."""
    header = new_header(GAME, ("a", "b", "c", "d")[:seats], {}, bytes([number] * 32), match="", started=None, engine="")
    run = Fold(GAME, attrs.evolve(header, options=options), keep_states=False)
    run.apply(TABLE, run.deal())
    shuffler = Shuffler(bytes([number] * 32), 1000)
    while GAME.to_act(run.state) and run.seq < most:
        yield run.state
        seat = min(GAME.to_act(run.state))
        thought_of = [command for command, _ in priors(run.state, seat)]
        if shuffler.below(2):
            run.apply(seat, thought_of[shuffler.below(len(thought_of))])
        else:
            run.apply(seat, draw_command([*islice(legal(run.state, seat), MAX_LEGAL)], shuffler))


@cache
def in_order(known: lexicon.Lexicon, *, common: bool) -> list[tuple[str, str, str]]:
    """Return the words of a list in the order of `legal`: as written, as laid, and the stack letters that they need."""
    words = sorted(known.common if common else known.words, key=lambda each: (crc32(each.encode()), each))
    return [(word, laid(word), "".join(LETTER[kana] for kana in laid(word) if kana in LETTER)) for word in words]


def words_one_by_one(state: State, seat: Seat) -> Iterator[Word]:
    """Try every word of the list, in its order, with every card that its letters could be (MABR-7, MABR-8, MABR-12)."""
    options, at_table = state.options, state.options.judge == "table"
    known = lexicon.find(options.lexicon if lexicon.is_known(options.lexicon) else "kifu-ja-2")
    row, turned = state.rows[seat], state.turned[seat]
    have, spelled = Counter(map(LETTER.__getitem__, row)), 0
    for word, kanas, letters in in_order(known, common=at_table):
        if (
            not letters
            or len(word) < options.min_word
            or any(have[letter] < letters.count(letter) for letter in letters)
        ):
            continue
        spelled += 1
        if at_table and spelled > SUGGESTIONS:
            return
        for cards in product(*[_cards(row, turned, kana) for kana in kanas]):
            said = Word(word, cards)
            if len(set(cards)) < len(cards) or not any(type(card) is int and card not in turned for card in cards):
                continue
            if len(word) >= GOAL_WORD or score(state, seat) + claimed(state, seat, said) < GOALS[state.seats]:
                yield said


def _cards(row: tuple[str, ...], turned: tuple[int, ...], kana: str) -> list[int | str]:
    down = [place for place, card in enumerate(row) if place not in turned and LETTER.get(kana) == LETTER[card]]
    fixed = [letter for letter, card in FIXED.items() if card == kana]
    return [*fixed, *down, *[place for place in turned if row[place] == kana]]


def swaps_one_by_one(state: State, seat: Seat) -> Iterator[Swap]:
    """Try every two cards (MABR-10)."""
    for other, theirs in enumerate(state.rows):
        for place, at in product(range(len(state.rows[seat])), range(len(theirs))):
            face_down = place not in state.turned[seat] and at not in state.turned[other]
            if other != seat and face_down and LETTER[state.rows[seat][place]] == LETTER[theirs[at]]:
                yield Swap(place, Seat(other), at)


def draws_one_by_one(state: State) -> list[Draw]:
    """Try every abbreviation of the list; before a table judge also the shortest spelling (MABR-4, MABR-5)."""
    options = state.options
    known = lexicon.find(options.lexicon if lexicon.is_known(options.lexicon) else "kifu-ja-2").abbreviations
    left = dict(zip(dict.fromkeys(LETTER.values()), map(len, state.stacks), strict=True))
    fit = {each for each in known if all(each.count(letter) <= left[letter] for letter in each)} - {*state.used}
    more = (each for each in spellings(state.stacks) if each not in state.used) if options.judge == "table" else ()
    return [Draw(each) for each in sorted(fit | {*islice(more, 1)})]


def check(state: State) -> int:
    """Hold the list of the seat in turn against trying everything; return how many words it has."""
    seat = state.turn
    listed = list(legal(state, seat))
    if state.declared is None and not state.look:
        assert [each for each in listed if isinstance(each, Draw)] == draws_one_by_one(state)
    if not listed or not isinstance(listed[-1], Word):
        return 0
    first = next(number for number, each in enumerate(listed) if isinstance(each, Word))
    assert [each for each in listed if isinstance(each, Swap)] == [*swaps_one_by_one(state, seat)]
    assert listed[first:] == [*words_one_by_one(state, seat)]
    return len(listed) - first


@pytest.mark.ci
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_list_is_what_trying_everything_gives_in_the_same_order(options: Options) -> None:
    turns = [each for each in states(options, 2, 1) if each.declared is None and not each.look]
    some = [each for each in turns if len(each.rows[each.turn]) < 13][3::5]
    assert len(some) > 2
    assert sum(map(check, some)) > 20


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_list_is_what_trying_everything_gives_in_many_states(options: Options, seats: int) -> None:
    for number in range(3):
        for state in [*states(options, seats, number)][::3]:
            check(state)


@pytest.mark.ci
def test_a_near_goal_counts_only_words_that_may_be_said() -> None:
    state = evolve(GAME.start(Options(lexicon="kifu-ja-1"), 2), stacks=(("か",) * 2,) * 13, turns=4)
    state = evolve(state, rows=(tuple("ばびぶべぼぱぴぷぺはなかきく"), ("け",)), turned=(tuple(range(9)), ()))
    assert GOALS[2] - score(state, Seat(0)) == 2
    words = legal_by_kind(state, Seat(0), MAX_LEGAL)[-1]
    assert {len(word.word) for word in words if isinstance(word, Word) and len(word.word) < GOAL_WORD} == {2, 3}
    assert all(claimed(state, Seat(0), word) == 1 for word in words if isinstance(word, Word) and len(word.word) < 4)
    assert list(words) == [each for each in islice(legal(state, Seat(0)), MAX_LEGAL) if isinstance(each, Word)]


@pytest.mark.parametrize("judge", ["lexicon", "table"])
def test_a_word_is_looked_for_without_going_through_the_ways(judge: str) -> None:
    """Words of every card that a kana could be said of, listed or not, are told from each other."""
    state = evolve(GAME.start(Options(judge=judge, lexicon="kifu-ja-1"), 2), stacks=(("か",) * 2,) * 13, turns=4)
    state = evolve(state, rows=(tuple("ばびはきく"), ("け",)), turned=((0, 1, 2), ()))
    words = legal_by_kind(state, Seat(0), 10**9)[-1]
    assert isinstance(words, FirstWords)
    listed, row = set(words), words.row
    tried = [
        Word(word, cards)
        for word, kanas in [*zip(row.index.words, row.index.laid, strict=True)]
        if len(kanas) < 5 and row.up.keys() | {"き", "く", "か"} >= set(kanas)
        for cards in product(range(5), repeat=len(kanas))
    ]
    assert {word for word in tried if word in words} == listed.intersection(tried)
    assert any(set(word.cards) <= {0, 1, 2} for word in tried), "face-up cards alone turn none up"
    assert listed.intersection(tried)
    assert Word("ない", (0, 1)) not in words


def test_a_word_with_a_kana_twice_is_counted_as_it_is_listed() -> None:
    lexicon.register("twice-1", ["かか", "かき", "かかき", "いかい"], ["KK"])
    state = evolve(GAME.start(Options(lexicon="twice-1"), 2), stacks=((),) * 13, turns=4)
    state = evolve(state, rows=(tuple("かくけ"), ("き",)), turned=((0,), ()))
    assert check(state) == len(legal_by_kind(state, Seat(0), MAX_LEGAL)[-1]) > 10


LONG = "かきくさしすたちつなにぬはひふまみむやゆらりるがぎざじだぢばびぱぴ"


@pytest.mark.parametrize("turned", [(), (1, 4, 12, 25, 30)])
@pytest.mark.parametrize("row", [LONG, "つぶそんひく", "か", ""])
@pytest.mark.parametrize("limit", [1, 40, MAX_LEGAL])
def test_each_word_can_be_made_by_its_number(limit: int, row: str, turned: tuple[int, ...]) -> None:
    cards = row_of(
        shown(tuple(row), tuple(place for place in turned if place < len(row))),
        lexicon.find("kifu-ja-2"),
        2,
        None,
        None,
    )
    words = FirstWords(cards, limit)
    listed = [*islice(cards.words(), limit)]
    assert len(words) == len(listed)
    assert bool(words) == bool(listed)
    assert [words[number] for number in range(len(words))] == listed


@pytest.mark.parametrize(("least", "short_of_goal"), [(2, 3), (3, 5), (5, 99)])
def test_the_best_words_are_the_first_of_all_by_points(least: int, short_of_goal: int) -> None:
    known, row, turned = lexicon.find("kifu-ja-1"), tuple("つぶそんひくたばさ"), (0, 3)
    down = {kana for place, kana in enumerate(row) if place not in turned}
    ranked = []
    for word in known.words:
        kanas = laid(word)
        points = sum(value(kana) for kana in kanas if kana in down)
        fits = len(kanas) >= least and (points < short_of_goal or len(kanas) >= GOAL_WORD)
        if points and fits and {*row, *FIXED.values()}.issuperset(kanas) and len({*kanas}) == len(kanas):
            ranked.append((points, kanas, word))
    expected = sorted(ranked, reverse=True)[:BEST]
    found = best_words(known, least, short_of_goal, row, turned)
    assert [(points, laid(word.word), word.word) for word, points in found] == expected
    shown = ["".join(row[card] if isinstance(card, int) else FIXED[card] for card in word.cards) for word, _ in found]
    assert shown == [kanas for _, kanas, _ in expected]
