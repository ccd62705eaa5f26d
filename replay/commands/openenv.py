"""`replay openenv`: games as environments of OpenEnv, served over HTTP and WebSocket."""

from __future__ import annotations

from typing import Annotated

import typer

from ...core.errors import MissingExtra
from ..options import LangOption

PortOption = Annotated[int, typer.Option("--port", min=1, max=65535, metavar="N", help="The port.")]
HostOption = Annotated[str, typer.Option("--host", metavar="NAME", help="The address to listen on; 0.0.0.0: all.")]
SessionsOption = Annotated[int, typer.Option("--sessions", min=1, metavar="N", help="Sessions at the same time.")]


def openenv(
    port: PortOption = 8000,
    host: HostOption = "127.0.0.1",
    sessions: SessionsOption = 64,
    lang: LangOption = None,  # noqa: ARG001 (of the help; an episode names its own)
) -> int:
    """Serve every game as an environment of OpenEnv, until interrupted.

    A session is a match of one seat against bots: `reset` says of which game, and against whom.
    """
    try:
        import uvicorn

        from ...core.env.openenv import app
    except ImportError as cause:
        raise MissingExtra("replay openenv", "openenv") from cause
    uvicorn.run(app(sessions), host=host, port=port, log_level="warning")
    return 0
