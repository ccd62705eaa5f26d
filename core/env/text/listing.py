"""The legal commands of a seat at one moment, by number, in words and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from hashlib import blake2b
from itertools import islice
from typing import Any

from attrs import frozen

from ...errors import Message
from ...game import AnyGame, Shuffler
from ...match.legal import first_legal
from ...text.sanitize import card_face
from ...text.texts import Names, Texts
from ...wire import plain, wire_of
from .answers import folded
from .prompt import command_form, command_json

LISTED = 40
"""The most lines of a list that is shown whole."""

MAX_SEARCHED = 100_000
"""How many legal commands are looked through for those that fit."""

MAX_FOUND = 60
"""How many commands are shown of those that fit, unless more are asked for."""

MAX_WORDS = 20_000
"""How many commands' words are kept."""


@frozen
class Legal:
    """The legal commands of a seat, the first of them if there are many; `cards` are those of the game."""

    commands: Sequence[Any]
    is_cut: bool
    is_open_ended: bool
    cards: Callable[[], Iterable[Any]]
    beyond: Callable[[], Iterator[Any]] = lambda: iter(())
    """Makes those beyond the end of a list that is cut."""


def legal_of(game: AnyGame, state: Any, seat: int) -> Legal:
    """Return the legal commands of a seat in a state."""
    first, has_more = first_legal(game, state, seat)
    return Legal(
        first,
        has_more,
        game.open_ended(state, seat),
        lambda: game.cards(state),
        lambda: islice(game.legal(state, seat), len(first), None),
    )


@frozen
class ListedCommand:
    """A legal command: its number in the list (from 1; 0 beyond the end of a list that is cut), words, and JSON."""

    number: int
    command: Any
    words: str
    json: str

    def __str__(self) -> str:
        return f"#{self.number} {self.words} {self.json}" if self.number else f"{self.words} {self.json}"


class Listing:
    """What one seat may do now; made once for a seat and a number of events."""

    def __init__(
        self,
        game: AnyGame,
        legal: Legal,
        seat: int,
        count: int,
        texts: Texts,
        names: Names | None,
        words: dict[Any, str] | None = None,
    ) -> None:
        """List the commands; `words` keeps what they are called, from one list to the next."""
        self.game, self.seat, self.texts, self.names = game, seat, texts, names
        self._legal, self._count = legal, count
        self._words: dict[Any, str] = {} if words is None else words
        if len(self._words) > MAX_WORDS:
            self._words.clear()
        self.commands: Sequence[Any] = legal.commands
        self.is_cut = legal.is_cut
        self.open_ended = legal.is_open_ended or legal.is_cut

    def __len__(self) -> int:
        return len(self.commands)

    @property
    def tags(self) -> list[str]:
        """The tags that the seat has now, in the order of the list."""
        return list(dict.fromkeys(map(self.tag_of, self.commands)))

    def tag_of(self, command: Any) -> str:
        """Return the tag of a command."""
        return wire_of(self.game).tag(command)

    @cached_property
    def all(self) -> list[ListedCommand]:
        """Every command of the list; those whose words are equal have their JSON behind them."""
        words = list(map(self._called, self.commands))
        shared = {each for each, times in Counter(map(folded, words)).items() if times > 1}
        return [
            self._listed(place, f"{text} {command_json(self.game, command)}" if folded(text) in shared else text)
            for place, (command, text) in enumerate(zip(self.commands, words, strict=True))
        ]

    @cached_property
    def by_words(self) -> dict[str, ListedCommand]:
        """The commands by their words as they are compared."""
        return {folded(each.words): each for each in self.all}

    def example(self, tag: str | None = None) -> ListedCommand:
        """Draw one command, of this tag if one is given, each as likely as another: an example is no advice."""
        wire = wire_of(self.game)
        places = [at for at, each in enumerate(self.commands) if tag is None or wire.tag(each) == tag]
        key = f"{self.game.name} {self._count} {self.seat} {tag}".encode()
        place = places[Shuffler(blake2b(key, digest_size=32).digest()).below(len(places))]
        return self._listed(place, self._called(self.commands[place]))

    def lines(self, listed: int, *, brief: bool = False) -> Iterator[str]:
        """Format the list; beyond `listed` lines how many commands there are of each tag, its form and an example."""
        if not self.commands:
            return
        if self.is_whole(listed):
            yield self._say(Message("table-list", "You may:"))
            for each in self.all:
                yield f"#{each.number} {each.words}" if brief else str(each)
        else:
            yield from self._summary()
        if self.open_ended:
            english = "Other commands than those listed may be legal too: give them as JSON."
            yield self._say(Message("table-open", english))

    def is_whole(self, listed: int) -> bool:
        """Return True if the list is shown whole where at most so many lines are."""
        return not self.is_cut and len(self.commands) <= listed

    def _summary(self) -> Iterator[str]:
        wire = wire_of(self.game)
        counts = Counter(map(wire.tag, self.commands))
        if self.is_cut:
            english = "You may give one of more than {count} commands, of these forms among others:"
            yield self._say(Message("table-many-more", english, count=len(self.commands)))
        else:
            english = "You may give one of {count} commands, of these forms:"
            yield self._say(Message("table-many", english, count=len(self.commands)))
        for tag in self.tags:
            form = command_form(self.game, wire.tags[tag])
            example = self.example(tag)
            if counts[tag] == 1:
                yield str(example)
                continue
            english = "{count} × {form}, for example {example}"
            yield self._say(Message("table-kind", english, count=counts[tag], form=form, example=str(example)))

    def find(self, tag: str, fields: dict[str, Any]) -> list[ListedCommand]:
        """List the commands of a tag whose fields are as given; of a field with several values, those that have it.

        Of several values all are to be there; a text may have `*` for any letters and `?` for one. Commands beyond the
        end of a list that is cut are found, too, up to `MAX_SEARCHED`; they have no number.
        """
        return self._find(tag, fields)[0]

    @cached_property
    def _faces(self) -> dict[str, set[Any]]:
        """The cards by the text of their face, in any case."""
        faces: dict[str, set[Any]] = {}
        for card in set(self._legal.cards()):
            faces.setdefault(card_face(self.game, card).casefold(), set()).add(card)
        return faces

    def _find(self, tag: str, fields: dict[str, Any]) -> tuple[list[ListedCommand], bool]:
        """Return the commands that are found, and True if more are legal than were looked through."""
        found = [self.all[at] for at, each in enumerate(self.commands) if self._is_found(each, tag, fields)]
        if not self.is_cut:
            return found, False
        beyond = self._legal.beyond()
        fitting = (
            each
            for each in islice(beyond, max(0, MAX_SEARCHED - len(self.commands)))
            if self._is_found(each, tag, fields)
        )
        found += [ListedCommand(0, each, self._called(each), command_json(self.game, each)) for each in fitting]
        return found, any(True for _ in beyond)

    def found_text(self, tag: str, fields: dict[str, Any], limit: int = MAX_FOUND) -> str:
        """Return the commands that are found, a line each, at most `limit`, and what is to be known of others."""
        found, has_unsearched = self._find(tag, fields)
        shown = found[: max(limit, 1)]
        lines = list(map(str, shown)) or [self._say(Message("table-none-fits", "No legal command fits."))]
        if len(found) > len(shown):
            lines.append(self._say(Message("table-more-fit", "{count} more fit.", count=len(found) - len(shown))))
        if self._legal.is_open_ended or has_unsearched:
            lines.append(self._say(Message("table-others", "Other commands than those listed may be legal, too.")))
        return "\n".join(lines)

    def _is_found(self, command: Any, tag: str, fields: dict[str, Any]) -> bool:
        own, values = wire_of(self.game).encode(command)
        return own == tag and all(
            hasattr(command, name) and _fits(plain(values.get(name)), want, self._faces)
            for name, want in fields.items()
        )

    def plain(self, listed: int) -> tuple[list[dict[str, Any]], dict[str, int]]:
        """Return the list in the shape of the web API, and beyond `listed` how many commands there are of each tag."""
        wire = wire_of(self.game)
        if not self.is_whole(listed):
            return [], dict(Counter(map(wire.tag, self.commands)))
        commands = [
            {
                "tag": wire.tag(each.command),
                "fields": plain(wire.encode(each.command)[1]),
                "parts": [list(part) for part in self.game.parts(each.command)],
                "text": each.words,
            }
            for each in self.all
        ]
        return commands, {}

    def _called(self, command: Any) -> str:
        """Return the words of a command; it takes a while to make them, and the same commands come again."""
        known = self._words.get(command)
        if known is None:
            known = self._words[command] = self.texts.command(command, self.game, self.names)
        return known

    def _listed(self, place: int, words: str) -> ListedCommand:
        command = self.commands[place]
        return ListedCommand(place + 1, command, words, command_json(self.game, command))

    def _say(self, message: Message) -> str:
        return self.texts.message(message)


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
