"""Openers: they open a match, and see to it that its seats are played and watched."""

from __future__ import annotations

from contextlib import suppress

from ...errors import KeyRefused
from ...game import Seat
from ...host import OpenedMatch, Terms
from .clients import BOT, Client, Player
from .ledger import Known
from .processes import NoAnswer
from .strangers import Stranger
from .watchers import Watcher

TURN_LIMIT_MS = (1500, 3000)
REVEAL_MS = 4000
KINDS = ("named", "joined", "timed", "timed", "bots", "bots", "fair")
"""The kinds of matches: all seats named, seats that are joined, turn limits, bots, a fair deal; often with due work."""


class Opener(Client):
    """A client that opens a match, and sees to it that its seats are played and watched."""

    def run(self, kind: str) -> None:
        """Open a match of a kind, and start its players and watchers."""
        seats, terms = 2 + self.world.below(2), self.terms(kind)
        free = kind in ("joined", "fair")
        names = [None if free or seat in terms.bots else f"{self.name} seat {seat}" for seat in range(seats)]
        opened = self._opened(names, terms)
        known = Known(opened.match, terms, kind)
        self.ledger.matches[opened.match] = known
        self.say(f"opens {opened.match[:4]}, {kind}, {seats} seats")
        if any(opened.keys[seat] is not None for seat in terms.bots):
            self.world.violate(f"match {opened.match[:4]}: a bot's seat has a key")
        if kind == "joined":
            self.visit(opened.match, Seat(seats - 1))
        for seat in range(seats):
            if seat not in terms.bots:
                player = Player(f"{self.name} seat {seat}", self.network, self.ledger, known, seat, opened.keys[seat])
                self.world.start(player.name, player.play)
        for number in range(2 + self.world.below(2)):
            key = opened.keys[0] if number else None
            viewer = None if key is None else Seat(0)
            watcher = Watcher(f"{self.name} watcher {number}", self.network, self.ledger, opened.match, viewer, key)
            self.world.start(watcher.name, watcher.watch)
        stranger = Stranger(f"{self.name} stranger", self.network, self.ledger, known)
        self.world.start(stranger.name, stranger.run)

    def visit(self, match: str, seat: Seat) -> None:
        """Take a seat and leave it again: its key opens nothing any more."""
        try:
            key = self.ask_once("join as a guest", lambda host: host.join(match, "guest", seat)).key
        except NoAnswer:  # a guest sits there who knows of nothing: the player asks for the key
            return
        with suppress(KeyRefused):  # it has left, and did not hear it
            self.ask("leave", lambda host: host.remove_player(match, key, seat))
        with suppress(KeyRefused):
            self.ask("look as a guest", lambda host: host.observe(match, key))
            self.world.violate(f"match {match[:4]}: the key of whoever has left opens its seat")

    def _opened(self, names: list[str | None], terms: Terms) -> OpenedMatch:
        """Open the match; one whose answer was lost is nobody's, and another is opened."""
        while True:
            try:
                opened: OpenedMatch = self.ask_once("open", lambda host: host.open("rounds", names, {}, terms))
                return opened
            except NoAnswer:
                self.pause(400)

    def terms(self, kind: str) -> Terms:
        """Return the terms of a match of a kind."""
        limit = TURN_LIMIT_MS[self.world.below(2)] if kind == "timed" or self.world.chance(3) else None
        bots = {Seat(0): BOT, Seat(1): BOT} if self.world.chance(3) else {Seat(1): BOT}
        return Terms(
            turn_limit_ms=limit,
            bots=bots if kind == "bots" else {},
            bot_delay_ms=self.world.below(400),
            fair=kind == "fair",
            public=kind in ("named", "joined"),
            reveal_ms=REVEAL_MS,
        )
