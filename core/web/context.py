"""What the web's rooms share: the host that they serve, its games, and who may do how much."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from attrs import field, frozen
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from .. import registry
from ..game import Game
from ..host import About, Host
from ..page import LANGS
from ..text.texts import FALLBACK, Texts
from .metrics import Metrics
from .presenters import MatchPresenter
from .rate_limits import Limits, RateLimiter

A = TypeVar("A")


@frozen(eq=False)
class AppContext:
    """What an app is made of; every request finds it in `app.state.desk`."""

    host: Host
    find: Callable[[str], Game[Any, Any, Any]] = registry.find
    games: Callable[[], Sequence[str]] = registry.names
    bots: tuple[str, ...] = ()
    limits: Limits = field(factory=Limits)
    metrics: Metrics = field(factory=Metrics)
    request_rate: RateLimiter = field(init=False)
    open_rate: RateLimiter = field(init=False)

    def __attrs_post_init__(self) -> None:
        limits = self.limits
        object.__setattr__(self, "asking", RateLimiter(limits.requests_per_s, limits.request_burst))
        object.__setattr__(self, "opening", RateLimiter(limits.opens_per_s, limits.open_burst))

    async def about(self, match: str) -> About:
        return await in_thread(self.host.about, match)

    async def presenter(self, match: str, lang: str) -> MatchPresenter:
        """Find who tells of a match."""
        about = await self.about(match)
        return self.presenter_of(about, lang)

    def presenter_of(self, about: About, lang: str) -> MatchPresenter:
        return MatchPresenter(self.find(about.game), about, lang)


async def in_thread(function: Callable[..., A], *args: Any) -> A:
    """Ask the host, which may wait for a disk, without keeping the event loop waiting."""
    return await run_in_threadpool(function, *args)


def context_of(connection: HTTPConnection) -> AppContext:
    context: AppContext = connection.app.state.context
    return context


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
