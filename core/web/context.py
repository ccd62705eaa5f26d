"""The context that all modules of the web share: host, games, metrics and rate limits."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache, lru_cache, partial
from typing import Any, Concatenate, ParamSpec, TypeVar

from attrs import field, frozen
from starlette.requests import HTTPConnection

from ..game import AnyGame
from ..host import About, Host
from ..match import registry
from ..page import LANGS
from ..text.negotiation import negotiate
from ..text.texts import FALLBACK, Texts
from .analyses import Analyser, Analyses
from .kept import Kept
from .limits.admission import Admission, Lane
from .limits.bot_matches import BotMatches
from .limits.fair_lane import FairLane
from .limits.rate_limits import Limits, RateLimiter
from .metrics import Metrics
from .presenters import MatchPresenter
from .readiness import Readiness

MADE_BYTES = 32 << 20
"""How much of what was computed of matches that have ended is kept."""
MAX_ACCEPTED = 1000
"""So much of an `Accept-Language` header is read; the last ones are remembered."""
A = TypeVar("A")
P = ParamSpec("P")


@frozen(eq=False)
class AppContext:
    """The parts of one app, in `app.state.context`."""

    host: Host
    find: Callable[[str], AnyGame] = registry.find
    games: Callable[[], Sequence[str]] = registry.names
    bots: tuple[str, ...] = ()
    limits: Limits = field(factory=Limits)
    metrics: Metrics = field(factory=Metrics)
    analyser: Analyser | None = None
    request_rate: RateLimiter = field(init=False)
    open_rate: RateLimiter = field(init=False)
    join_rate: RateLimiter = field(init=False)
    reaction_rate: RateLimiter = field(init=False)
    admission: Admission = field(init=False)
    heavy: FairLane = field(init=False)
    bot_matches: BotMatches = field(init=False)
    readiness: Readiness = field(init=False)
    analyses: Analyses | None = field(init=False, default=None)
    made: Kept[Any] = field(init=False, factory=lambda: Kept(MADE_BYTES))
    """Pages, scores and remarks of matches that have ended."""

    def __attrs_post_init__(self) -> None:
        limits = self.limits
        object.__setattr__(self, "admission", Admission(limits, self.metrics, self.host.threads))
        object.__setattr__(self, "heavy", FairLane(threads=self.host.threads))
        object.__setattr__(self, "bot_matches", BotMatches(limits, self.admission, self._status_of))
        object.__setattr__(self, "readiness", Readiness(self.host, self.admission, self.metrics))
        self.metrics.read_from(self.host)
        if self.analyser is not None:
            analyses = Analyses(self.analyser, limits, self.metrics, self.admission.refused)
            object.__setattr__(self, "analyses", analyses)
        object.__setattr__(self, "join_rate", RateLimiter(limits.joins_per_s, limits.join_burst))
        object.__setattr__(self, "reaction_rate", RateLimiter(limits.reactions_per_s, limits.reaction_burst))
        object.__setattr__(self, "request_rate", RateLimiter(limits.requests_per_s, limits.request_burst))
        object.__setattr__(self, "open_rate", RateLimiter(limits.opens_per_s, limits.open_burst))

    async def about(self, match: str) -> About:
        """Return the public facts of a match."""
        return await self.call("read", self.host.about, match)

    async def _status_of(self, match: str) -> str:
        return (await self.about(match)).status

    async def call(self, lane: Lane, function: Callable[..., A], *args: Any) -> A:
        """Call a function that may wait for a disk, as the host's do, in a thread of this lane; return its value."""
        return await self.admission.run(lane, function, *args)

    async def change(
        self, client: str, change: Callable[Concatenate[Host, P], A], *args: P.args, **more: P.kwargs
    ) -> A:
        """Have a match changed (`Host.soon`); what computes for long, as a fork, does so in the client's turn."""
        return await self.host.soon_in(partial(self.heavy.turn, client), change, *args, **more)

    async def computed(self, client: str, key: Hashable, make: Callable[[], A], size_of: Callable[[A], int]) -> A:
        """Return what takes long to make of a match that has ended: what is kept, or made in the client's turn."""
        kept: A | None = self.made.get(key)
        return kept if kept is not None else await self.heavy.run(client, self.made.made, key, make, size_of)

    def spend(self, rate: RateLimiter, limit: str, client: str, tokens: int = 1) -> None:
        """Take some of a client's tokens; raises `RequestError` if there are fewer."""
        wait_s = rate.acquire(client, tokens)
        if wait_s:
            raise self.admission.refused(limit, "too-many", wait_s)

    async def presenter(self, match: str, lang: str) -> MatchPresenter:
        """Return the presenter of a match, by its id."""
        about = await self.about(match)
        return self.presenter_of(about, lang)

    def presenter_of(self, about: About, lang: str) -> MatchPresenter:
        """Return the presenter of the match with these public facts."""
        return MatchPresenter(self.find(about.game), about, lang)


def context_of(connection: HTTPConnection) -> AppContext:
    """Return the context of the app that serves this request or WebSocket."""
    context: AppContext = connection.scope["state"]["context"]
    return context


def lang_of(accepted: str) -> str:
    """Return the best-weighted language of an `Accept-Language` header that we have, else English."""
    return _lang_of(accepted[:MAX_ACCEPTED])


@lru_cache(maxsize=256)
def _lang_of(accepted: str) -> str:
    return negotiate(accepted, LANGS, FALLBACK)


def texts_of(connection: HTTPConnection) -> Texts:
    """Return the web's texts in the client's language."""
    state = connection.scope["state"]
    if "texts" not in state:
        state["texts"] = _texts(lang_of(connection.headers.get("accept-language", "")))
    texts: Texts = state["texts"]
    return texts


@cache
def _texts(lang: str) -> Texts:
    return Texts(lang, __package__)
