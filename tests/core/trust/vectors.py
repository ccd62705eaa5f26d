"""The published vectors: formulas, and logs and seat records with what must be found in them."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import msgpack

FOLDER = Path(__file__).parent / "vectors"
CASES: list[dict[str, Any]] = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))
FILES: dict[str, bytes] = msgpack.unpackb(lzma.decompress((FOLDER / "files.xz").read_bytes()))
_WORDS: dict[str, Any] = json.loads((FOLDER / "formulas.json").read_text(encoding="utf-8"))
WEAK_KEYS: list[bytes] = [bytes.fromhex(key) for key in _WORDS["weak_keys"]]
PRIVATE_KEYS: dict[str, bytes] = {name: bytes.fromhex(key) for name, key in _WORDS["private_keys"].items()}

LEFT_ASIDE = {"rule", "digest", "result", "view"}
"""Kinds of findings that are the engine's: a log that was tampered with may break a rule as well."""


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        if "$bytes" in value:
            return bytes.fromhex(value["$bytes"])
        pairs = value["$map"] if "$map" in value else value.items()
        return {_plain(key): _plain(each) for key, each in pairs}
    return value


FORMULAS: list[dict[str, Any]] = [{**each, "in": _plain(each["in"])} for each in _WORDS["formulas"]]
