"""Draw the picture of docs/benchmarks.md of the results in benchmarks/results, and check what the page says of them.

    python benchmarks/render.py [--check]

The site puts a table in the place of `<!-- results NAME -->` (`rendered`), NAME as in `results/NAME.json`. What
misses its aim needs a word on the page. `--check` fails where it is missing, or where the picture is another.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from pathlib import Path
from xml.sax.saxutils import escape

from results import FOLDER, Figure, Results, load, number

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
PICTURE = PAGE.parent / "pictures" / "peers.svg"
TABLE = re.compile(r"<!-- results (\S+) -->")


def table(results: Results) -> str:
    """Return the figures that the page shows as a table of Markdown, with a line on the machine."""
    if results.benchmark == "bots":
        return strengths(results)
    shown = shown_of(results)
    others = {figure.to for figure in shown if figure.to}
    to = f" to {others.pop()}" if len(others) == 1 else ""
    rows = [f"| measured | | ratio{to} | aim |", "| --- | ---: | ---: | ---: |"]
    rows += [row(figure, named=not to) for figure in shown]
    return "\n".join([*rows, "", machine(results)])


def shown_of(results: Results) -> list[Figure]:
    """Return the figures that have an aim; of those of a game, only the game that all benchmarks play."""
    return [each for each in results.figures if each.aim is not None and not each.name.startswith(OTHER_GAMES)]


OTHER_GAMES = ("cake: ", "gosne: ", "mabr: ", "palace: ")
PAIR = re.compile(r"(\w+, \d) seats: (\w+ against \w+), \d+ deals, won (.*)")
LEVELS = ("easy against random", "normal against easy", "strong against normal")


def strengths(results: Results) -> str:
    """Return how often each level beat the one below, a row for each game and number of seats."""
    won: dict[str, dict[str, str]] = {}
    for figure in results.figures:
        if found := PAIR.fullmatch(figure.name):
            won.setdefault(found[1], {})[found[2]] = found[3]
    rows = [f"| game, seats | {' | '.join(LEVELS)} |", "| --- " * (1 + len(LEVELS)) + "|"]
    rows += [f"| {world} | {' | '.join(of.get(each, '') for each in LEVELS)} |" for world, of in won.items()]
    return "\n".join([*rows, "", machine(results)])


def row(figure: Figure, *, named: bool) -> str:
    """Return the row of a figure; `named`: with what its ratio is to."""
    ratio = "" if figure.ratio is None else number(figure.ratio) + (f" × {figure.to}" if named else "")
    aim = f"{'≤' if figure.better == 'less' else '≥'}{number(figure.aim or 0)}"
    aim = f"**missed:** {aim}" if figure.is_missed else aim
    return f"| {figure.name} | {number(figure.value)} {figure.unit} | {ratio} | {aim} |"


def machine(results: Results) -> str:
    """Return the line on the machine below a table; the versions of packages are in the file."""
    facts = results.machine
    return f"({results.measured[:10]}; {facts['python']}, {facts['system']}, {facts['cores']} cores.)"


def rendered(page: str, folder: Path = FOLDER) -> str:
    """Return the page with its tables."""
    return TABLE.sub(lambda found: table(load(folder / f"{found[1]}.json")), page)


def unexplained(page: str, folder: Path) -> list[str]:
    """Return the figures that miss their aim, without a word on the page."""
    shown = [load(folder / f"{name}.json") for name in TABLE.findall(page)]
    return [figure.name for each in shown for figure in shown_of(each) if figure.is_missed and figure.name not in page]


STYLE = """text { font: 13px sans-serif; fill: #1f2328 } .ground { fill: #ffffff } .grid { stroke: #d0d7de }
.one { stroke: #1f2328; stroke-width: 2 } .faster { fill: #2f81c7 } .slower { fill: #c4661f }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .ground { fill: #0d1117 } .grid { stroke: #30363d }
.one { stroke: #e6edf3 } }"""
LEFT, ROW, DECADE, TOP = 330, 20, 100, 64
LOWEST, HIGHEST = -2, 3  # the scale, as powers of ten


def place(ratio: float) -> float:
    """Return where a ratio lies on the scale."""
    return LEFT + DECADE * (min(max(math.log10(ratio), LOWEST), HIGHEST) - LOWEST)


def picture(peers: Results) -> str:
    """Return the ratios to the peers as SVG: one bar each, on a log scale, from where kifu is as fast."""
    shown = [each for each in peers.figures if each.ratio and not each.name.startswith("kifu")]
    width, bottom = LEFT + DECADE * (HIGHEST - LOWEST) + 20, TOP + ROW * len(shown)
    title = "How many times as many decisions a second kifu makes, log scale"
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom + 12}" role="img">',
        f"<title>{title}</title>\n<style>{STYLE}</style>",
        f'<rect class="ground" width="{width}" height="{bottom + 12}"/>\n<text x="12" y="22">{title}</text>',
    ]
    for power in range(LOWEST, HIGHEST + 1):
        x = place(10**power)
        drawn.append(f'<line class="{"grid" if power else "one"}" x1="{x}" y1="{TOP - 8}" x2="{x}" y2="{bottom}"/>')
        drawn.append(f'<text x="{x}" y="{TOP - 14}" text-anchor="middle">{10**power:g} ×</text>')
    drawn += [bar(each, TOP + ROW * line) for line, each in enumerate(shown)]
    return "\n".join([*drawn, "</svg>\n"])


def bar(figure: Figure, y: int) -> str:
    """Return the name, bar and ratio of one peer."""
    ratio = figure.ratio or 1.0
    start, end = sorted((place(1), place(ratio)))
    x, anchor = (end + 5, "start") if ratio >= 1 else (start - 5, "end")
    return (
        f'<text x="{LEFT - 12}" y="{y + 13}" text-anchor="end">{escape(figure.name)}</text>'
        f'<rect class="{"faster" if ratio >= 1 else "slower"}" x="{start:.1f}" y="{y + 2}" '
        f'width="{end - start:.1f}" height="{ROW - 6}"/>'
        f'<text x="{x:.1f}" y="{y + 13}" text-anchor="{anchor}">{number(ratio)}</text>'
    )


def is_drawn(folder: Path, path: Path, *, check: bool) -> bool:
    """Draw the picture, or check it; return whether it is that of the results."""
    made = picture(load(folder / "peers.json"))
    if not check:
        path.write_text(made, encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != made:
        print(f"{path.name} is not as python benchmarks/render.py draws it")
        return False
    return True


def main(arguments: list[str] | None = None, page: Path = PAGE, folder: Path = FOLDER) -> int:
    """Draw the picture, or check it, and check the page; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="draw nothing; fail if the picture would be another")
    given = parser.parse_args(arguments)
    missed = unexplained(page.read_text(encoding="utf-8"), folder)
    for name in missed:
        print(f"{page.name} does not say why this misses its aim: {name}")
    drawn = folder != FOLDER or is_drawn(folder, PICTURE, check=given.check)
    return int(not drawn or bool(missed))


if __name__ == "__main__":
    sys.exit(main())
