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
CASES_2: list[dict[str, Any]] = json.loads((FOLDER / "cases-2.json").read_text("utf-8"))
FILES_2: dict[str, bytes] = msgpack.unpackb(lzma.decompress((FOLDER / "files-2.xz").read_bytes()))
_WORDS: dict[str, Any] = json.loads((FOLDER / "formulas.json").read_text(encoding="utf-8"))
WEAK_KEYS: list[bytes] = [bytes.fromhex(key) for key in _WORDS["weak_keys"]]
PRIVATE_KEYS: dict[str, bytes] = {name: bytes.fromhex(key) for name, key in _WORDS["private_keys"].items()}

LEFT_ASIDE = {"rule", "digest", "result", "view"}
"""Kinds of findings that are the engine's: a log that was tampered with may break a rule as well."""


def files_of(case: dict[str, Any]) -> list[bytes | None]:
    """Return the files of a case, None for a record that a fork is judged without."""
    return [None if name is None else (FILES | FILES_2)[name] for name in case["run"][1:]]


def judged_of(*kinds: str, cases: list[dict[str, Any]] = CASES_2) -> dict[str, tuple[bytes | None, ...]]:
    """Return by name, of cases whose names begin so, a record or None, what it is held against, and a fork's parent."""
    of_kinds = [case for case in cases if not kinds or case["name"].partition(":")[0] in kinds]
    return {case["name"]: (*[None] * (case["run"][0] == "audit"), *files_of(case)) for case in of_kinds}


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
