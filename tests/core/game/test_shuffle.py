"""Deals from a seed are those of the contract, word for word."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kifu.core.game.shuffle import Shuffler
from kifu.core.match import registry
from kifu.core.match.fold import Fold
from kifu.core.match.header import new_header
from kifu.core.wire import wire_of

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text())
OPTIONS_OF_VERSION_1 = {"palace": {"end_place": "exact"}}
"""The vectors are deals of rules version 1: what its upcast writes into older headers."""
INSTALLED = [vector for vector in VECTORS if vector["game"] in registry.names()]


@pytest.mark.parametrize(
    "vector", INSTALLED, ids=lambda v: f"{v['game']}-{v['seats']}-deal{v['deal']}-{v['seed'][-2:]}"
)
def test_a_deal_is_the_one_that_its_seed_gives(vector):
    game, seed = registry.find(vector["game"]), bytes.fromhex(vector["seed"])
    names = ("",) * vector["seats"]
    options = {**vector["options"], **OPTIONS_OF_VERSION_1.get(vector["game"], {})}
    header = new_header(game, names, options, seed, match="", started=None, engine="")
    fold = Fold(game, header)
    fold.deals = vector["deal"]
    _, fields = wire_of(game).encode(fold.deal())
    ((_, cards),) = fields.items()
    assert json.loads(json.dumps(cards)) == vector.get("cards", vector.get("stacks"))


def test_every_game_of_the_vectors_is_tried_that_is_installed():
    assert {vector["game"] for vector in INSTALLED} == {v["game"] for v in VECTORS} & set(registry.names())
    assert "take_and_share" in {vector["game"] for vector in INSTALLED}


@pytest.mark.ci
@given(seed=st.binary(min_size=32, max_size=32), deal=st.integers(0, 2**32 - 1), cards=st.lists(st.integers()))
def test_a_shuffle_loses_nothing_and_comes_again(seed, deal, cards):
    shuffled = Shuffler(seed, deal).shuffle(cards)
    assert sorted(shuffled) == sorted(cards)
    assert shuffled == Shuffler(seed, deal).shuffle(cards)


@pytest.mark.ci
@given(seed=st.binary(min_size=32, max_size=32), bound=st.integers(1, 2**64))
def test_a_draw_is_below_its_bound(seed, bound):
    assert 0 <= Shuffler(seed).below(bound) < bound


def test_words_that_would_favour_low_numbers_are_skipped():
    """With a bound of two thirds of 2^64 a third of the words must be drawn again, so no remainder folds back."""
    bound = 2**64 // 3 * 2
    words = [Shuffler(bytes(32), deal)._words for deal in range(40)]
    first = [next(each) for each in words]
    assert any(word >= bound for word in first)
    for deal, word in enumerate(first):
        if word >= bound:
            assert Shuffler(bytes(32), deal).below(bound) == next(w for w in words[deal] if w < bound)


def test_a_second_shuffle_goes_on_with_the_words_that_follow():
    shuffler = Shuffler(bytes(32))
    assert shuffler.shuffle(range(40)) != shuffler.shuffle(range(40))


def test_seeds_and_deals_tell_shuffles_apart():
    orders = {Shuffler(seed, deal).shuffle(range(40)) for seed in (bytes(32), b"\1" * 32) for deal in range(3)}
    assert len(orders) == 6


@pytest.mark.parametrize("bound", [0, -3])
def test_nothing_is_drawn_from_nothing(bound: int) -> None:
    with pytest.raises(ValueError, match="there is nothing to draw from"):
        Shuffler(bytes(32)).below(bound)
