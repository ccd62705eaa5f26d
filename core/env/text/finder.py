"""Which commands of a list some words name: by a part of their own, by their values, or whole among others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from attrs import frozen

from .answers import folded, numbers_in, without_marks
from .listed import ListedCommand
from .listing import Listing
from .wording import Wording

_CLAUSE = re.compile("[,\u3001]")


@frozen
class CommandFinder:
    """Finds the commands of a list that words name."""

    listing: Listing

    @property
    def _wording(self) -> Wording:
        return self.listing.wording

    def with_part(self, line: str) -> list[ListedCommand]:
        """List the commands that have these words among their own, in this order; of those the one with no more values.

        Where more may be legal than is listed, none: one in the list need not be the one that is meant. None either
        where there is one command alone: any words of it would do.
        """
        some = self._wording.tokens(line)
        if self.listing.open_ended or not some or len(self.listing) == 1:
            return []
        values = self._wording.values(some)
        pairs = zip(self.listing.all, self.listing.tokens, strict=True)
        found = [
            (each, tokens)
            for each, tokens in pairs
            if self._wording.is_part(some, tokens)
            and self._wording.denies_the_same(some, tokens)
            and self._begins_a_clause(some, each.words)
        ]
        exact = [each for each, tokens in found if values and self._wording.values(tokens) == values]
        parts = exact if len(exact) == 1 else [each for each, _ in found]
        return (
            list(dict.fromkeys([*parts, *self.listing.phrases.leaving(values)])) if parts and some == values else parts
        )

    def _begins_a_clause(self, some: Sequence[str], words: str) -> bool:
        """Return True if a part of words with values of several clauses has the first value of the first of these.

        `seat 0 ♠8 seat 1 ♠5` is no part of `♠3 to seat 0, ♠8 to seat 1, ♠5 to seat 2`: it has other pairs.
        """
        wording, rest, touched = self._wording, list(some), list[bool]()
        for clause in map(wording.tokens, _CLAUSE.split(words)):
            values, had = wording.values(clause), list[str]()
            for token in clause:
                if rest and wording.is_in(rest[0], token):
                    rest.pop(0)
                    had.append(token)
            if not set(had).isdisjoint(values):
                touched.append(values[0] in had)
        return len(touched) < 2 or touched[0]

    def behind_tag(self, line: str) -> list[ListedCommand]:
        """List the commands of the tag that a line begins with, whose words stand behind it: `settle keep both`."""
        tag, values = self.listing.parted(line)
        return [each for each in self.with_part(values) if self.listing.tag_of(each.command) == tag] if tag else []

    def with_values(self, line: str) -> list[ListedCommand]:
        """List the commands of a line's tag whose cards and numbers are all in it, beside those of others."""
        tag, values = self.listing.parted(line)
        if tag is None or self.listing.open_ended:
            return []
        wording = self._wording
        words = wording.tokens(wording.spoken(values))
        said, told = Counter(wording.values(words)), set(words)
        pairs = zip(self.listing.all, self.listing.tokens, strict=True)
        own = [(each, wording.values(tokens)) for each, tokens in pairs if self.listing.tag_of(each.command) == tag]
        within = [
            (each, (len(has), len(told.intersection(self.listing.tokens[each.number - 1]))))
            for each, has in own
            if has and Counter(has) <= said and "#" not in line
        ]
        return [each for each, shared in within if shared == max(shared for _, shared in within)]

    def phrased(self, line: str) -> list[ListedCommand]:
        """List the commands that a line says in another way; where more may be legal than is listed, in full."""
        return self.listing.phrases.named(line, in_part=not self.listing.open_ended)

    def mentioned(self, line: str) -> list[ListedCommand]:
        """List the commands that a line names, each by its number or in all its words, among whatever else."""
        numbers, said = numbers_in(line), f" {without_marks(line)} "
        named = [each for each in self.listing.all if each.number in numbers or f" {folded(each.words)} " in said]
        words = [folded(each.words) for each in named]
        within = {one for one in words if any(one != other and f"{one} " in f"{other} " for other in words)}
        return [each for each in named if each.number in numbers or folded(each.words) not in within]

    def is_of(self, words: str, tokens: Sequence[str]) -> bool:
        """Return True if words are some of a command's, with a number or card, and deny nothing."""
        some = self._wording.tokens(words)
        has_value = bool(self._wording.values(some)) and not self._wording.denies(words)
        return has_value and self._wording.is_part(some, tokens)

    def is_of_the_only(self, line: str) -> bool:
        """Return True if a line speaks of the only legal command: of something of it, and of nothing else."""
        if self.listing.open_ended:
            return False
        wording, words = self._wording, self.listing.tokens[0]
        tag, said = self.listing.tag_of(self.listing.commands[0]), wording.tokens(wording.spoken(line))
        own = {*words, *wording.commands[tag.casefold()]}
        others = [each for each in said if each not in own]
        is_denied = wording.denies(" ".join(others))
        values = [each for each in wording.values(others) if not any(wording.is_in(each, other) for other in own)]
        numbers = set(re.findall("[0-9]+", " ".join(others))).difference(*(re.findall("[0-9]+", each) for each in own))
        if is_denied or values or numbers or wording.names_command(others, tag):
            return False
        if wording.denies(" ".join(said)):
            return True  # it says no where the command does
        denied = {each for at, each in enumerate(words) if any(map(wording.denies, words[at : at + 2]))}
        return any(wording.is_in(each, other) for each in said for other in own - denied)
