"""The formulas of `docs/trust.md`, held against the published vectors."""

from __future__ import annotations

from typing import Any

import pytest
from kifu.core.errors import TrustError
from kifu.core.trust import formulas
from kifu.core.trust.canonical import canonical, from_canonical

from .vectors import FORMULAS

BY_NAME: dict[str, Any] = {
    "canonical": lambda value: canonical(value),
    "commitment": formulas.commitment,
    "veil_commitment": formulas.veil_commitment,
    "roster_digest": formulas.roster_digest,
    "seed": lambda h0, host, secrets: formulas.seed(h0, host, secrets),
    "first_mark": formulas.first_mark,
    "next_mark": lambda veil, mark, event: formulas.next_mark(veil, mark, event),
    "salt": formulas.salt,
    "told_digest": formulas.told_digest,
    "host_message": lambda match, told_digest, **rest: formulas.told_message(match, digest=told_digest, **rest),
    "command_message": lambda match, **rest: formulas.command_message(match, **rest),
    "wish_message": lambda match, **rest: formulas.wish_message(match, **rest),
}
HASHED = [each for each in FORMULAS if "out" in each]


@pytest.mark.parametrize("vector", HASHED, ids=[f"{each['name']}-{place}" for place, each in enumerate(HASHED)])
def test_a_formula_gives_the_bytes_of_the_vector(vector: dict[str, Any]) -> None:
    assert BY_NAME[vector["name"]](**vector["in"]).hex() == vector["out"]


def test_canonical_bytes_are_read_back() -> None:
    values = [each["in"]["value"] for each in HASHED if each["name"] == "canonical"]
    for value in values:
        if not isinstance(value, dict) or all(isinstance(key, str) for key in value):  # a log has no others
            assert from_canonical(canonical(value)) == value


@pytest.mark.parametrize(
    "raw",
    ["", "cd00ff", "82a16202a16101", "c1", "93c0", "c0c0", "cb3ff0000000000000", "d40000", "82a16101a16102", "a1ff"],
)
def test_what_is_not_canonical_is_refused(raw: str) -> None:
    with pytest.raises(TrustError):
        from_canonical(bytes.fromhex(raw))


def nested(depth: int) -> list:
    value: list = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [1.5, {1.5: 2}, {True: 1}, {(): 1}, 1 << 64, -(1 << 63) - 1, "\ud800", object(), {1}, {"\ud800": 1}, {1 << 70: 1}],
)
def test_what_has_no_canonical_form_is_refused(value: Any) -> None:
    with pytest.raises(TrustError):
        canonical([value])


def test_what_is_nested_too_deeply_is_refused() -> None:
    with pytest.raises(TrustError):
        canonical(nested(5000))
    with pytest.raises(TrustError):
        from_canonical(b"\x91" * 5000 + b"\xc0")


def test_a_code_is_26_letters_in_groups() -> None:
    assert formulas.code(bytes(range(32))) == "AAAQ-EAYE-AUDA-OCAJ-BIFQ-YDIO-B4"


def test_a_proposal_is_signed_in_canonical_form_whatever_it_names() -> None:
    odd: Any = {"b": 1, "a": 2}
    message = formulas.wish_message(bytes(32), 0, 1, bytes(32), "take_back", odd)
    assert message == canonical(["kifu wish 2", bytes(32), 0, 1, bytes(32), "take_back", odd])
