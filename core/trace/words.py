"""The sentences of a comparison, `compare-…` of core's catalogues: plain enough to be said without any library."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..texts import Texts

SENTENCE = re.compile(r"^compare-([\w-]+) = (.+)$", re.MULTILINE)
VALUE = re.compile(r"\{ \$(\w+) \}")


def say(texts: Texts | None, sentence: str, /, **values: Any) -> str:
    """Say a sentence in the language of the texts, or in English; its values, legible already, stand in it whole."""
    lang = texts.lang if texts is not None else "en"
    return VALUE.sub(lambda named: str(values[named[1]]), _sentences(lang)[sentence])


@cache
def _sentences(lang: str) -> dict[str, str]:
    source = files("kifu.core").joinpath("texts", f"{lang}.ftl").read_text(encoding="utf-8")
    return dict(SENTENCE.findall(source))
