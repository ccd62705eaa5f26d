"""Notes in pieces: kept by what they say, so that none is given the text of another."""

import pytest
from kifu.core.game import Note
from kifu.core.match.registry import find
from kifu.core.text.languages import MAX_KNOWN, Languages

pytest.importorskip("fluent.runtime", reason="needs kifu[replay]")


def test_notes_that_are_equal_and_not_alike_have_texts_of_their_own():
    languages = Languages(find("take_and_share"), ["Aki", "Ren"], ("en", "ja"))
    notes = [Note("unheard-of", None, (("value", value),)) for value in (1, True, "1", (1,), (True,), None, [1])]
    shown = [languages.note(note)[0] for note in notes]
    again = [languages.note(note)[0] for note in notes]
    texts_of = languages.texts[0]
    words = [texts_of.note(note, find("take_and_share"), ["⸨0⸩", "⸨1⸩"]) for note in notes]
    assert shown == again == [[text] for text in words]


def test_what_a_player_has_written_becomes_no_name():
    languages = Languages(find("take_and_share"), ["Aki", "Ren"], ("en",))
    assert languages.note(Note("unheard-of", None, (("words", "⸨1⸩"),))) == [["unheard of (words ⸨1⸩)"]]


def test_what_is_returned_is_the_callers_own():
    languages = Languages(find("take_and_share"), ["Aki", "Ren"], ("en",))
    note = Note.of("led", seat=0, card=1)
    languages.note(note)[0].append("mine")
    assert "mine" not in languages.note(note)[0]


def test_long_notes_are_not_kept():
    from kifu.core.text.languages import _note

    languages = Languages(find("take_and_share"), ["Aki"], ("en",))
    before = _note.cache_info().currsize
    languages.note(Note.of("long", words="x" * MAX_KNOWN))
    assert _note.cache_info().currsize == before
