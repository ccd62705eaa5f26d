"""The host over HTTP and WebSocket, and the page to play at (extra `kifu[web]`; `docs/serve.md`)."""

from ..errors import MissingExtra, Why

try:
    import msgspec as _msgspec  # noqa: F401
    import prometheus_client as _prometheus_client  # noqa: F401
    import starlette as _starlette  # noqa: F401
except ImportError:
    raise MissingExtra(Why("serving", "serving matches over the web"), "web") from None

from .app import app, tending
from .limits import Limits

__all__ = ["Limits", "app", "tending"]
