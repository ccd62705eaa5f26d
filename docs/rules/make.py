"""Write the lessons into the pages of this folder again: `python docs/rules/make.py`.

An English page has the lesson of its game between two marks, above the numbered rules, which are written by hand. A
Japanese page, in `ja/`, is written whole: the lesson, then the rules of the catalogue. The tables of a lesson are
pictures, taken by `docs/pictures/take.py`.
"""

from collections.abc import Iterator
from pathlib import Path

from kifu.core.page.lesson import Block, Cards, Example, Items, Lesson, Paragraph, Table, Title, lesson
from kifu.core.text.texts import Texts
from kifu.games import find

HERE = Path(__file__).parent
GAMES = ("cake", "gosne", "mabr", "palace", "take_and_share")
BEGIN, END = "<!-- The lesson, written by make.py -->", "<!-- The rules -->"
ALT = {"en": "The table in the example", "ja": "例の場面"}
RULES, OURS, COMMANDS = "ルール", "裁定", "コマンドと棋譜の項目は[英語のページ](../{name}.md#commands)にあります。"


def pages() -> dict[Path, str]:
    """Return every page with its lesson, by its path."""
    written = {}
    for name in GAMES:
        path = HERE / f"{name}.md"
        written[path] = english(path.read_text(encoding="utf-8"), name)
        written[HERE / "ja" / f"{name}.md"] = japanese(name)
    return written


def english(page: str, name: str) -> str:
    """Return an English page with its lesson between the marks."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n\n{_lesson(name, 'en', '../pictures')}\n{END}{after}"


def japanese(name: str) -> str:
    """Return a Japanese page: the lesson, the rules, our rulings."""
    game, texts = find(name), Texts("ja")
    designer = texts.find("designer", game)
    lines = [f"# {texts.title(game)}", "", f"作者：{designer}。遊び方とルールは、私たちの言葉で書いたものです。", ""]
    lines.append(_lesson(name, "ja", "../../pictures"))
    for title, ruling in ((RULES, False), (OURS, True)):
        lines += [f"## {title}", "", "| 番号 | ルール |", "| --- | --- |"]
        lines += [f"| `{rule.number}` | {texts.rule(rule, game)} |" for rule in game.book if rule.ruling is ruling]
        lines.append("")
    return "\n".join([*lines, COMMANDS.format(name=name), ""])


def _lesson(name: str, lang: str, pictures: str) -> str:
    game = find(name)
    found = lesson(game, lang)
    assert found is not None
    return "\n".join(_lines(found, lang, f"{pictures}/learn-{name}-{lang}"))


def _lines(found: Lesson, lang: str, picture: str) -> Iterator[str]:
    yield from (f"*{found.about}*", "")
    tables = 0
    for block in found.blocks:
        tables += isinstance(block, Table)
        yield from _block(block, f"![{ALT[lang]}]({picture}-{tables}.png)")
        yield ""


def _block(block: Block, picture: str) -> Iterator[str]:
    match block:
        case Title(text):
            yield f"## {text}"
        case Paragraph(text):
            yield text
        case Items(items, ordered):
            yield from (f"{'1.' if ordered else '-'} {item}" for item in items)
        case Cards(faces):
            yield " ".join(f"`{face.text}`" for face in faces)
        case Table():
            yield picture
        case Example(notes):
            yield from (f"> {note.text} `{note.rule}`  " for note in notes)


def main() -> None:
    """Write the pages."""
    for path, page in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
