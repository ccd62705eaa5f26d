"""The last line of an answer, and how a line is compared: width, case and white space apart."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

MAX_LINE = 10_000
"""The most letters of an answer's last line that are read."""

MAX_JSON_LINES = 40
"""The most lines of an object of JSON."""

_FENCE = re.compile(r"(```|~~~)\s*\w*")
_BOXED = re.compile(r"[$\\(\[ ]*\\boxed\{(.*)\}[$\\)\] .]*")
_NUMBER = re.compile(r"(#?) ?([0-9]{1,6})")
_DRAWN = dict.fromkeys((0xFE0E, 0xFE0F))
"""What only says how the letter before it is drawn, as in a suit of cards."""
_BESIDE_MARKS = re.compile(r" *([^\w ]) *")


def last_line(answer: str) -> str:
    """Return the last line that is neither blank nor a fence, without emphasis and `\\boxed{}`; "" if there is none.

    An object of JSON over several lines is one line.
    """
    lines = answer.splitlines()
    for place in reversed(range(len(lines))):
        line = lines[place].strip()[:MAX_LINE]
        bare = "" if _FENCE.fullmatch(line) else line.strip("*_`").strip()
        if bare:
            return _json_that_ends(lines[: place + 1]) or _unboxed(bare)
    return ""


def _unboxed(line: str) -> str:
    found = _BOXED.fullmatch(line)
    return line if found is None else found[1].replace("\\#", "#").strip()


def _json_that_ends(lines: Sequence[str]) -> str:
    """Return the object of JSON that ends with the last of these lines and began before it; "" if there is none."""
    if not lines[-1].strip().endswith("}"):
        return ""
    for begin in range(len(lines) - 2, max(len(lines) - MAX_JSON_LINES, 0) - 1, -1):
        if lines[begin].lstrip().startswith("{"):
            text = " ".join(lines[begin:]).strip()
            if len(text) <= MAX_LINE and json_in(text) is not None:
                return text
    return ""


def number_in(line: str) -> tuple[int, bool] | None:
    """Return the number that a line is, and whether `#` stands before it; None if the line is no number."""
    found = _NUMBER.fullmatch(folded(line))
    return None if found is None else (int(found[2]), bool(found[1]))


def json_in(line: str) -> dict[str, Any] | None:
    """Return the object that a line of JSON is; None if it is none."""
    if not line.startswith("{"):
        return None
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def folded(words: str) -> str:
    """Return words as they are compared: in any case and width, one blank between two words, none beside a mark."""
    words = unicodedata.normalize("NFKC", words.translate(_DRAWN)).casefold()
    return _BESIDE_MARKS.sub(r"\1", " ".join(words.split()))
