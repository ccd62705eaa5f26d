"""Write the schema of every installed game's matches in JSON: `python docs/schemas/make.py`."""

import json
from pathlib import Path

import kifu
from kifu.core.log.schema import schema_of


def text(name: str) -> str:
    return json.dumps(schema_of(kifu.games.find(name)), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name in kifu.games.names():
        Path(__file__).with_name(f"{name}.json").write_text(text(name), "utf-8")
