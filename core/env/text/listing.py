"""The legal commands of a seat at one moment, by number, in words and as JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from enum import Enum
from fnmatch import fnmatchcase
from functools import cache, cached_property
from hashlib import blake2b
from itertools import chain, islice, takewhile
from typing import Any, Literal, get_origin

import attrs

from ...errors import Message
from ...game import AnyGame, Seat, Shuffler
from ...match.legal import first_legal
from ...text.plain_text import card_face
from ...text.texts import Names, Texts
from ...wire import plain, wire_of
from .answers import faces_of, folded
from .japanese import JapaneseWords, pieces
from .listed import ListedCommand
from .phrases import Phrases
from .prompt import command_form, command_json
from .wording import Wording

LISTED = 40
"""The most lines of a list that is shown whole."""

_HEAD = re.compile(r".*(?:[:,] |[\uff1a\u3001])")

MAX_SEARCHED = 100_000
"""How many legal commands are looked through for those that fit."""

MAX_FOUND = 60
"""How many commands are shown of those that fit, unless more are asked for."""

MAX_WORDS = 20_000
"""How many commands' words are kept."""


class Listing:
    """What one seat may do now; made once for a seat and a number of events."""

    def __init__(
        self,
        game: AnyGame,
        state: Any,
        seat: Seat,
        count: int,
        texts: Texts,
        names: Names,
        words: dict[Any, str] | None = None,
    ) -> None:
        """List the commands; `words` keeps what they are called, from one list to the next."""
        self._game, self._state, self._seat, self._count = game, state, seat, count
        self._texts, self._names = texts, names
        self._words: dict[Any, str] = {} if words is None else words
        if len(self._words) > MAX_WORDS:
            self._words.clear()
        first, has_more = first_legal(game, state, seat)
        self.commands: list[Any] = list(first)
        self.is_cut = has_more
        self.open_ended = game.open_ended(state, seat) or has_more

    def __len__(self) -> int:
        return len(self.commands)

    @property
    def tags(self) -> list[str]:
        """The tags that the seat has now, in the order of the list."""
        return list(dict.fromkeys(map(self.tag_of, self.commands)))

    def tag_of(self, command: Any) -> str:
        """Return the tag of a command."""
        return wire_of(self._game).tag(command)

    def parted(self, line: str) -> tuple[str | None, str]:
        """Return the tag that a line begins with, or that it calls otherwise, and what stands behind it."""
        first, _, values = line.rstrip(".。 ").partition(" ")
        named = first.removesuffix(":").removesuffix("\uff1a").casefold()
        tag = next((each for each in self._game.wire.values() if each.casefold() == named), None)
        return tag or self.wording.tag_called(named), values

    @cached_property
    def all(self) -> list[ListedCommand]:
        """Every command of the list; those whose words are equal have their JSON behind them."""
        words = list(map(self._called, self.commands))
        shared = {each for each, times in Counter(map(folded, words)).items() if times > 1}
        return [
            self._listed(place, f"{text} {command_json(self._game, command)}" if folded(text) in shared else text)
            for place, (command, text) in enumerate(zip(self.commands, words, strict=True))
        ]

    @cached_property
    def wording(self) -> Wording:
        """What words mean at this table: a card's face, and its name, if that is one word."""
        cards = set(self._game.cards(self._state))
        faces = faces_of(self._game, iter(cards))
        for card in cards:
            name = (self._texts.find(f"card-{card}", self._game) or "").casefold()
            if name and " " not in name and name not in faces:
                faces[name] = faces[card_face(self._game, card).casefold()]
        commands = {tag: self._texts.label(f"command-{tag}", self._game) for tag in self._game.wire.values()}
        also = {tag: self._texts.find(f"also-{tag}", self._game) or "" for tag in commands}
        own_seat = self._texts.seat(self._seat, self._names)
        nouns = self._texts.find("also-card", self._game) or ""
        return Wording(faces, commands, {tag: said for tag, said in also.items() if said}, own_seat, nouns)

    @cached_property
    def tokens(self) -> list[list[str]]:
        """The words of each command that tell something."""
        return [self.wording.tokens(each.words) for each in self.all]

    @cached_property
    def told(self) -> set[str]:
        """All words that tell one command from others."""
        return self.wording.command_words.union(self.wording.faces, *self.tokens)

    @cached_property
    def things(self) -> set[str]:
        """What commands are about: the pile of `pile 3`, and what their fields are called."""
        named = chain.from_iterable(map(self.wording.values_after, self.tokens))
        fields = chain.from_iterable(map(attrs.fields, set(map(type, self.commands))))
        return {word for word, value in named if value.isdecimal()} | {each.name.removesuffix("s") for each in fields}

    @cached_property
    def phrases(self) -> Phrases:
        """What else the commands may be called: in their game's other words, and by what is left over."""
        tags = list(map(self.tag_of, self.commands))
        labels = {tag: self._texts.label(f"command-{tag}", self._game) for tag in self.tags}
        return Phrases(self.all, tags, labels, self.wording, self._other_words)

    def _other_words(self, listed: ListedCommand) -> Sequence[str]:
        fields = attrs.asdict(listed.command, recurse=False)
        said = self._texts.find(f"said-{self.tag_of(listed.command)}", self._game, self._names, **fields)
        return said.splitlines() if said else []

    @cached_property
    def japanese(self) -> list[JapaneseWords]:
        """The words of each command in pieces, as a line of Japanese names them."""
        wire, texts = wire_of(self._game), self._texts
        called = {tag: texts.label(f"command-{tag}", self._game) for tag in self.tags}
        also = {tag: texts.find(f"also-{tag}", self._game) or "" for tag in called}
        tags = map(wire.tag, self.commands)
        return [
            JapaneseWords.of(each.words, called[tag], also[tag], self.wording.faces, self.wording.shortest)
            for each, tag in zip(self.all, tags, strict=True)
        ]

    def labelled(self, said: Collection[str]) -> list[str]:
        """List the tags whose commands all begin with just these pieces of Japanese, before their values."""
        labels = {tag: self._texts.label(f"command-{tag}", self._game) for tag in self.tags}
        own = [tag for tag, label in labels.items() if set(said) == set(pieces(label))]
        return [tag for tag in own if self.example(tag).words.startswith(labels[tag].removesuffix("する"))]

    def named_in_japanese(self, said: Sequence[str], *, own: bool) -> list[ListedCommand]:
        """List the commands that pieces of Japanese name; with `own`, not by what each command of a tag is called.

        The one that is said in full is meant before others; where more may be legal than is listed, no other is.
        """
        faces, pairs = self.wording.faces, zip(self.all, self.japanese, strict=True)
        found = [(each, words) for each, words in pairs if words.has(said, faces, own=own)]
        whole = [each for each, words in found if words.is_said(said, faces)]
        if len(whole) == 1 or self.open_ended or (len(found) == 1 and not found[0][1].is_enough(said)):
            return whole
        return [each for each, _ in found]

    @cached_property
    def by_words(self) -> dict[str, list[ListedCommand]]:
        """The commands by their words as they are compared."""
        found: dict[str, list[ListedCommand]] = {}
        for each in self.all:
            found.setdefault(folded(each.words), []).append(each)
        return found

    @cached_property
    def by_tokens(self) -> dict[frozenset[str], list[int]]:
        """The places of the commands that have the same words that tell something, in any order."""
        found: dict[frozenset[str], list[int]] = {}
        for place, tokens in enumerate(self.tokens):
            found.setdefault(frozenset(tokens), []).append(place)
        return found

    def at(self, number: int) -> ListedCommand:
        """Return the command of a number, from 1."""
        return self.all[number - 1]

    def example(self, tag: str | None = None) -> ListedCommand:
        """Draw one command, of this tag if one is given, each as likely as another: an example is no advice."""
        wire = wire_of(self._game)
        places = [at for at, each in enumerate(self.commands) if tag is None or wire.tag(each) == tag]
        key = f"{self._game.name} {self._count} {self._seat} {tag}".encode()
        place = places[Shuffler(blake2b(key, digest_size=32).digest()).below(len(places))]
        return self._listed(place, self._called(self.commands[place]))

    def closest(self, line: str, tag: str | None = None) -> ListedCommand | None:
        """Return the one command that shares the most words with a line and has the fewest others; else None.

        With a tag, of the commands of this tag. None with other cards or numbers than those of the line, if it has any,
        none that does not deny where it does, and none of another tag than a word of it names.
        """
        if self.open_ended:
            return None
        wire, said = wire_of(self._game), self.wording.said(self.wording.spoken(line))
        values, words, denies = Counter(self.wording.values(said)), set(said), self.wording.denies(line)
        tags = {each for each in self.tags if tag in (None, each) and not self.wording.names_command(said, each)}
        fitting = [
            wire.tag(command) in tags
            and values in (Counter(), Counter(self.wording.values(tokens)))
            and self.wording.denies(listed.words) == denies
            for command, listed, tokens in zip(self.commands, self.all, self.tokens, strict=True)
        ]
        shared = [
            (len(words.intersection(tokens)) if fits else 0, -len(tokens))
            for fits, tokens in zip(fitting, self.tokens, strict=True)
        ]
        most = max(shared, default=(0, 0))
        return self.at(shared.index(most) + 1) if most[0] and shared.count(most) == 1 else None

    def lines(self, listed: int, *, brief: bool = False) -> Iterator[str]:
        """Format the list; beyond `listed` lines how many commands there are of each tag, its form and an example."""
        if not self.commands:
            return
        if self.is_whole(listed):
            yield self._say(Message("table-list", "You may:"))
            for head, group in self._grouped:
                if head:
                    yield head + self._texts.comma.join(
                        f"#{each.number} {each.words.removeprefix(head)}" for each in group
                    )
                else:
                    yield f"#{group[0].number} {group[0].words}" if brief else str(group[0])
        else:
            yield from self._summary()
        if self.open_ended:
            english = (
                "Other commands than those listed may be legal too: give them as JSON, or as a tag and its values; "
                "no part of their words is enough."
            )
            yield self._say(Message("table-open", english))

    def is_whole(self, listed: int) -> bool:
        """Return True if the list is shown whole where at most so many lines are."""
        return not self.is_cut and len(self._grouped) <= listed

    @cached_property
    def _grouped(self) -> list[tuple[str, list[ListedCommand]]]:
        """The commands by the line that they share, and the words that all of it begin with; "" for one by itself.

        Those share a line that differ in one choice alone, as the charges against one palace.
        """
        groups: dict[Any, list[ListedCommand]] = {}
        for each in self.all:
            kind: Any = type(each.command)
            choice, values = _choice_of(kind), attrs.asdict(each.command, recurse=False)
            values.pop(choice, None)
            key: Any = (wire_of(self._game).tag(each.command), *values.values()) if choice else each.number
            groups.setdefault(key, []).append(each)
        grouped = list[tuple[str, list[ListedCommand]]]()
        for group in groups.values():
            head = _common_head([each.words for each in group]) if len(group) > 1 else ""
            grouped += [(head, group)] if head else [("", [each]) for each in group]
        return grouped

    def _summary(self) -> Iterator[str]:
        wire = wire_of(self._game)
        counts = Counter(map(wire.tag, self.commands))
        if self.is_cut:
            english = "You may give one of more than {count} commands, of these forms among others:"
            yield self._say(Message("table-many-more", english, count=len(self.commands)))
        else:
            english = "You may give one of {count} commands, of these forms:"
            yield self._say(Message("table-many", english, count=len(self.commands)))
        for tag in self.tags:
            form = command_form(self._game, wire.tags[tag])
            example = self.example(tag)
            if counts[tag] == 1:
                yield str(example)
                continue
            english = "{count} × {form}, for example {example}"
            yield self._say(Message("table-kind", english, count=counts[tag], form=form, example=str(example)))

    def find(self, tag: str, fields: dict[str, Any], faces: dict[str, set[Any]]) -> list[ListedCommand]:
        """List the commands of a tag whose fields are as given; of a field with several values, those that have it.

        Of several values all are to be there; a text may have `*` for any letters and `?` for one. Commands beyond the
        end of a list that is cut are found, too, up to `MAX_SEARCHED`; they have no number.
        """
        return self._find(tag, fields, faces)[0]

    def _find(self, tag: str, fields: dict[str, Any], faces: dict[str, set[Any]]) -> tuple[list[ListedCommand], bool]:
        """Return the commands that are found, and True if more are legal than were looked through."""
        found = [self.all[at] for at, each in enumerate(self.commands) if self._is_found(each, tag, fields, faces)]
        if not self.is_cut:
            return found, False
        beyond = islice(self._game.legal(self._state, self._seat), len(self.commands), None)
        fitting = (
            each
            for each in islice(beyond, max(0, MAX_SEARCHED - len(self.commands)))
            if self._is_found(each, tag, fields, faces)
        )
        found += [ListedCommand(0, each, self._called(each), command_json(self._game, each)) for each in fitting]
        return found, any(True for _ in beyond)

    def found_text(self, tag: str, fields: dict[str, Any], faces: dict[str, set[Any]], limit: int = MAX_FOUND) -> str:
        """Return the commands that are found, a line each, at most `limit`, and what is to be known of others."""
        found, has_unsearched = self._find(tag, fields, faces)
        shown = found[: max(limit, 1)]
        lines = list(map(str, shown)) or [self._say(Message("table-none-fits", "No legal command fits."))]
        if len(found) > len(shown):
            lines.append(self._say(Message("table-more-fit", "{count} more fit.", count=len(found) - len(shown))))
        if self._game.open_ended(self._state, self._seat) or has_unsearched:
            lines.append(self._say(Message("table-others", "Others than those listed may be legal, too.")))
        return "\n".join(lines)

    def _is_found(self, command: Any, tag: str, fields: dict[str, Any], faces: dict[str, set[Any]]) -> bool:
        own, values = wire_of(self._game).encode(command)
        return own == tag and all(
            hasattr(command, name) and _fits(plain(values.get(name)), want, faces) for name, want in fields.items()
        )

    def called(self, words: str) -> Any:
        """Return the command beyond the end of a list that is cut which has these very words; None if there is none.

        How they are parted, and politeness, may differ. Only the words of those are made whose texts are all among
        these.
        """
        beyond = islice(self._game.legal(self._state, self._seat), len(self.commands), MAX_SEARCHED)
        said = self.wording.said(words)
        for command in beyond:
            texts = [each for each in attrs.astuple(command, recurse=False) if isinstance(each, str)]
            if texts and all(each in words for each in texts) and self.wording.said(self._called(command)) == said:
                return command
        return None

    def plain(self, listed: int) -> tuple[list[dict[str, Any]], dict[str, int]]:
        """Return the list in the shape of the web API, and beyond `listed` how many commands there are of each tag."""
        wire = wire_of(self._game)
        if not self.is_whole(listed):
            return [], dict(Counter(map(wire.tag, self.commands)))
        commands = [
            {
                "tag": wire.tag(each.command),
                "fields": plain(wire.encode(each.command)[1]),
                "parts": [list(part) for part in self._game.parts(each.command)],
                "text": each.words,
            }
            for each in self.all
        ]
        return commands, {}

    def _called(self, command: Any) -> str:
        """Return the words of a command; it takes a while to make them, and the same commands come again."""
        known = self._words.get(command)
        if known is None:
            known = self._words[command] = self._texts.command(command, self._game, self._names)
        return known

    def _listed(self, place: int, words: str) -> ListedCommand:
        command = self.commands[place]
        return ListedCommand(place + 1, command, words, command_json(self._game, command))

    def _say(self, message: Message) -> str:
        return self._texts.message(message)


@cache
def _choice_of(kind: Any) -> str:
    """Return the name of the only field of a command that is one of some words; "" if there is none, or another."""
    fields = attrs.fields(attrs.resolve_types(kind))
    choices = [each.name for each in fields if get_origin(each.type) is Literal or _is_enum(each.type)]
    return choices[0] if len(choices) == 1 else ""


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _common_head(words: Sequence[str]) -> str:
    """Return what all words begin with, up to a colon or a comma; "" if there is no such beginning."""
    least, most = min(words), max(words)  # whatever these two begin with, all that lie between do
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(least, most, strict=False)))
    found = _HEAD.match(least[:shared])
    return found[0] if found else ""


def _fits(value: Any, want: Any, faces: dict[str, set[Any]]) -> bool:
    if value == want and type(value) is type(want):
        return True
    if isinstance(value, list) and isinstance(want, list):
        return value == want or all(any(_fits(each, one, faces) for each in value) for one in want)
    if isinstance(value, list):
        return value == plain(want) or any(_fits(each, want, faces) for each in value)
    if not isinstance(want, str):
        return False
    return value in faces.get(want.casefold(), ()) or fnmatchcase(str(value).lower(), want.lower().replace("[", "[[]"))
