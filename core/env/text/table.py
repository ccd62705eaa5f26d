"""One match as a table in words: what a seat reads, and what becomes of its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from os import urandom
from typing import Any

from ...errors import MatchError, Message
from ...game import TABLE, AnyGame, AnyStep, Meta, ObservedEvent, Seat, Shuffler, TableRule
from ...match import AnyMatch, Match, checked_seat
from ...match.bot import STAND_IN
from ...match.header import SEED_BYTES, new_header
from ...match.random_play import draw_command
from ...match.registry import resolve
from ...text.names import checked_names
from ...text.texts import Names, Texts
from ...wire.exact import MAX_ACTOR_LETTERS
from ..reward import rewards
from .listing import LISTED, MAX_FOUND, ListedCommand, Listing, legal_of
from .presenter import SeatPresenter
from .prompt import prompt, shown_names
from .reader import AnswerReader
from .refusals import Refused

TRIES = 3


def text_table(
    game: str | AnyGame | None = None,
    seats: int | Sequence[str] | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    match: AnyMatch | None = None,
    seed: bytes | None = None,
    lang: str = "en",
    listed: int = LISTED,
    brief: bool = False,
    tries: int = TRIES,
) -> TextTable:
    """Set up a match of a game as a table in words, or go on with `match`.

    `seats` is a number (the least of the game, unless given) or the names of the seats; `seed` is 32 bytes, fresh ones
    unless given. `listed` is the number of commands up to which all are listed, `brief` leaves their JSON out, and
    after `tries` refusals in one turn a stand-in plays (0: never). Raises `GameError`, `MatchError` or `OptionError`.
    """
    if match is None:
        if game is None:
            raise MatchError("a table needs a game, or a match")
        match = _new_match(resolve(game) if isinstance(game, str) else game, seats, options, seed)
    seated = match.header.seats
    names = None if seated == _bare_names(len(seated)) else seated
    return TextTable(match, lang=lang, names=names, listed=listed, brief=brief, tries=tries)


def _bare_names(seats: int) -> tuple[str, ...]:
    """Return what seats are called to which nobody gave names: their words alone."""
    return tuple(f"seat {seat}" for seat in range(seats))


def _new_match(
    game: AnyGame, seats: int | Sequence[str] | None, options: Mapping[str, Any] | None, seed: bytes | None
) -> AnyMatch:
    number = game.seats[0] if seats is None else seats
    names = _bare_names(number) if isinstance(number, int) else checked_names(number)
    seed = urandom(SEED_BYTES) if seed is None else seed
    name = blake2b(seed, digest_size=8).hexdigest() if isinstance(seed, bytes) else ""
    header = new_header(game, names, dict(options or {}), seed, match=name, started=None, engine="kifu.core.env.text")
    return Match(game, header)


class TextTable:
    """A match in words, for every game; it holds no rule of any.

    What a seat reads is a function of what it may know: of its view, its legal commands and what it has observed.
    """

    def __init__(
        self,
        match: AnyMatch,
        *,
        lang: str = "en",
        names: Names | None = None,
        listed: int = LISTED,
        brief: bool = False,
        tries: int = TRIES,
    ) -> None:
        self.match = match
        self.game: AnyGame = match.game
        self.texts = Texts(lang)
        self.names = shown_names(self.texts, names)
        self.refused = [0] * len(match.header.seats)
        """How many answers of each seat were refused."""
        self.stood_in = [0] * len(match.header.seats)
        """How many commands a stand-in gave for each seat."""
        self._tries = tries
        self._observed = [0] * len(match.header.seats)
        self._failures = [0] * len(match.header.seats)
        self._words: dict[Any, str] = {}
        self._listings: dict[int, tuple[int, Listing]] = {}
        seats = len(match.header.seats)
        self._presenter = SeatPresenter(self.game, self.texts, seats, self.names, listed=listed, brief=brief)
        match.deal(entropy=urandom)

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that are asked to act; empty once the match is over."""
        return frozenset() if self.match.abandoned else self.match.to_act - {TABLE}

    @property
    def count(self) -> int:
        """The number of events so far."""
        return len(self.match.events)

    def rewards(self, kind: str = "zero_sum") -> tuple[float, ...]:
        """Return the reward of each seat (`core.env.rewards`), 0 before the end."""
        return rewards(self.match.result, kind, len(self.match.header.seats))

    def rules(self, seat: int) -> str:
        """Return the prompt of a seat: who it is, the rules, the commands with their fields, and how to answer."""
        return prompt(self.game, self.match.header, self._seat(seat), self.texts, self.names)

    def observe(self, seat: int, since: int | None = None, *, as_json: bool = False) -> Any:
        """Return what happened since the seat last observed, the table, and its legal commands, as text.

        With `since`, what happened from that event on, and the seat's next text begins where it did before.
        `as_json` gives a dict with the keys `since`, `count`, `seen`, `view`, `legal`, `more` (and `result`).
        """
        own = self._seat(seat)
        begin = self._observed[own] if since is None else max(0, min(since, self.count))
        observation = self._plain(own, begin) if as_json else self._text(own, begin)
        if since is None:
            self._observed[own] = self.count
        return observation

    def find(self, seat: int, tag: str, **fields: Any) -> list[ListedCommand]:
        """List the legal commands of a tag whose fields are as given; a value of a list, or a face, finds it too."""
        return self._reader(self._seat(seat)).listing.find(tag, fields)

    def found(self, seat: int, tag: str, fields: dict[str, Any], limit: int = MAX_FOUND) -> str:
        """Return what `find` lists as text, a line each, at most `limit`; it says so if nothing fits, or more may."""
        return self._reader(self._seat(seat)).listing.found_text(tag, fields, limit)

    def parse(self, seat: int, answer: str) -> Any:
        """Return the command that an answer gives; changes nothing. Raises `Refused`."""
        return self._reader(seat).read(answer)

    def act(self, seat: int, answer: str, by: str | None = None) -> AnyStep:
        """Play the command that an answer gives, and deal what is due.

        Raises `Refused` if it gives none; after the last of `tries` in a turn a stand-in's command is played instead
        (`meta.by` says so). `by` is who acted, for the log.
        """
        own = checked_seat(seat)
        try:
            command = self.parse(own, answer)
        except Refused as refused:
            if not 0 <= seat < len(self.refused):
                raise
            self.refused[seat] += 1
            if refused.kind == "turn":
                raise
            self._failures[seat] += 1
            if not self._tries or self._failures[seat] < self._tries:
                raise
            return self.stand_in(seat, f"{self._tries} refusals, {refused.short}", by)
        return self._play(own, command, None if by is None else Meta(by=by[:MAX_ACTOR_LETTERS]))

    def stand_in(self, seat: int, why: str, by: str | None = None) -> AnyStep:
        """Play a command at random for a seat that has none; `meta.by` is `stand-in for NAME: why`."""
        own = self._seat(seat)
        self._check_turn(seat)
        header = self.match.header
        key = f"stand-in {seat}".encode() + (header.seed or header.match.encode())
        command = draw_command(self._listing(own).commands, Shuffler(blake2b(key, digest_size=32).digest(), self.count))
        self.stood_in[own] += 1
        name = f"{STAND_IN} for {by or header.seats[own]}: {why}"
        return self._play(own, command, Meta(by=name[:MAX_ACTOR_LETTERS]))

    def _play(self, seat: int, command: Any, meta: Meta | None) -> AnyStep:
        step = self.match.play(seat, command, meta)
        self.match.deal(entropy=urandom)
        self._failures[seat] = 0
        return step

    # What a seat reads.

    def _text(self, seat: int, since: int) -> str:
        lines = self._presenter.lines(self._seen(seat, since))
        scene, asked = self.match.scene(seat), self._asked_listing(seat)
        return self._presenter.text(lines, scene, self.to_act, asked, self.match.result)

    def _plain(self, seat: int, since: int) -> dict[str, Any]:
        view, asked, result = self.match.view(seat), self._asked_listing(seat), self.match.result
        return self._presenter.plain(since, self.count, self._seen(seat, since), view, self.to_act, asked, result)

    def _seen(self, seat: int, since: int) -> Iterator[ObservedEvent[Any]]:
        for step in self.match.steps[since:]:
            yield ObservedEvent(step.seq, step.seat, step.command_for(seat), step.notes_for(seat))

    def _asked_listing(self, seat: int) -> Listing | None:
        return self._listing(seat) if seat in self.to_act else None

    # Small things.

    def _check_turn(self, seat: int) -> None:
        if seat in self.to_act:
            return
        if not self.to_act:
            why = Message("table-ended", "the match is over: no command is taken any more")
            raise Refused("turn", self._presenter.say(why), seat, TableRule.OVER)
        called = self.texts.seat(seat if isinstance(seat, int) else None, self.names)
        why = Message(
            "table-turn",
            "it is not the turn of {seat}; to act: {asked}",
            seat=called,
            asked=self._presenter.called(self.to_act),
        )
        raise Refused("turn", self._presenter.say(why), seat, TableRule.TURN, {"asked": sorted(self.to_act)})

    def _reader(self, seat: int) -> AnswerReader:
        own = checked_seat(seat)
        self._check_turn(own)
        state = self.match.state
        return AnswerReader(self._listing(own), lambda command: self.game.apply(state, own, command))

    def _seat(self, seat: int) -> int:
        last = len(self.match.header.seats) - 1
        if checked_seat(seat) not in range(last + 1):
            raise MatchError(Message("no-such-seat", "a seat is 0 to {last}, not {given}", last=last, given=seat))
        return Seat(seat)

    def _listing(self, seat: int) -> Listing:
        count, listing = self._listings.get(seat, (-1, None))
        if listing is None or count != self.count:
            legal = legal_of(self.game, self.match.state, seat)
            listing = Listing(self.game, legal, seat, self.count, self.texts, self.names, self._words)
            self._listings[seat] = (self.count, listing)
        return listing
