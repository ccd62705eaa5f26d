"""What is said of a store names its place and nobody's password."""

import pytest
from kifu.core.stores import without_secrets


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("sqlite:matches.db", "sqlite:matches.db"),
        ("memory:", "memory:"),
        ("postgresql://me:pass@db.example:5432/kifu?password=pass", "postgresql://db.example/kifu"),
        ("postgresql://me:pass@[/kifu", "postgresql:"),
    ],
)
def test_an_address_is_said_without_its_secrets(address, said):
    assert without_secrets(address) == said
