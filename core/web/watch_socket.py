"""Watching over a WebSocket: the events as a seat sees them, and the public facts when they change.

The watcher's first message is a `request_shapes.WatchRequest`; after a break it reconnects with `since`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator

from attrs import define
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ..errors import KeyRefused, KifuError, NoMatch
from . import access_log
from .context import AppContext, context_of, lang_of, texts_of
from .feeds import Batch, Watcher
from .http_codec import RequestError, decode_json
from .limits.counts import Counts
from .limits.turns import PAUSE_S, Turns
from .problem import STATUS, problem_response
from .request_shapes import WatchRequest

OVER = 1000
"""The close code after the last event of a match."""
MALFORMED, KEY_REFUSED, NO_MATCH, LATE, SLOW, FAILED = 4400, 4401, 4404, 4408, 4413, 4500
RETRY_S = 5
RESET_S = 0.1
"""How old the time limit of a message may be for the next one to have the same."""
AT_ONCE = 4
"""How many messages a watcher is sent at a turn: many that catch up would else delay moves."""
MAX_REASON_BYTES = 123
"""The longest reason that a close frame can hold."""


class Watchers:
    """The numbers of watchers, of each client and in all, against their limits."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._watchers = Counts()
        self.turns = Turns(PAUSE_S)
        """Of those that catch up."""

    def enter(self, client: str) -> RequestError | None:
        """Count a new watcher; return the refusal at a limit."""
        limits, admission = self._context.limits, self._context.admission
        if wait_s := self._context.request_rate.acquire(client):
            return admission.refused("requests_per_s", "too-many", wait_s)
        if self._watchers[client] >= limits.watches_per_client:
            return admission.refused("watches_per_client", "too-many", RETRY_S - 1)
        if self._watchers.in_all >= limits.watches_total:
            return admission.refused("watches_total", "busy", RETRY_S - 1)
        self._watchers.enter(client)
        self._context.metrics.watchers.set(self._watchers.in_all)
        return None

    def leave(self, client: str) -> None:
        """Count a watcher that `enter` let in as gone."""
        self._watchers.leave(client)
        self._context.metrics.watchers.set(self._watchers.in_all)


@define
class WatchSummary:
    """What the access log notes of one watcher."""

    match: str | None = None
    """Set once the match exists and the key opens a seat of it."""
    events: int = 0


async def watch(socket: WebSocket) -> None:
    """Serve one watcher, from its first message to the close, and log it."""
    began_s, summary, code = time.perf_counter(), WatchSummary(), None
    context, watchers = context_of(socket), socket.app.state.watchers
    client = socket.state.client
    refusal = watchers.enter(client)
    if refusal is not None:
        access_log.watcher(0.0, client, None, 0, STATUS[refusal.kind])
        await socket.send_denial_response(problem_response(refusal, texts_of(socket)))
        return
    try:
        await socket.accept()
        code, why = await _serve(socket, context, summary)
        if code is not None:
            await _close(socket, code, why)
    finally:
        watchers.leave(client)
        access_log.watcher(time.perf_counter() - began_s, client, summary.match, summary.events, code)


async def _serve(socket: WebSocket, context: AppContext, summary: WatchSummary) -> tuple[int | None, str]:
    """Send events until the end; return the close code, None if the client is gone, and the reason."""
    try:
        async with asyncio.timeout(context.limits.message_timeout_s):
            request = await _first_message(socket, context)
    except TimeoutError:
        return LATE, "no first message in time"
    except RequestError as error:
        return MALFORMED, error.why or error.kind
    except WebSocketDisconnect:
        return None, ""
    try:
        return await _send_events(socket, context, request, summary)
    except KeyRefused:
        return KEY_REFUSED, "the key opens no seat of this match"
    except NoMatch:
        return NO_MATCH, "there is no such match"
    except KifuError as error:
        access_log.failure("watching failed", error)
        return FAILED, "an error of the server"


async def _first_message(socket: WebSocket, context: AppContext) -> WatchRequest:
    """Receive the first message; raises `RequestError` or `WebSocketDisconnect`."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text = message.get("text") or ""
    if len(text) > context.limits.body_bytes:
        raise RequestError("too-large")
    return decode_json(text, WatchRequest)


async def _send_events(
    socket: WebSocket, context: AppContext, request: WatchRequest, summary: WatchSummary
) -> tuple[int | None, str]:
    """Send public facts and events until the match ends, or the client is gone or too slow."""
    match, since, lang, sent = socket.path_params["match"], request.since, lang_of(request.lang), ""
    async with socket.app.state.feeds.watch(match) as (feed, watcher):
        gone, batch = asyncio.create_task(_until_gone(socket, watcher.changed)), None
        try:
            while not gone.done():
                watcher.changed.clear()
                batch = batch or await feed.read(request.key, lang, since)
                summary.match = match
                has_news = batch.about != sent or not batch.events  # a proposal changes the match, not its public facts
                messages = _messages(watcher, batch, with_about=has_news)
                await _send(socket, context, summary, messages, socket.app.state.watchers.turns)
                sent = batch.about
                since += len(batch.events)
                if batch.is_last:
                    return OVER, "the match has ended"
                batch = await watcher.wait((request.key, lang, since)) if batch.is_all else None
        except TimeoutError:
            context.metrics.cut_off.inc()
            return SLOW, "too slow: reconnect with `since`"
        except (WebSocketDisconnect, OSError, RuntimeError):  # the client is gone in the middle of a message
            return None, ""
        finally:
            gone.cancel()
    return None, ""


def _messages(watcher: Watcher, batch: Batch, *, with_about: bool) -> Iterator[tuple[str, bool]]:
    asides, watcher.asides = watcher.asides, []
    yield from ((each, False) for each in asides)
    yield from batch.messages(with_about=with_about)


async def _send(
    socket: WebSocket,
    context: AppContext,
    summary: WatchSummary,
    messages: Iterable[tuple[str, bool]],
    turns: Turns,
) -> None:
    """Send messages; raises `TimeoutError` if the client takes too long to read a message."""
    loop, limit_s = asyncio.get_running_loop(), context.limits.message_timeout_s
    async with asyncio.timeout(limit_s) as timeout:
        for sent, (message, is_event) in enumerate(messages, 1):
            if sent % AT_ONCE == 0:
                await turns.mine(socket.state.client)
            if loop.time() - (timeout.when() or 0) + limit_s > RESET_S:
                timeout.reschedule(loop.time() + limit_s)
            await socket.send_text(message)
            summary.events += is_event


async def _until_gone(socket: WebSocket, changed: asyncio.Event) -> None:
    """Read on until the client disconnects; ignores what it sends."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
    changed.set()


async def _close(socket: WebSocket, code: int, why: str) -> None:
    if socket.application_state is WebSocketState.DISCONNECTED:
        return
    try:
        async with asyncio.timeout(1):
            await socket.close(code, why.encode()[:MAX_REASON_BYTES].decode("utf-8", "ignore"))
    except (TimeoutError, OSError, RuntimeError, WebSocketDisconnect):
        pass  # the client is gone
