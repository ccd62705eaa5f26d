"""Weights of bots: the same bits on every Python and machine."""

from itertools import pairwise

import pytest
from kifu.core.game.weights import ordered_sum, weight_of


def test_a_total_is_added_from_left_to_right():
    """Where the order shows: since Python 3.12 `sum` gives 2.0 here, whatever it gave before."""
    assert ordered_sum([1e16, 1.0, 1.0, -1e16]) == 0.0
    assert ordered_sum([1.0, 1.0, 1e16, -1e16]) == 2.0
    assert ordered_sum([]) == 0


@pytest.mark.parametrize(
    ("gain", "weight"), [(0, 1.0), (1, 2.0), (3, 8.0), (-1, 0.5), (-3, 0.125), (0.5, 1.5), (-0.5, 0.75)]
)
def test_a_weight_doubles_with_each_whole_step(gain, weight):
    assert weight_of(gain) == weight


def test_a_greater_gain_has_a_greater_weight():
    weights = [weight_of(step / 7) for step in range(-200, 200)]
    assert weights[0] > 0
    assert all(less < more for less, more in pairwise(weights))
