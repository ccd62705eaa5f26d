"""Text set in lines."""

from hypothesis import given
from hypothesis import strategies as st
from kifu.replay.render.typeset import block, wrap
from rich.cells import cell_len
from rich.text import Text

WORDS = st.text("ab、。(秋山カード♠ 1", max_size=60)


@given(WORDS, st.integers(4, 30))
def test_no_line_is_too_wide_and_nothing_is_lost(text: str, width: int) -> None:
    lines = [line.plain for line in wrap(Text(text), width)]
    assert all(cell_len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_japanese_is_broken_between_characters_but_not_before_a_stop() -> None:
    assert [line.plain for line in wrap(Text("秋山秋山。秋"), 8)] == ["秋山秋", "山。秋"]
    assert [line.plain for line in wrap(Text("秋山秋山）秋"), 8)] == ["秋山秋", "山）秋"]
    assert [line.plain for line in wrap(Text("秋山秋（山秋"), 8)] == ["秋山秋", "（山秋"]
    assert [line.plain for line in wrap(Text("one two three"), 8)] == ["one two", "three"]


def test_a_block_hangs_under_its_head_with_its_tail_at_the_edge() -> None:
    lines = block(Text("12"), 4, Text("one two three"), 20, Text("TS-1"), 8)
    assert [line.plain for line in lines] == ["12  one two     TS-1", "    three"]
