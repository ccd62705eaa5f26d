"""The word lists of MABR: those that ship, those of installed packages, and those that a frontend registers."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import TYPE_CHECKING

from attrs import field, frozen

from ....core.game import GameError, OptionError
from ..model import Message

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "kifu.lexicons"
"""The entry-point group of installed lexicons: the name, and an object of class `Lexicon` that has it."""

COMMON = "*"
"""Stands behind a common word in a shipped list."""

SHIPPED = {"kifu-ja-1": "ba73b1b610a24d312962fe005f0e7dd8", "kifu-ja-2": "bd09978656245e4c58d3d8ccb8fcd3d0"}
"""The lexicons that ship, each with the digest of its files: what a log was judged by never changes.

A build may leave them out (`KIFU_WITHOUT_WORD_LISTS`).
"""


def _set(words: Iterable[str]) -> frozenset[str]:
    return frozenset(words)


@frozen(eq=False)
class Lexicon:
    """The words and abbreviations that are commonly known; `common` are the words that a beginner would think of."""

    name: str
    words: frozenset[str] = field(converter=_set)
    abbreviations: frozenset[str] = field(converter=_set)
    common: frozenset[str] = field(converter=_set, default=())

    @property
    def digest(self) -> str:
        """The BLAKE2b-128 of the content, as hex."""
        lists = (self.words, self.abbreviations, self.common)
        return _digest("\n\n".join("\n".join(sorted(each)) for each in lists).encode())


_registered: dict[str, Lexicon] = {}


def register(name: str, words: Iterable[str], abbreviations: Iterable[str], common: Iterable[str] = ()) -> Lexicon:
    """Make a lexicon known under a name, so that matches can be judged by it.

    The name, e.g. `"hospital-3"`, pins the content: raises `OptionError` for a name that already stands for another.
    """
    lexicon = Lexicon(name, words, abbreviations, common)
    if is_known(name) and find(name).digest != lexicon.digest:
        english = "{name} is another list already: a list that changes gets a new name"
        raise OptionError("lexicon", Message("another-list", english, name=repr(name)))
    return _registered.setdefault(name, lexicon)


def is_known(name: str) -> bool:
    """Return whether there is a lexicon of this name."""
    return name in _here() or name in _registered or name in _entries()


def names() -> list[str]:
    """List the names of all known lexicons."""
    return sorted({*_here(), *_registered, *_entries()})


def check(name: str) -> None:
    """Raise `OptionError` unless there is a lexicon of this name."""
    if not is_known(name) and name in SHIPPED:
        english = (
            "this build of kifu was made without the word list {name}: register a list of your own, or install kifu"
        )
        raise OptionError("lexicon", Message("left-out-list", f"{english} from the package index", name=repr(name)))
    if not is_known(name):
        english = "there is no word list {name}; there are: {known}"
        raise OptionError("lexicon", Message("no-word-list", english, name=repr(name), known=", ".join(names())))


def find(name: str) -> Lexicon:
    """Find a lexicon by its name; raises `OptionError` if there is none, `GameError` if it cannot be loaded."""
    check(name)
    if name in _registered:
        return _registered[name]
    return _shipped(name) if name in SHIPPED else _installed(name)


@cache
def _here() -> frozenset[str]:
    """Return the lexicons that ship and that this build has; in a browser their words may be on their way yet."""
    return frozenset(name for name in SHIPPED if (files(__name__) / f"{name}.abbreviations.txt").is_file())


@cache
def _shipped(name: str) -> Lexicon:
    """Read a list that ships, once, when a game is first judged by it."""
    folder = files(__name__)
    words = zlib.decompress((folder / f"{name}.words.z").read_bytes())
    abbreviations = (folder / f"{name}.abbreviations.txt").read_text(encoding="utf-8")
    digest = _digest(words + abbreviations.encode())
    if digest != SHIPPED[name]:
        english = "the lexicon {name} is not the one that was released: its digest is {digest}"
        raise GameError("mabr", Message("not-as-released", english, name=name, digest=digest))
    lines = words.decode().split("\n")
    entries = abbreviations.split("\n")
    return Lexicon(
        name,
        words=frozenset([line.rstrip(COMMON) for line in lines]),
        abbreviations=frozenset(line.split()[0] for line in entries if line and not line.startswith("#")),
        common=frozenset([line[:-1] for line in lines if line.endswith(COMMON)]),
    )


@cache
def _installed(name: str) -> Lexicon:
    """Load the list of an installed package."""
    entry = _entries()[name]
    try:
        lexicon = entry.load()
    except KeyboardInterrupt:
        raise
    except BaseException as cause:  # another package's module may raise anything, SystemExit too
        english = "the lexicon {name} cannot be loaded from {place}: {cause}"
        why = Message("lexicon-not-loaded", english, name=name, place=entry.value, cause=repr(cause))
        raise GameError("mabr", why) from cause
    if not isinstance(lexicon, Lexicon) or lexicon.name != name:
        raise GameError(
            "mabr", Message("no-such-lexicon", "{place} is not a lexicon {name}", place=entry.value, name=name)
        )
    return lexicon


@cache
def _entries() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # here, so that a match need not wait for it

    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _digest(content: bytes) -> str:
    """Return the BLAKE2b-128, as hex."""
    return blake2b(content, digest_size=16).hexdigest()
