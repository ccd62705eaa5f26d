"""The tools over logs: the command line `replay`."""

import gc
import sys

EXTRA = ("click", "rich")


def main() -> None:
    """Run the command line. If its libraries are missing, print one line that names the extra and exit with code 2."""
    gc.disable()  # while the modules load: what they make stays
    from ..core.errors import MissingExtra
    from ..core.text.texts import require_catalogues

    try:
        require_catalogues("the command line", "replay")
        from .app import run
    except (ImportError, MissingExtra) as cause:
        if isinstance(cause, ImportError) and (cause.name or "").partition(".")[0] not in EXTRA:
            raise
        sys.stderr.write(f"replay: {MissingExtra('the command line', 'replay')}\n")
        sys.exit(2)
    except KeyboardInterrupt:  # while the modules load, which takes a moment
        sys.exit(130)
    gc.freeze()
    gc.enable()
    sys.exit(run(sys.argv[1:]))
