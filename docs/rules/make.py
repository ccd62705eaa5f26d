"""What the site puts into the pages of this folder: lessons, tables of secrets, and the Japanese pages (`with_made`).

An English page is written by hand, with marks for the lesson of its game and for its table of secrets: each field of
the state and of the commands that not everybody sees, as the marks of the game say. A Japanese page is made whole: the
lesson, then the rules. The tables of a lesson are pictures, taken by `docs/pictures/take.py`.
"""

from collections.abc import Iterator

from kifu.core.page.lesson import Block, Cards, Example, Items, Lesson, Paragraph, Table, Title, lesson
from kifu.core.text.texts import Texts
from kifu.games import find

UNTITLED = ("cake", "palace")
"""Their sources give no title, so theirs are ours."""
LESSON = "<!-- The lesson -->"
SECRETS, WHOLE = "<!-- The table of secrets -->", "<!-- The page -->"
SEES = {"owner": "its own seat", "actor": "the seat that acts", "nobody": "nobody"}
OTHERS = {"": "", "nothing": "nothing", "size": "how much there is", "whether": "whether there is something"}
ALT = {"en": "The table in the example", "ja": "例の場面"}
RULES, OURS, COMMANDS = "ルール", "裁定", "コマンドと棋譜の項目は[英語のページ](../{name}.md#commands)にあります。"


def with_made(page: str, name: str) -> str:
    """Return the page of a game, `NAME` or `ja/NAME`, with what is made; any other page as it is."""
    if WHOLE in page:
        return japanese(name.removeprefix("ja/"))
    if LESSON in page:
        page = page.replace(LESSON, _lesson(name, "en", "../pictures"))
    return page.replace(SECRETS, secrets(name)) if SECRETS in page else page


def secrets(name: str) -> str:
    """Return the table of secrets of a game, without what everybody sees."""
    lines = ["| field | who sees it | what the others see of it |", "| --- | --- | --- |"]
    for row in find(name).secrecies():
        if row.sees == "everybody":
            continue
        who = SEES.get(row.sees) or row.why
        lines.append(f"| `{row.of.partition(' ')[0]}.{row.field}` | {who} | {OTHERS[row.others]} |")
    return "\n".join(["Everybody sees what this table does not list.", "", *lines, ""])


def japanese(name: str) -> str:
    """Return a Japanese page: the lesson, the rules, our rulings."""
    game, texts = find(name), Texts("ja")
    designer = texts.find("designer", game)
    title = "元の資料に題名がなく、この題名は私たちが付けました。" if name in UNTITLED else ""
    lines = [f"# {texts.title(game)}", ""]
    lines += [f"作者：{designer}。{title}遊び方とルールは、私たちの言葉で書いたものです。", ""]
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
