"""Every word that the page says is there in each language, and none is there in vain."""

import re
from importlib.resources import files

from kifu.core.page import LANGS, page
from kifu.core.page.document import SCRIPTS

from .conftest import embedded, played

SOURCE = "\n".join(files("kifu.core.page").joinpath(name).read_text("utf-8") for name in SCRIPTS)


def test_every_word_that_the_scripts_say_is_in_the_page():
    words = embedded(page(played("take_and_share", most=3)), "words")
    used = set(re.findall(r'\b(?:say|choice|button)\("([a-z-]+)"', SOURCE))
    used |= set(re.findall(r'"(key-[a-z]+)"', SOURCE))
    used |= {"yes", "no", "abandoned", "unfinished"}
    assert used == set(words)
    assert all(len(each) == len(LANGS) and all(each) for each in words.values())
    assert [key for key, (english, japanese) in words.items() if english == japanese] == []


def test_the_scripts_never_read_a_text_as_markup():
    reading = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc"
    assert re.findall(reading, SOURCE) == []
