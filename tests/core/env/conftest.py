"""What the tests of the environments need: each skips with a reason without the extra `env`."""

import pytest


@pytest.fixture
def zoo():
    """PettingZoo, or skip."""
    return pytest.importorskip("pettingzoo", reason="needs the extra `env`")


@pytest.fixture
def spiel():
    """OpenSpiel, or skip."""
    return pytest.importorskip("pyspiel", reason="needs the extra `env`")
