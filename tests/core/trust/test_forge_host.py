"""What dishonest hosts have tried since is judged alike by both verifiers."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from random import Random
from typing import Any

import msgpack
import pytest
from kifu.core.log.framing import parse_strict
from kifu.core.trust import records, signing

from .judges import by_both
from .playing import Table
from .test_honest import cake
from .test_tampering import put_together, taken_apart

pytestmark = pytest.mark.skipif(not signing.is_available, reason="needs kifu[replay]")


def played(engine: str | None = None) -> Table:
    table = cake(Random(5), engine=engine)
    table.play(14)
    table.look()
    table.abandon(None)
    return table


def in_base64(value: bytes) -> str:
    return b64encode(value).decode()


TEXTS: dict[str, Callable[[dict[str, Any]], object]] = {
    "veil": lambda header: header.update(veil=in_base64(header["veil"])),
    "key": lambda header: header["sign"].update(host=in_base64(header["sign"]["host"])),
    "commitment": lambda header: header["fair"].update(host=[*map(in_base64, header["fair"]["host"])]),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_in_base64_is_no_bytes(name: str) -> None:
    table = played()
    header, events, end = taken_apart(table.log)
    TEXTS[name](header)
    log = put_together((header, events, end))
    assert by_both(None, log)
    assert by_both(table.record(0), log)


INTS_AS_KEYS = {"a": {1: 2}}


@pytest.mark.parametrize(
    ("value", "is_fit"),
    [
        ({"options": INTS_AS_KEYS}, True),
        ({"options": [INTS_AS_KEYS["a"]]}, False),
        ([{"options": INTS_AS_KEYS}], False),
        ({"x": {"options": INTS_AS_KEYS}}, False),
    ],
    ids=str,
)
def test_only_the_options_of_a_header_may_have_ints_as_keys(value: Any, is_fit: bool) -> None:
    independent = pytest.importorskip(f"{__package__}.independent", reason="needs kifu[web]")
    raw = msgpack.packb(value)
    assert (parse_strict(raw) == value) == (independent.unpacked(raw) == value) == is_fit


@pytest.mark.parametrize("engine", [None, "kifu of yesterday"])
def test_a_command_that_another_program_hid_is_the_owner_s_word_by_both(engine: str | None) -> None:
    table = played(engine)
    place, told = next(
        (at, each.value())
        for at, each in enumerate(table.entries[2])
        if each.kind == records.EVENT and each.value()[4] and each.value()[1] >= 0
    )
    told[2] = "x"
    table.tell_anew(2, place, told)
    assert by_both(table.record(2), table.log) == {("told", told[0]): "owner" if engine else "host"}
