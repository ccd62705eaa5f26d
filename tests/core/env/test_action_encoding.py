"""The encoding of actions: fixed, as `docs/env.md` has it, and enough for every command."""

import re
import sys
from pathlib import Path

import attrs
import kifu
import pytest
from kifu.core.env import aec_env, openspiel_game, parallel_env
from kifu.core.env.action_encoding import action_encoding_of
from kifu.core.env.partial_command import PartialCommand
from kifu.core.game import Encoding, command, encoding_of
from kifu.core.testing.laws_of_scenes import learners_can_name_commands
from kifu.core.testing.play import played
from kifu.games.mabr.model import Word
from kifu.games.palace.model import Build, Inspect
from kifu.games.take_and_share import GAME
from kifu.games.take_and_share.model import Play, Share
from reversi import GAME as REVERSI

from .samples import Point, Way

DOCS = Path(__file__).parents[3] / "docs" / "env.md"
GAMES = kifu.games.names()


def encoding_of_game(name):
    return action_encoding_of(kifu.games.find(name))


def runs(tokens):
    """Format the tokens as the docs do: texts one after the other, ascending ints as a range."""
    found, at = [], 5
    while at < len(tokens):
        end = at + 1
        kind, first = tokens[at]
        while end < len(tokens) and tokens[end][0] == kind and follows(tokens[end - 1][1], tokens[end][1]):
            end += 1
        place = f"{at}-{end - 1}"
        values = [value for _, value in tokens[at:end]]
        if isinstance(first, int):
            found.append(f"{place} are {first}-{values[-1]}")
        else:
            letters = kind == "value" and max(map(len, values)) == 1
            found.append(f"{place} are {''.join(values)}" if letters else f"{place} {' '.join(values)}")
        at = end
    return "; ".join(found)


def follows(one, other):
    return other == one + 1 if isinstance(one, int) and isinstance(other, int) else type(one) is type(other) is str


@pytest.mark.parametrize("name", GAMES)
def test_the_docs_have_the_actions_of_this_rules_version(name):
    game = kifu.games.find(name)
    encoding = action_encoding_of(game)
    row = f"| `{name}` | {game.version} | {len(encoding)} | {runs(encoding.tokens)} |"
    assert row in DOCS.read_text("utf-8"), f"docs/env.md: in the table of versions the row of {name} is to be\n{row}"


def test_the_docs_encode_commands_as_the_code_does():
    rows = re.findall(r"^\| `(\w+)` \| `(\w+\(.*\))` \| (.*) \|$", DOCS.read_text("utf-8"), re.M)
    assert len(rows) == 4
    for name, written, tokens in rows:
        game = kifu.games.find(name)
        made = eval(written, {kind.__name__: kind for kind in game.wire})
        assert " ".join(map(action_encoding_of(game).label, action_encoding_of(game).encode(made))) == tokens


def test_forced_tokens_are_skipped():
    """A card to a trick is one step: only plays are legal, so the tag is clear, and the card ends it."""
    choice = PartialCommand(encoding_of_game("take_and_share"), [[Play(3), Play(104)]])
    assert len(choice.actions) == 2
    assert choice.after(choice.actions[1]).command == Play(104)


def test_a_share_of_four_cards_takes_three_steps():
    encoding = encoding_of_game("take_and_share")
    choice = PartialCommand(encoding, [[Share((1, 2, 3, 4)), Share((1, 2, 4, 3)), Share((2, 1, 3, 4))]])
    label = encoding.label
    assert [label(action) for action in choice.actions] == ["1", "2"]
    assert [label(action) for action in choice.after(choice.actions[0]).actions] == ["3", "4"]
    assert choice.after(choice.actions[1]).command == Share((2, 1, 3, 4))


def test_a_lone_command_is_one_step_its_tag():
    encoding = encoding_of_game("palace")
    choice = PartialCommand(encoding, [[Build(((0, 1),))]])
    assert choice.actions == (encoding.tag(Build),)
    assert choice.after(choice.actions[0]).command == Build(((0, 1),))


def test_commands_that_differ_only_in_where_a_list_ends_have_different_encodings():
    encoding = encoding_of_game("palace")
    assert encoding.encode(Build(((0, 1),))) != encoding.encode(Build(((0,), (1,))))
    mabr = encoding_of_game("mabr")
    assert mabr.encode(Word("か", (1, 2))) != mabr.encode(Word("か", (12,)))


def test_a_command_outside_the_vocabulary_is_refused_in_one_line():
    encoding = encoding_of_game("palace")
    with pytest.raises(kifu.GameError, match=r"game 'palace': 256 is in a command but not in the game's vocabulary"):
        encoding.encode(Inspect("no_red", ((0, 256),)))


def test_a_game_with_a_field_that_cannot_be_encoded_is_refused():
    @attrs.frozen
    class Weigh:
        grams: float

    game = kifu.games.find("cake").altered(wire={**kifu.games.find("cake").wire, Weigh: "weigh"})
    with pytest.raises(kifu.GameError, match="cannot be encoded"):
        action_encoding_of(game)


def test_a_seat_with_commands_without_number_is_refused():
    game = kifu.games.find("mabr")
    match = kifu.new(game, ["a", "b"], {"judge": "table"})
    with pytest.raises(kifu.GameError, match="cannot be numbered"):
        PartialCommand.of(game, action_encoding_of(game), match.state, min(match.to_act))


@pytest.mark.parametrize(
    ("library", "call"),
    [
        ("pettingzoo", lambda: aec_env("cake")),
        ("pettingzoo", lambda: parallel_env("cake")),
        ("pyspiel", lambda: openspiel_game("cake")),
        ("numpy", lambda: aec_env("cake", max_cycles=3)),
    ],
)
def test_without_the_extra_one_line_names_it(library, call, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("kifu.core.env.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(kifu.MissingExtra, match=r"needs an extra: pip install 'kifu\[learn\]'"):
        call()


@command("move")
class Move:
    """A command of objects, an enum, and a word that is in the vocabulary beside its letters."""

    by: tuple[Point, ...]
    word: str


def test_objects_are_their_fields_and_words_of_the_vocabulary_one_action():
    words = Encoding(vocabulary=(*encoding_of(GAME).vocabulary, "a", "b", "ab"))
    game = GAME.altered(wire={**GAME.wire, Move: "move"}, extras=(words,))
    encoding = action_encoding_of(game)
    spelled = [encoding.label(action) for action in encoding.encode(Move((Point(1, Way.DOWN),), "ab"))]
    assert spelled == ["move", "1", "down", "end", "ab"]
    assert [encoding.label(each) for each in encoding.encode(Move((), "ba"))] == ["move", "end", "b", "a", "end"]
    assert [encoding.label(each) for each in encoding.encode(Move((), "a"))] == ["move", "end", "a", "end"]


def test_the_law_names_what_is_not_in_the_vocabulary():
    match = played(REVERSI.altered(extras=(Encoding(vocabulary=("a1",)),)), 2, REVERSI.options(4), 0)
    with pytest.raises(AssertionError, match=r"not in the game's vocabulary: list what Place\(space='..'\) holds"):
        learners_can_name_commands(match)
    learners_can_name_commands(played(REVERSI, 2, REVERSI.options(4), 0))
