"""Every game as an environment of OpenEnv (extra `kifu[openenv]`): text in, text out; the other seats are bots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from importlib.metadata import metadata
from os import urandom
from typing import Any

from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State

from ..errors import MatchError
from ..game import Seat
from ..log import log_bytes
from ..match.bot import Player, random_bot
from ..match.header import SEED_BYTES
from ..match.registry import find_bot, names
from .reward import check_reward
from .text import Refused, TextTable, text_table


class KifuAction(Action):
    """An answer, as `TextTable` reads it: its last line is a command."""

    command: str


class KifuObservation(Observation):
    """What the seat reads; after a refusal its sentence, and nothing has changed."""

    text: str
    rules: str = ""
    """The prompt, in the first observation of a match."""
    refused: str = ""
    """The kind of a refusal."""


class KifuState(State):
    """The match so far: once it is over, with its log in hex."""

    game: str = ""
    events: int = 0
    log: str = ""


class KifuEnvironment(Environment):
    """One seat of a match after another."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = KifuState()
        self._table: TextTable | None = None
        self._bots: dict[int, Player[Any, Any, Any]] = {}

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        game: str = "cake",
        seat: int = 0,
        seats: int | None = None,
        options: dict[str, Any] | None = None,
        opponents: str = "random",
        reward: str = "victory",
        lang: str = "en",
        **_: Any,
    ) -> KifuObservation:
        """Begin a match, and play it on until the seat is asked; the same seed gives the same match."""
        self._reward = check_reward(reward)
        drawn = urandom(SEED_BYTES) if seed is None else blake2b(b"kifu openenv %d" % seed, digest_size=32).digest()
        self._table = table = text_table(game, seats, options, seed=drawn, lang=lang)
        others = [other for other in range(len(table.match.header.seats)) if other != seat]
        if len(others) == len(table.match.header.seats):
            raise MatchError(f"a seat is 0 to {len(others) - 1}, not {seat}")
        names = [name.strip() for name in opponents.split(",")]
        self._seat = Seat(seat)
        self._bots = {
            other: _player(table, other, names[place % len(names)], drawn) for place, other in enumerate(others)
        }
        self._state = KifuState(episode_id=episode_id or table.match.header.match, game=game)
        self._play_on()
        return self._observe(rules=table.rules(seat))

    def step(self, action: KifuAction, timeout_s: float | None = None, **_: Any) -> KifuObservation:  # noqa: ARG002 (theirs)
        """Play a command, and the match on until the seat is asked again; after the third refusal a stand-in plays."""
        if self._table is None:
            raise MatchError("no match has begun here: call reset first")
        self._state.step_count += 1
        try:
            self._table.act(self._seat, action.command)
        except Refused as refused:
            return KifuObservation(text=str(refused), refused=refused.kind, done=not self._table.to_act, reward=0.0)
        self._play_on()
        return self._observe()

    def get_metadata(self) -> EnvironmentMetadata:
        """Return who this is, which games it has, and where it is described, as `/metadata` shows it."""
        games = ", ".join(names())
        about = metadata("kifu")
        return EnvironmentMetadata(
            name="kifu",
            description=f"One seat of a match in words, against bots. Games: {games}.",
            readme_content="\n\n".join(filter(None, (__doc__, type(self).reset.__doc__))),
            version=about["Version"],
            documentation_url=next(iter(_links(about.get_all("Project-URL") or ())), None),
        )

    @property
    def state(self) -> KifuState:
        """The state of the session."""
        if self._table is not None:
            self._state.events = self._table.count
            self._state.log = log_bytes(self._table.match).hex() if self._table.match.result is not None else ""
        return self._state

    def _play_on(self) -> None:
        table = self._table
        assert table is not None
        while table.to_act and table.to_act != {self._seat}:
            self._bots[min(table.to_act - {self._seat})].act()
            table.match.deal()

    def _observe(self, rules: str = "") -> KifuObservation:
        assert self._table is not None
        reward = self._table.rewards(self._reward)[self._seat]
        text = self._table.observe(self._seat)
        return KifuObservation(text=text, rules=rules, done=not self._table.to_act, reward=reward)


def _links(urls: Iterable[str]) -> Iterator[str]:
    """Yield the addresses of documentation among those of a package."""
    for url in urls:
        what, _, address = url.partition(", ")
        if what.casefold() in ("documentation", "homepage"):
            yield address


def _player(table: TextTable, seat: int, name: str, seed: bytes) -> Player[Any, Any, Any]:
    seeds = [blake2b(b"%s %d" % (kind, seat), key=seed, digest_size=32).digest() for kind in (b"bot", b"stand-in")]
    return Player(table.match, Seat(seat), find_bot(name)(seeds[0]), name, random_bot(seeds[1]))


def app(sessions: int = 64) -> Any:
    """Return the ASGI app that serves so many sessions at once."""
    return create_fastapi_app(KifuEnvironment, KifuAction, KifuObservation, max_concurrent_envs=sessions)
