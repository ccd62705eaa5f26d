"""Law 8 catches every message, and every variable of one, that is missing or misspelt in one language."""

import re
from pathlib import Path

import pytest
from high_card import GAME as HIGH_CARD
from kifu import games
from kifu.core.game import Catalogues
from kifu.core.testing.laws_of_texts import (
    IN_ONE_LANGUAGE,
    catalogue_of,
    catalogues_agree,
    derived_in,
    messages_are_there,
    needed_in,
)
from kifu.core.testing.samples import surveyed
from kifu.core.text.message_catalogue import sources_of

FOLDER = Path(__file__).parents[3] / "fixtures"
GAMES = {**{name: games.find(name) for name in games.names()}, "high_card": HIGH_CARD}
LEXICON = {"mabr": {"lexicon": "kifu-ja-1"}}
MANY_WORDS = {"mabr", "palace"}
FIXTURES = {name: FOLDER / name for name in games.names()}


def broken(source, derived):
    """Yield what is wrong, and the source of a catalogue in which that is so."""
    for key, message in catalogue_of(source).items():
        if key.startswith(IN_ONE_LANGUAGE) or key in derived:
            continue
        yield f"{key} is missing", _without(source, key)
        yield f"{key} is misspelt", re.sub(rf"^{re.escape(key)}(?=\s*=)", f"{key}-x", source, flags=re.MULTILINE)
        own = _message(source, key)
        for name in sorted(message.variables):
            yield f"${name} of {key} is misspelt", source.replace(own, re.sub(rf"\${name}\b", f"${name}-x", own))


def _message(source, key):
    """Return the source of one message: from its key to the next line that begins with no blank."""
    found = re.search(rf"^{re.escape(key)}\s*=.*\n?(?:(?:[ \t}}].*)?\n)*", source, flags=re.MULTILINE)
    assert found, key
    return found[0]


def _without(source, key):
    return source.replace(_message(source, key), "\n")


@pytest.mark.ci
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] if name in MANY_WORDS else []) for name in GAMES]
)
def test_no_broken_catalogue_passes(name):
    game = GAMES[name]
    needed = needed_in(
        game, surveyed(game, options=LEXICON.get(name), golden=FIXTURES.get(name), examples=10).matches, ()
    )
    sources = sources_of(game)
    unseen = []
    for lang, source in sources.items():
        for how, changed in broken(source, derived_in(game, catalogue_of(sources["en"]))):
            mutant = game.altered(catalogues=(Catalogues({**sources, lang: changed}),))
            try:
                catalogues_agree(mutant)
                messages_are_there(mutant, needed)
                unseen.append(f"{how} in {lang}")
            except AssertionError:
                continue
    assert unseen == []
