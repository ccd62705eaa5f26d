"""Engines that differ from this one in a few words of their sources, as `modified_engines.txt` has them."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import kifu
from attrs import frozen

PACKAGE = Path(kifu.__file__).parent
SERVE = "import sys; sys.path.insert(0, {folder!r})\nfrom kifu.core.trace.__main__ import main\nmain()\n"


@frozen
class Edit:
    """The words of a file of a game that are replaced."""

    file: str
    old: str
    new: str


@frozen
class FreshEngine:
    """A modified engine: its game, its edits, the kinds by which it may be reported, and whether someone learns."""

    name: str
    game: str
    kinds: tuple[str, ...]
    edits: tuple[Edit, ...]
    leaks: bool = False

    def write(self, folder: Path) -> Path:
        """Write the modified sources into a folder, and return a program to be given as the other engine's Python."""
        games = folder / "kifu" / "games"
        games.mkdir(parents=True)
        for part in PACKAGE.iterdir():
            if part.name != "games":
                (folder / "kifu" / part.name).symlink_to(part)
        for part in (PACKAGE / "games").iterdir():
            if part.name != self.game:
                (games / part.name).symlink_to(part)
        shutil.copytree(
            PACKAGE / "games" / self.game, games / self.game, ignore=shutil.ignore_patterns("*.so", "*.pyc")
        )
        for edit in self.edits:
            file = games / self.game / edit.file
            text = file.read_text("utf-8")
            assert edit.old in text, (self.name, edit)
            file.unlink()
            file.write_text(text.replace(edit.old, edit.new), "utf-8")
        program = folder / "python"
        program.write_text(f"#!{sys.executable}\n{SERVE.format(folder=str(folder))}")
        program.chmod(0o755)
        return program


def edits_in(lines: Sequence[str]) -> Iterator[Edit]:
    """Yield the edits of a patch: the name of a file, the lines that go after "-", and those that come after "+"."""
    begins = [place for place, line in enumerate(lines) if line[:1] not in ("-", "+")]
    for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        old, new = ("\n".join(line[1:] for line in lines[begin + 1 : end] if line[0] == sign) for sign in "-+")
        yield Edit(lines[begin], old, new)


def engines(group: str) -> list[FreshEngine]:
    """Return the engines of a group."""
    _, *paragraphs = Path(__file__).with_name("modified_engines.txt").read_text("utf-8").strip().split("\n\n")
    found = []
    for head, *patch in (paragraph.split("\n") for paragraph in paragraphs if paragraph.startswith(f"{group} | ")):
        _, game, kinds, name = head.split(" | ")
        kind = tuple(each for each in kinds.split(", ") if each != "leak")
        found.append(FreshEngine(name, game, kind, tuple(edits_in(patch)), leaks="leak" in kinds))
    return found


FRESH, REVIEWED, HARMLESS = map(engines, ("fresh", "reviewed", "harmless"))
