"""What a connection may send: uvicorn's protocols of HTTP and WebSocket, with a budget for each, and a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import monotonic
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from .connections import FLOODED, Connections

LATE, TOO_LARGE = b"408 Request Timeout", b"431 Request Header Fields Too Large"
MALFORMED = b"400 Bad Request"
SLICE_BYTES = 4096
"""What is parsed of a connection before it is looked at again: a few requests, whatever the system had read."""
PIPELINED_S = 0.005
"""What a request waits that was sent behind another: meanwhile the loop is free for others, and so are the threads."""
FRAMES_BYTES = 512
"""The same of a WebSocket: at most 85 frames."""
CLOSING_S = 10.0
"""How long a client may take to read what it was still sent; then its connection goes, be it that it reads nothing."""
JUNK = (
    "Invalid HTTP request received.",
    "Invalid UTF-8 sequence received from client.",
    "Unsupported upgrade request.",
)
"""What uvicorn logs, even as an error, of what strangers send: it is answered, and nobody's to mend."""

ENDED = "Cancel %s running task(s), timeout graceful shutdown exceeded"


class JoinedWrites:
    """The transport of one response, whose head waits for the beginning of its body, if any: both are one packet.

    To a client that has gone nothing is written.
    """

    def __init__(self, transport: asyncio.Transport, *, has_body: bool = True) -> None:
        self._transport = transport
        self._head: bytes | None = None if has_body else b""
        """None before it is written, empty once it is sent."""

    def write(self, data: bytes) -> None:
        """Write the next piece; the first is the head."""
        if self._transport.is_closing():
            return
        if self._head is None:
            self._head = data
            return
        head, self._head = self._head, b""
        self._transport.write(head + data if head else data)

    def close(self) -> None:
        """Close, after what was written."""
        if self._head and not self._transport.is_closing():
            self._transport.write(self._head)
        self._transport.close()

    def is_closing(self) -> bool:
        """Return True if nothing more is sent."""
        return self._transport.is_closing()


class HttpConnection(HttpToolsProtocol):
    """HTTP whose heads and requests have a size and a time; little is read while a request is unanswered."""

    counted: ClassVar[Connections]
    _timer: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _lines = 0
    """The header lines and chunks of the request that is being read."""
    _head_is_pipelined = False
    """Whether the request that begins was sent behind another."""
    _served: RequestResponseCycle | None = None
    """The request that is being answered; uvicorn knows only the last one that was read, which may wait behind it."""
    _refused = False
    _upgraded = False

    def connection_made(self, transport: Any) -> None:
        """Count a new connection, or refuse it."""
        self._unread = bytearray()
        status = self.counted.enter(transport, get_remote_addr(transport))
        super().connection_made(transport)
        if status is not None:
            self._refuse(status)
        else:
            self._wait(self.counted.limits.head_timeout_s, self._head_is_late)

    def data_received(self, data: bytes) -> None:
        """Keep what was read, and parse a little of it."""
        if self._refused or self._upgraded:
            return
        begins = self._is_idle and not self._head_bytes
        self._unread += data
        self._parse()
        if begins and self._is_idle and not (self._refused or self._upgraded):  # most heads come whole
            self.counted.head_begun(self.transport)
            self._wait(self.counted.limits.head_timeout_s, self._head_is_late)

    def _parse(self) -> None:
        """Parse what was read, until requests wait behind the one that is being answered; then read no more."""
        while self._unread and not (self.pipeline or self._refused or self._upgraded or self.parser is None):
            data = bytes(self._unread[:SLICE_BYTES])
            del self._unread[:SLICE_BYTES]
            self._head_bytes += len(data)
            super().data_received(data)
            self._check_size()
        if self._unread or self.pipeline:
            self.flow.pause_reading()

    def _check_size(self) -> None:
        """Refuse a head that is too large; break off a request with too many lines, to which the app may answer."""
        limits = self.counted.limits
        if self._refused or self._upgraded:
            return
        if self._is_idle and self._head_bytes > limits.body_bytes:
            self._refuse(self.counted.refused("body_bytes", TOO_LARGE))
        elif self._lines > limits.lines_per_request:
            status = self.counted.refused("lines_per_request", TOO_LARGE)
            if self._is_idle:
                self._refuse(status)
            else:
                self._refused = True
                self.transport.abort()

    def on_message_begin(self) -> None:
        """Count the lines of a request from its first."""
        self._lines = 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header line."""
        self._lines += 1
        super().on_header(name, value)

    def on_chunk_header(self) -> None:
        """Count a chunk."""
        self._lines += 1

    def on_headers_complete(self) -> None:
        """Give the request its time."""
        self._head_bytes = 0
        self.counted.head_ended(self.transport)
        self._wait(self.counted.limits.request_timeout_s, self._request_is_late)
        super().on_headers_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._served = cycle
        has_body = cycle.scope["method"] != "HEAD" and not cycle.waiting_for_100_continue
        cycle.transport = JoinedWrites(cycle.transport, has_body=has_body)  # type: ignore[assignment]
        if self._head_is_pipelined:
            self.loop.call_later(PIPELINED_S, super()._start_asgi_task, cycle, app)
        else:
            super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """Go on to what waits behind the answered request."""
        self._head_bytes = 0
        self._stop()
        self._head_is_pipelined = True
        super().on_response_complete()
        self._head_is_pipelined = False
        if self._is_idle:
            self.counted.idle(self.transport)
            if self.transport.get_write_buffer_size():  # who reads nothing holds it no longer than any other answer
                self._wait(self.counted.limits.request_timeout_s, self._request_is_late)
        else:  # a pipelined request has begun
            self._wait(self.counted.limits.request_timeout_s, self._request_is_late)
        if self._unread or self.pipeline:
            self.flow.pause_reading()
            self.loop.call_later(PIPELINED_S, self._parse)

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to a WebSocket, unless an answer to an earlier request is still under way on it."""
        self._stop()
        self._upgraded = True
        self._unread.clear()
        if self._is_idle and not self.flow.write_paused:
            super().handle_websocket_upgrade()
        else:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection as gone, and let go of what it sent."""
        self._stop()
        self._unread.clear()
        self.pipeline.clear()
        if self._served is not None:
            self.cycle = self._served  # which is to hear of it
        self.counted.leave(self.transport)
        super().connection_lost(exc)

    @property
    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _wait(self, seconds: float, late: Callable[[], None]) -> None:
        self._stop()
        self._timer = self.loop.call_later(seconds, late)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _head_is_late(self) -> None:
        self._refuse(self.counted.refused("head_timeout_s", LATE))

    def _request_is_late(self) -> None:
        self.counted.refused("request_timeout_s", LATE)
        self.transport.abort()

    def _refuse(self, status: bytes) -> None:
        """Answer, and close."""
        self._refused = True
        self._unread.clear()
        self._stop()
        end = self.transport.write_eof if self.transport.can_write_eof() else lambda: None
        self.counted.refuse(status, self.transport.write, end, self.transport.close)
        self._wait(CLOSING_S, self.transport.abort)


class WebSocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket whose connection was counted when it was HTTP, and whose frames have a budget.

    A watcher has nothing to say after its first message. Pings, and what it says all the same, come out of the budget:
    a bucket of `watch_frames_burst` frames, into which `watch_frames_per_s` flow. Who floods it pays with its requests,
    else its next connection would have the next budget.
    """

    counted: ClassVar[Connections]
    _spent = 0.0
    """Frames that were sent and have not flowed back yet."""
    _at_s = 0.0
    _refused = False
    _end: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        """Parse a few frames at a time, until the budget is spent; before the handshake is answered there are none."""
        if self.handshake_initiated and not self.handshake_complete:
            self.transport.abort()
            return
        self._parse(data)
        self._end_if_closing()

    def _parse(self, data: bytes) -> None:
        limits, now_s = self.counted.limits, monotonic()
        self._spent = max(0.0, self._spent - (now_s - self._at_s) * limits.watch_frames_per_s)
        self._at_s = now_s
        for start in range(0, len(data), FRAMES_BYTES):
            if self._refused:
                return
            super().data_received(data[start : start + FRAMES_BYTES])
            if self.conn.handshake_exc is not None and not self.handshake_initiated:
                self._refuse_request()
            elif self._spent > limits.watch_frames_burst:
                self._close_for_flooding()

    async def send(self, message: Any) -> None:
        """Send a message of the app; a handshake that was refused by an answer is complete, and no error."""
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True
        self._end_if_closing()

    async def run_asgi(self) -> None:
        """Serve the watcher; afterwards its connection is closed, also if it reads nothing more."""
        await super().run_asgi()
        self._end_if_closing()

    def keepalive_timeout(self) -> None:
        """Close the connection of a watcher that answers no ping."""
        super().keepalive_timeout()
        self._end_if_closing()

    def _end_if_closing(self) -> None:
        """Let a connection that is being closed end in time: uvicorn would wait for ever for what is not read."""
        if self._end is None and not self.disconnected and (self.close_sent or self.transport.is_closing()):
            self._end = self.loop.call_later(CLOSING_S, self.transport.abort)

    def handle_events(self) -> None:
        """Count the frames that were parsed."""
        self._spent += len(self.conn.events)
        super().handle_events()

    def _refuse_request(self) -> None:
        """Answer a handshake that cannot be read, as one with a body, and close: uvicorn would hold it for ever."""
        self._refused = True
        self.counted.refuse(MALFORMED, self.transport.write, self.transport.write_eof, self.transport.close)

    def _close_for_flooding(self) -> None:
        self._refused = True
        self.counted.flooded(self.scope["state"].get("client", ""))
        self.conn.send_close(FLOODED, "too many frames: a watcher has nothing to say")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": FLOODED})
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection as gone."""
        if self._end is not None:
            self._end.cancel()
        self.counted.leave(self.transport)
        super().connection_lost(exc)


def protocols(connections: Connections) -> tuple[type[HttpConnection], type[WebSocketConnection]]:
    """Return uvicorn's protocols of HTTP and WebSocket, which count their connections here."""
    logging.getLogger("uvicorn.error").addFilter(_is_no_junk)
    counted = {"counted": connections}
    return type("Http", (HttpConnection,), counted), type("WebSocket", (WebSocketConnection,), counted)


def _is_no_junk(record: logging.LogRecord) -> bool:
    return record.getMessage() not in JUNK and not _is_end(record)


def _is_end(record: logging.LogRecord) -> bool:
    """Return True for what uvicorn logs of requests that still waited for something when the server was stopped."""
    cause = record.exc_info[1] if record.exc_info else None
    return isinstance(cause, asyncio.CancelledError) or record.msg == ENDED
