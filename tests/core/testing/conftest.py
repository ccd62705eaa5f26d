"""What the tests of broken games share."""

import pytest
from hypothesis import Phase, settings
from kifu.core.testing import game_laws


@pytest.fixture
def unshrunk():
    """Let Hypothesis look for one failing match, the same every time, and leave it as it is."""
    before = settings.get_current_profile_name()
    settings.register_profile("unshrunk", phases=[Phase.generate], max_examples=30, derandomize=True, database=None)
    settings.load_profile("unshrunk")
    yield
    settings.load_profile(before)


@pytest.fixture
def fails(unshrunk):
    """Let a law be checked on a game, and hold that it fails, saying so."""

    def fails(law, game, says, *args, **given):
        laws = game_laws(game, **given)()
        with pytest.raises(AssertionError, match=says):
            getattr(laws, law)(*args)

    return fails
