"""The host over HTTP and WebSocket, and the page to play at (extra `kifu[web]`; `docs/serve.md`)."""

from ..errors import MissingExtra, Why
from ..texts import require_catalogues

try:
    import msgspec as _msgspec  # noqa: F401
    import prometheus_client as _prometheus_client  # noqa: F401
    import starlette as _starlette  # noqa: F401
except ImportError:
    raise MissingExtra(Why("serving", "serving matches over the web"), "web") from None

require_catalogues(Why("serving", "serving matches over the web"), "web")

from .app import app, tending  # noqa: E402
from .limits import Limits  # noqa: E402

__all__ = ["Limits", "app", "tending"]
