"""The language of texts: tags, headers and locales, what they fall back to, and what is no tag."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kifu.core.errors import OptionError
from kifu.core.text.negotiation import negotiate, preferred
from kifu.core.text.texts import Texts

CHOSEN = {
    "ja": "ja",
    "ja-JP": "ja",
    "JA-jp": "ja",
    "ja_JP.UTF-8": "ja",
    "ja_JP": "ja",
    "ja_JP.UTF-8@mod": "ja",
    "ja-Jpan-JP-x-kana": "ja",
    "en-GB": "en",
    "fr": "en",
    "zh-Hant-TW": "en",
    "fr-CA, ja;q=0.8, en;q=0.5": "ja",
    "en;q=0.5, ja": "ja",
    "en-US,en;q=0.9,ja;q=0.8": "en",
    "ja;q=0, en": "en",
    "fr, *;q=0.5, ja;q=0.1": "en",
    "de; q=0.9 , ja ; q=0.3": "ja",
    "de, ja;q=nonsense, en": "en",
}


@pytest.mark.parametrize(("asked", "chosen"), CHOSEN.items())
def test_the_best_language_that_there_is(asked, chosen):
    assert Texts(asked).lang == chosen


@pytest.mark.parametrize(
    "asked", ["", " ", ",", "j", "../../etc", "日本語", "ja JP", "ja--JP", "C.UTF-8", "toolongtag", "ja;q=0"]
)
def test_what_is_no_tag_is_refused_in_one_line(asked):
    with pytest.raises(OptionError, match="is not a language tag") as refusal:
        Texts(asked)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("asked", [None, 7, b"ja"])
def test_what_is_no_text_is_refused_too(asked):
    with pytest.raises(OptionError):
        Texts(asked)


def test_the_texts_are_those_of_the_chosen_language():
    assert Texts("ja-JP").format("winner") == Texts("ja").format("winner") != Texts("en").format("winner")


def test_the_longest_tag_that_there_is_comes_first():
    assert negotiate("zh-Hant-TW", ["zh", "zh-Hant"], "en") == "zh-Hant"


@pytest.mark.ci
@given(asked=st.text(max_size=300))
def test_whatever_a_browser_sends_is_read(asked):
    assert negotiate(asked, ["ja", "en"], "en") in ("ja", "en")
    assert all(tag == tag.lower() for tag in preferred(asked))
