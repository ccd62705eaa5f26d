"""Watching over a WebSocket: what a seat sees as it happens, and what anyone may know when that has changed.

The first message says whose eyes it is (`shapes.Hello`); who was cut off comes again with `since`.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from attrs import define
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ..errors import KeyRefused, KifuError, NoMatch
from ..host.watching import change_event
from . import access_log
from .context import AppContext, context_of, in_thread, lang_of
from .http_codec import RequestError, decode_json, encode_json
from .rate_limits import client_of
from .shapes import WatchRequest

OVER = 1000
"""The match has ended, and all of it was told."""
MALFORMED, REFUSED, MISSING, LATE, SLOW, MANY, FAILED = 4400, 4401, 4404, 4408, 4413, 4429, 4500
MAX_REASON = 123
"""Bytes of a reason that a close can hold."""
AT_ONCE = 200
"""The most events in one go, so that none of a long match is kept waiting for the rest."""


class Watchers:
    """Counts who watches: each client a few matches, all together so many."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._of: dict[str, int] = {}
        self._all = 0

    def enter(self, client: str) -> bool:
        limits, mine = self._context.limits, self._of.get(client, 0)
        if mine >= limits.watches_per_client or self._all >= limits.watches_total:
            return False
        self._of[client] = mine + 1
        self._all += 1
        self._context.metrics.watchers.set(self._all)
        return True

    def leave(self, client: str) -> None:
        left = self._of[client] - 1
        if left:
            self._of[client] = left
        else:
            del self._of[client]
        self._all -= 1
        self._context.metrics.watchers.set(self._all)


@define
class WatchSummary:
    """What one watcher was told: for the journal, which learns no more of it."""

    match: str | None = None
    """Known once there is such a match, and the key opens a seat of it."""
    events: int = 0


async def watch(socket: WebSocket) -> None:
    """Serve one watcher, from its first message to the close, and write down that it was there."""
    began, watched, code = time.perf_counter(), WatchSummary(), None
    context, watchers = context_of(socket), socket.app.state.watchers
    client = client_of(socket.scope.get("client"))
    await socket.accept()
    try:
        if context.request_rate.acquire(client) or not watchers.enter(client):
            code, why = MANY, "too many watchers"
        else:
            try:
                code, why = await _serve(socket, context, watched)
            finally:
                watchers.leave(client)
        if code is not None:
            await _close(socket, code, why)
    finally:
        access_log.watcher(time.perf_counter() - began, client, watched.match, watched.events, code)


async def _serve(socket: WebSocket, context: AppContext, watched: WatchSummary) -> tuple[int | None, str]:
    """Tell what there is to tell; give the code to close with, None if the other end is gone."""
    try:
        async with asyncio.timeout(context.limits.message_timeout_s):
            hello = await _hello(socket, context)
    except TimeoutError:
        return LATE, "the first message says who watches"
    except RequestError as refusal:
        return MALFORMED, refusal.why or refusal.kind
    except WebSocketDisconnect:
        return None, ""
    try:
        return await _tell(socket, context, hello, watched)
    except KeyRefused:
        return REFUSED, "the key opens no seat of this match"
    except NoMatch:
        return MISSING, "there is no such match"
    except KifuError as error:
        access_log.failure("watching failed", error)
        return FAILED, "an error of the server"


async def _hello(socket: WebSocket, context: AppContext) -> WatchRequest:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    said = message.get("text") or ""
    if len(said) > context.limits.body_bytes:
        raise RequestError("too-large")
    return decode_json(said, WatchRequest)


async def _tell(
    socket: WebSocket, context: AppContext, hello: WatchRequest, watched: WatchSummary
) -> tuple[int | None, str]:
    """Tell what happens until the match ends, the watcher goes or is too slow."""
    match, since, known = socket.path_params["match"], hello.since, None
    async with change_event(context.host.subscribe, match) as woken:
        gone = asyncio.create_task(_until_gone(socket, woken))
        try:
            while not gone.done():
                woken.clear()
                about = await context.about(match)
                seen = await in_thread(context.host.history, match, hello.key, since)
                watched.match = match
                presenter = context.presenter_of(about, lang_of(hello.lang))
                if about != known or not seen:  # a wish changes nothing that shows in it
                    known = about
                    await _send(socket, context, {"about": presenter.about()})
                for each in seen[:AT_ONCE]:
                    await _send(socket, context, {"seen": presenter.seen([each])[0]})
                    watched.events += 1
                since += min(len(seen), AT_ONCE)
                if len(seen) > AT_ONCE:
                    continue
                if about.status in ("over", "abandoned"):
                    return OVER, "the match has ended"
                await woken.wait()
        except TimeoutError:
            context.metrics.cut_off.inc()
            return SLOW, "too slow: come again with `since`"
        except (WebSocketDisconnect, OSError, RuntimeError):  # the other end is gone in the middle of a message
            return None, ""
        finally:
            gone.cancel()
    return None, ""


async def _send(socket: WebSocket, context: AppContext, told: Any) -> None:
    async with asyncio.timeout(context.limits.message_timeout_s):
        await socket.send_text(encode_json(told).decode())


async def _until_gone(socket: WebSocket, woken: asyncio.Event) -> None:
    """Read on, so that we learn when the other end goes; what it says further is nothing to us."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
    woken.set()


async def _close(socket: WebSocket, code: int, why: str) -> None:
    if socket.application_state is WebSocketState.DISCONNECTED:
        return
    try:
        async with asyncio.timeout(1):
            await socket.close(code, why.encode()[:MAX_REASON].decode("utf-8", "ignore"))
    except (TimeoutError, OSError, RuntimeError):
        pass  # nobody is there to hear it
