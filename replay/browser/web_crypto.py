"""Signatures checked by the browser, before the judge starts: Python alone takes milliseconds for each."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

from ...core.trust import signing

T = TypeVar("T")


async def judged(judge: Callable[[], T]) -> T:
    """Return what the judge says. Where a browser can check signatures, it is first asked for all that will be needed.

    So the judge is called twice: the first call only shows what it asks.
    """
    subtle = _subtle()
    if subtle is None:
        return judge()
    with signing.asking() as questions:
        judge()
    try:
        for question in questions:
            signing.answers[question] = await _is_valid(subtle, *question)
    except Exception:  # it has no Ed25519: Python checks what has no answer
        signing.answers.clear()
    try:
        return judge()
    finally:
        signing.answers.clear()


def _subtle() -> Any:
    """Return the browser's `crypto.subtle`, None where there is none: outside of a browser, or of a secure context."""
    if "pyodide" not in sys.modules:
        return None
    import js  # type: ignore[import-not-found]

    return getattr(js.crypto, "subtle", None)


async def _is_valid(subtle: Any, public: bytes, message: bytes, signature: bytes) -> bool:
    from pyodide.ffi import to_js  # type: ignore[import-not-found]

    key = await subtle.importKey("raw", to_js(public), "Ed25519", False, to_js(["verify"]))
    return bool(await subtle.verify("Ed25519", key, to_js(signature), to_js(message)))
