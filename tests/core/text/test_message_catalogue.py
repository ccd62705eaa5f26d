"""Messages are parsed when they are asked for: each alone as in its file, with those that it refers to."""

from __future__ import annotations

import pytest
from fluent.runtime import FluentResource
from fluent.syntax.ast import Message, Term
from kifu.core.text import message_catalogue

PACKAGES = [
    *(f"kifu.games.{name}" for name in ("cake", "gosne", "mabr", "palace", "take_and_share")),
    *("kifu.core.text", "kifu.core.page", "kifu.replay"),
]


def messages(source: str) -> dict[str, Message | Term]:
    found: dict[str, Message | Term] = {}
    for entry in FluentResource(source).body:
        if isinstance(entry, Message | Term):
            found.setdefault(("-" if isinstance(entry, Term) else "") + entry.id.name, entry)
    return found


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("package", PACKAGES)
def test_a_message_parses_alone_as_in_its_file(package: str, lang: str) -> None:
    source = message_catalogue._source(package, lang)
    whole = messages(source)
    entries = [entry[0] for entry in message_catalogue._ENTRY.finditer(source)]
    alone = messages("\n".join(reversed(entries)))
    assert len(alone) == len(entries)
    assert alone.keys() == whole.keys()
    assert all(whole[key].equals(alone[key], ignored_fields=["span", "comment"]) for key in whole)


FIRST = """
# A comment
whole = { seat-of } has { -cards }{ $number ->
    [one] one
   *[other] { other.how }
}

-cards = cards of { deck }
seat-of = Seat
    on two lines
Upper = up
broken = { $a
other = Other
    .how = many
"""
SECOND = "deck = the deck\nseat-of = not this one\nlast = { LIST($all) }\ngroups = { CARDS($cards) }"


def test_a_message_brings_those_that_it_refers_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_catalogue, "_source", lambda package, lang: {"a": FIRST, "b": SECOND}[package])
    catalogue = message_catalogue._Catalogue("en", ("a", "b"))
    context = message_catalogue._Context(None, ())
    assert catalogue.format("Upper", {}, context) == "up"
    assert catalogue.format("last", {"all": (1, 2)}, context) == "1 and 2"
    assert catalogue.format("groups", {"cards": ((1, 2), (3,), 4)}, context) == "(1 2) (3) 4"
    assert catalogue.format("whole", {"number": 2}, context) == "Seat\non two lines has cards of the deckmany"
    assert [catalogue.format(key, {}, context) for key in ("broken", "nothing", "-cards")] == [None] * 3
    assert catalogue.format("seat-of", {}, context) == "Seat\non two lines"
