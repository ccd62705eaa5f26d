"""Which language a reader gets: the best that there is of those asked for (BCP 47 tags, looked up as in RFC 4647)."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from importlib.resources import files

_TAG = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_POSIX = re.compile(r"([A-Za-z]{2,8}(?:_[A-Za-z]{2})?)(?:\.[A-Za-z0-9-]+)?(?:@[A-Za-z0-9]+)?")
_WEIGHT = re.compile(r"\s*[qQ]\s*=\s*([01](?:\.[0-9]{0,3})?)\s*")
MAX_LETTERS = 200
"""Of a longer `Accept-Language` header the rest is not read."""


def preferred(asked: str) -> list[str]:
    """Return the tags of a tag, an `Accept-Language` header or a POSIX locale, most wanted first; `*` is any language.

    Leaves out what is no tag and what has the weight 0: empty if nothing is left.
    """
    weighted = []
    for item in asked[:MAX_LETTERS].split(","):
        name, _, parameter = item.partition(";")
        weight = _WEIGHT.fullmatch(parameter) if parameter.strip() else None
        if parameter.strip() and weight is None:
            continue
        posix = _POSIX.fullmatch(name.strip())
        tag = posix[1].replace("_", "-") if posix else name.strip()
        if (tag == "*" or _TAG.fullmatch(tag)) and (weight is None or float(weight[1])):
            weighted.append((-float(weight[1]) if weight else -1.0, tag.lower()))
    return [tag for _, tag in sorted(weighted, key=lambda pair: pair[0])]


def negotiate(asked: str, available: Collection[str], otherwise: str) -> str:
    """Return the language of `available` that suits best: `ja-JP` is given `ja`; `otherwise` if none does."""
    known = {each.lower(): each for each in available}
    for tag in preferred(asked):
        if tag == "*":
            return otherwise
        while tag:
            if tag in known:
                return known[tag]
            tag = tag.rpartition("-")[0].removesuffix("-x")
    return otherwise


@lru_cache(maxsize=64)
def languages_of(packages: tuple[str, ...]) -> frozenset[str]:
    """Return the languages in which at least one of these packages has a message catalogue."""
    found: set[str] = set()
    for package in packages:
        try:
            names = [each.name for each in files(package).joinpath("texts").iterdir()]
        except (ImportError, OSError, TypeError, ValueError):  # no such package, or no such folder
            continue
        found |= {name.removesuffix(".ftl") for name in names if name.endswith(".ftl")}
    return frozenset(found)
