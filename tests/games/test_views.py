"""What the table sees of each game is all there is: a draw behind its view is the state itself."""

import pytest
from kifu import games
from kifu.core.game import TABLE, Shuffler
from kifu.core.testing.play import played


@pytest.mark.parametrize("name", games.names())
def test_a_draw_behind_the_tables_view_is_the_state(name):
    game = games.find(name)
    for state in played(game, game.seats[0], game.options(), 2).states[::7]:
        assert game.determinize(game.view(state, TABLE), Shuffler(bytes(32))) == state
