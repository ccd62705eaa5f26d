"""How else a command may be said: in other words of its game, by what is left over, with its clauses in any order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from attrs import frozen

from .listed import ListedCommand
from .wording import Wording

_CLAUSE = re.compile("[,;\u3001\uff1b\uff0c]")
_AND = re.compile(r"(?i)[,;\u3001\uff1b\uff0c]|\b(?:and|but)\b|[てと](?=[^ぁ-ん])|(?<=ず)に|(?<=ない)で")
_HEAD = re.compile("^[^\uff1a]*\uff1a(?=.*\u3001)")
"""What a sentence of several Japanese clauses is called: `シェア：席0に♦8、…`."""
_COUNT = re.compile("[0-9]枚(?:とも)?")
_OTHER = re.compile("the other|もう1枚")
_BOTH = re.compile("both|2枚とも")

Clause = tuple[str, ...]


@frozen
class Said:
    """A command, the clauses in which it may be said, and whether some of them are enough."""

    command: ListedCommand
    clauses: Counter[Clause]
    in_part: bool


class Phrases:
    """What each command of a list may be called besides its words; `other_words` gives a game's own, a line each."""

    def __init__(
        self,
        listed: Sequence[ListedCommand],
        tags: Sequence[str],
        labels: Mapping[str, str],
        wording: Wording,
        other_words: Callable[[ListedCommand], Sequence[str]],
    ) -> None:
        self._listed, self._tags, self._wording, self._other_words = listed, tags, wording, other_words
        heads = {tag for each, tag in zip(listed, tags, strict=True) if each.words.startswith(labels[tag])}
        self._heads = {tag: label if tag in heads else "" for tag, label in labels.items()}
        self._called = {tag: wording.called(tag, head) for tag, head in self._heads.items()}

    def named(self, line: str, *, in_part: bool) -> list[ListedCommand]:
        """List the commands that a line says in full; if there is none and `in_part`, those that it says in part."""
        spoken = self._wording.spoken(line)
        for search in (self._in_full, self._in_part) if in_part else (self._in_full,):
            for parting in (_CLAUSE, _AND):
                by_tag = {tag: self._clauses(spoken, tag, parting) for tag in self._said}
                found = [each for tag, clauses in by_tag.items() if clauses for each in search(tag, clauses)]
                if found:
                    return list(dict.fromkeys(found))
        return []

    def _in_full(self, tag: str, clauses: Counter[Clause]) -> list[ListedCommand]:
        return self._by_clauses.get((tag, frozenset(clauses.items())), [])

    def _in_part(self, tag: str, clauses: Counter[Clause]) -> list[ListedCommand]:
        return [
            each.command
            for each in self._said[tag]
            if each.in_part and all(each.clauses.get(clause, 0) >= times for clause, times in clauses.items())
        ]

    @cached_property
    def _by_clauses(self) -> dict[tuple[str, frozenset[tuple[Clause, int]]], list[ListedCommand]]:
        """The commands by their tags and all the clauses in which they may be said."""
        found: dict[tuple[str, frozenset[tuple[Clause, int]]], list[ListedCommand]] = {}
        for tag, all_said in self._said.items():
            for each in all_said:
                found.setdefault((tag, frozenset(each.clauses.items())), []).append(each.command)
        return found

    def leaving(self, values: list[str]) -> list[ListedCommand]:
        """List the commands that leave just this over, and do not name it (`keep the other`): `5` may be either."""
        return [each for each, rest in self._left_over if rest == values and _OTHER.search(each.words)]

    @cached_property
    def _own(self) -> list[Counter[str]]:
        """The values of each command."""
        pairs = zip(self._listed, self._tags, strict=True)
        return [Counter(self._values(each.words.removeprefix(self._heads[tag]))) for each, tag in pairs]

    @cached_property
    def _pools(self) -> dict[str, Counter[str]]:
        """All values that commands of each tag have: of two cards of one face, both."""
        pools: dict[str, Counter[str]] = {tag: Counter() for tag in self._tags}
        for tag, values in zip(self._tags, self._own, strict=True):
            pools[tag] |= values
        return pools

    @property
    def _left_over(self) -> Iterator[tuple[ListedCommand, list[str]]]:
        """Each command, and the values of its tag that it has not."""
        for each, tag, values in zip(self._listed, self._tags, self._own, strict=True):
            yield each, list((self._pools[tag] - values).elements())

    @cached_property
    def _said(self) -> dict[str, list[Said]]:
        """All that each command may be called, by its tag."""
        said: dict[str, list[Said]] = {tag: [] for tag in self._tags}
        for (each, rest), tag in zip(self._left_over, self._tags, strict=True):
            pool, in_part, whole = self._pools[tag], [each.words], list(self._other_words(each))
            if pool.total() == 2:
                both = list(pool.elements())
                in_part += [self._with_both(each.words, " ".join(order)) for order in (both, both[::-1])]
            if len(rest) == 1:
                whole.append(_OTHER.sub(rest[0], each.words))
            said[tag] += [Said(each, self._clauses(words, tag, _CLAUSE), in_part=True) for words in in_part]
            said[tag] += [Said(each, self._clauses(words, tag, _CLAUSE), in_part=False) for words in whole]
        return said

    def _values(self, words: str) -> list[str]:
        return self._wording.values(self._wording.said(_COUNT.sub(" ", words)))

    def _with_both(self, words: str, values: str) -> str:
        """Return words with both values in place of `both`, in each clause that names none."""
        clauses = re.split("([,\u3001])", words)
        return "".join(each if self._values(each) else _BOTH.sub(values, each) for each in clauses)

    def _clauses(self, line: str, tag: str, parting: re.Pattern[str]) -> Counter[Clause]:
        """Return the clauses of a line, each as its words, those with a value in any order that leaves no doubt."""
        parts = parting.split(_HEAD.sub("", line.removeprefix(self._heads[tag])))
        said = map(self._wording.said, filter(str.strip, parts))
        clauses = [[each for each in tokens if each not in self._called[tag]] for tokens in said]
        return Counter(
            _in_order(each, set(self._wording.values(each)), alike=tag in self._lists) for each in clauses if each
        )

    @cached_property
    def _lists(self) -> set[str]:
        """The tags of commands whose values are items of one list, as `3 4`: they may be said in any order."""
        ordered = {
            tag
            for each, tag in zip(self._listed, self._tags, strict=True)
            if " ".join(self._values(each.words.removeprefix(self._heads[tag]))) not in each.words.casefold()
        }
        return set(self._tags) - ordered


def _in_order(tokens: Sequence[str], values: set[str], *, alike: bool) -> Clause:
    """Return the words of a clause, each value with those before it, sorted if none of them has two values.

    Values that are `alike`, of one list, stand sorted behind the words.
    """
    if alike:
        return (*(each for each in tokens if each not in values), *sorted(each for each in tokens if each in values))
    groups = list(_groups(tokens, values))
    labels = {each[:-1] for each in groups}
    return tuple(word for group in (sorted(groups) if len(labels) == len(groups) else groups) for word in group)


def _groups(tokens: Sequence[str], values: set[str]) -> Iterator[Clause]:
    """Yield each value with the words before it, and the words at the end."""
    group = list[str]()
    for each in tokens:
        group.append(each)
        if each in values:
            yield tuple(group)
            group = []
    if group:
        yield tuple(group)
