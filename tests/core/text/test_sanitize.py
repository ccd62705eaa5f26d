"""A stranger's text reaches no terminal as it is."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kifu.core.text.sanitize import sanitize, width

HOSTILE = {
    "an escape sequence": "Aki\x1b[2J\x1b]0;title\x07",
    "an eight-bit escape": "Aki\x9b2J",
    "lines": "Aki\r\nRen\u2028Mio",
    "a bidi override": "Aki\u202eneR",
    "a bidi isolate": "\u2066Aki\u2069",
    "zero width": "A\u200bk\u200di\ufeff",
    "a variation selector": "A\ufe0f",
    "fillers that look like nothing": "\u3164\u115f\uffa0\u2800",
    "tags": "A\U000e0041\U000e0100",
    "a lone surrogate": "A\udc80",
    "a private character": "\ue000",
}


def shows(char: str) -> bool:
    kind = unicodedata.category(char)
    return kind[0] != "C" and kind not in ("Zl", "Zp") and char not in "\u3164\u115f\u1160\uffa0\u2800\u034f\ufe0f"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_what_a_terminal_would_obey_becomes_a_visible_sign(text: str) -> None:
    said = sanitize(text)
    assert said
    assert all(map(shows, said))
    assert len(said) == len(text) or text == "A\udc80", "each is replaced, none is dropped"


@pytest.mark.ci
@given(st.text(st.characters(), max_size=60), st.integers(2, 30))
def test_every_text_becomes_one_line_that_fits(text: str, cells: int) -> None:
    said = sanitize(text, cells)
    assert all(map(shows, said))
    assert width(said) <= cells


def test_good_names_stay_as_they_are() -> None:
    for name in ("Aki", "秋", "山口 真功", "José", "O'Brien-Sato", "Đặng", "สมชาย", "🦊"):
        assert sanitize(unicodedata.normalize("NFD", name)) == name


def test_long_texts_are_cut_with_a_sign() -> None:
    assert sanitize("abcdef", 4) == "abc…"
    assert sanitize("秋秋秋", 4) == "秋…"
    assert sanitize("abcd", 4) == "abcd"


def test_marks_do_not_pile_up() -> None:
    assert len(sanitize("e" + "\u0301" * 50)) <= 3
