"""The host over HTTP, and the page to play at (extra `kifu[web]`; `docs/serve.md`)."""

from ..errors import Message, needs_extra
from ..text.texts import require_catalogues

with needs_extra(Message("serving", "serving matches over the web"), "web"):
    import msgspec as _msgspec  # noqa: F401
    import prometheus_client as _prometheus_client  # noqa: F401
    import starlette as _starlette  # noqa: F401

require_catalogues(Message("serving", "serving matches over the web"), "web")

from .app import app  # noqa: E402
from .limits import Limits  # noqa: E402

__all__ = [
    "Limits",
    "access_log",
    "app",
    "games",
    "gate",
    "http_codec",
    "limits",
    "openapi",
    "page",
    "presenters",
    "problem",
    "serve",
]
