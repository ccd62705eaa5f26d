"""Names are kept and compared by what is seen of them, and what is not seen is in none."""

import kifu
import pytest
from kifu.core.host import Host, Terms
from kifu.core.match.registry import find_bot
from kifu.core.stores import MemoryStore
from kifu.core.text.names import MAX_NAME_LETTERS, checked_name, checked_names, name_key, numbered

GOOD = ["Aki", "か゚", "Łukasz", "دانيال", "O'Brien (2)", "🂡", "山田　太郎", "%", "1", "=1+1", "n" * MAX_NAME_LETTERS]
HIDDEN = [
    *[
        "\u200b",
        "\u3164",
        "\u2800",
        "\u0301",
        "A\u200bki",
        "Aki\u202e",
        "\u2066Aki",
        "Aki\ufeff",
        "A\u00adki",
        "\U000e0041A",
    ],
    *["A\x1b[31m", "A\0", "A\nB", "A\u2028B", "A\x85B", "\ud83c", "A\ue000", "A\u180e"],
]
NONE = ["", " ", "\u3000\n", "n" * (MAX_NAME_LETTERS + 1), None, 3, b"Aki", ["Aki"]]


@pytest.mark.parametrize("name", GOOD)
def test_a_name_that_can_be_seen_is_kept(name: str) -> None:
    assert checked_name(name) == name
    assert checked_name(f" {name}\n") == name


@pytest.mark.parametrize("name", [*HIDDEN, *NONE], ids=ascii)
def test_a_name_that_cannot_is_refused_at_every_door(name: object) -> None:
    with pytest.raises(kifu.MatchError, match=r"a name|letters that nobody sees"):
        checked_name(name)
    if name is None:  # a free seat of a host
        return
    host = Host(MemoryStore())
    match = host.open("take_and_share", 3).match
    for door in (
        lambda: kifu.new("take_and_share", ["a", "b", name]),
        lambda: host.open("take_and_share", ["a", None, name]),
        lambda: host.join(match, name),
    ):
        with pytest.raises(kifu.MatchError):
            door()


def test_names_are_the_same_that_look_the_same() -> None:
    same = ["が", "か\u3099", "が ", "\u200bが", "が\u3000"]
    assert {name_key(name) for name in same} == {"が"}
    assert name_key("Aki  Ren") == name_key("Aki\u00a0Ren") != name_key("AkiRen")
    assert {checked_name(name) for name in ("が", "か\u3099", "が ")} == {"が"}


def test_a_table_has_no_name_twice() -> None:
    assert checked_names(["が", "か"]) == ("が", "か")
    for second in ("が", "か\u3099", "が\n"):
        with pytest.raises(kifu.MatchError, match="seat 1: another player here is called 'が'"):
            checked_names(["が", second])
        with pytest.raises(kifu.MatchError, match="another player"):
            kifu.new("mabr", ["が", second])
        host = Host(MemoryStore())
        with pytest.raises(kifu.MatchError, match="another player"):
            host.open("mabr", ["が", second])
        match = host.open("mabr", ["が", None]).match
        with pytest.raises(kifu.MatchError, match="another player"):
            host.join(match, second)
        assert host.join(match, "か").seat == 1


def test_a_bot_whose_name_is_taken_gets_a_number() -> None:
    assert [numbered("easy", others) for others in ([], ["easy"], ["EASY"], ["easy", None, "easy 2"])] == [
        *["easy", "easy 2", "easy", "easy 3"]
    ]
    host = Host(MemoryStore(), bots={"first": find_bot("first")(bytes(32))})
    opened = host.open("take_and_share", ["first", None, None], terms=Terms(bots={1: "first", 2: "first"}))
    assert host.about(opened.match).seats == ("first", "first 2", "first 3")
