"""What the web's rooms share: the host that they serve, its games, and who may do how much."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from attrs import field, frozen
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from .. import catalogue
from ..game import Game
from ..host import About, Host
from ..page import LANGS
from ..texts import FALLBACK, Texts
from .limits import Buckets, Limits
from .meters import Meters
from .telling import Teller

A = TypeVar("A")


@frozen(eq=False)
class Desk:
    """What an app is made of; every request finds it in `app.state.desk`."""

    host: Host
    find: Callable[[str], Game[Any, Any, Any]] = catalogue.find
    games: Callable[[], Sequence[str]] = catalogue.names
    bots: tuple[str, ...] = ()
    limits: Limits = field(factory=Limits)
    meters: Meters = field(factory=Meters)
    asking: Buckets = field(init=False)
    opening: Buckets = field(init=False)

    def __attrs_post_init__(self) -> None:
        limits = self.limits
        object.__setattr__(self, "asking", Buckets(limits.rate, limits.burst))
        object.__setattr__(self, "opening", Buckets(limits.openings, limits.opened))

    async def about(self, match: str) -> About:
        return await at_work(self.host.about, match)

    async def teller(self, match: str, lang: str) -> Teller:
        """Find who tells of a match."""
        about = await self.about(match)
        return self.teller_of(about, lang)

    def teller_of(self, about: About, lang: str) -> Teller:
        return Teller(self.find(about.game), about, lang)


async def at_work(function: Callable[..., A], *args: Any) -> A:
    """Ask the host, which may wait for a disk, without keeping the event loop waiting."""
    return await run_in_threadpool(function, *args)


def desk_of(connection: HTTPConnection) -> Desk:
    desk: Desk = connection.app.state.desk
    return desk


def lang_of(accepted: str) -> str:
    """Choose from an `Accept-Language` the language that is liked best and that we have."""
    best, most = FALLBACK, 0.0
    for item in accepted[:200].split(","):
        name, _, weight = item.partition(";")
        lang = name.strip().lower().partition("-")[0]
        liking = _liking(weight)
        if lang in LANGS and liking > most:
            best, most = lang, liking
    return best


def _liking(weight: str) -> float:
    if not weight.strip():
        return 1.0
    try:
        return float(weight.strip().removeprefix("q="))
    except ValueError:
        return 0.0


def texts_of(connection: HTTPConnection) -> Texts:
    return Texts(lang_of(connection.headers.get("accept-language", "")), __package__)
