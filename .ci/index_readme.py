"""Make README.md the page of the package index: its links and pictures lead to the repository, at a tag.

    python .ci/index_readme.py v1.0.0

The release workflow calls it before it builds. The repository's address is `Source` in pyproject.toml.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def absolute(text: str, source: str, tag: str) -> str:
    """Return a Markdown text in which each relative link leads to `source` at `tag`, a picture's to the file itself."""

    def link(found: re.Match[str]) -> str:
        mark, label, target = found.groups()
        if "://" in target or target.startswith("#"):
            return found[0]
        return f"{mark}[{label}]({source}/{'raw' if mark else 'blob'}/{tag}/{target})"

    return re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", link, text)


def main(tag: str) -> None:
    """Write README.md anew."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    readme = ROOT / "README.md"
    readme.write_text(absolute(readme.read_text("utf-8"), project["urls"]["Source"], tag), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
