"""Two traces of one log are compared by the fields of their states, their notes and their refusals."""

import re
from pathlib import Path

import attrs
import pytest
from kifu import games
from kifu.core.errors import TraceError
from kifu.core.game import evolve
from kifu.core.log import log_bytes
from kifu.core.testing.play import played, prefix
from kifu.core.text.texts import Texts
from kifu.core.trace import Change, compare, read_trace, trace_log
from kifu.core.trace.golden import check
from kifu.core.trace.presenter import ComparisonPresenter
from kifu.core.trace.read import Refusal, TracedStep
from kifu.core.trace.trace_diff import ABSENT, Difference, StepDifference, differences, packed_alike
from kifu.games.take_and_share import rules
from kifu.games.take_and_share.model import Rule
from kifu.games.take_and_share.rules import number


def test_a_trace_does_not_differ_from_itself(traced_by):
    comparison = compare(traced_by(), traced_by())
    assert comparison.change is Change.SAME
    assert comparison.first is None
    assert list(ComparisonPresenter(None).lines(comparison)) == ["no difference: 71 steps"]


def last_of_equals(trick):
    """The mistake: of equal lowest numbers the latest wins."""
    numbers = [number(card) for card in trick]
    if rules.followed(trick):
        return numbers.index(max(numbers))
    return len(numbers) - 1 - numbers[::-1].index(min(numbers))


def test_another_winner_of_a_trick_is_shown_by_its_rule_and_the_refusal_that_follows(game, match, traced_by):
    comparison = compare(traced_by(), traced_by(winner=last_of_equals))
    assert comparison.change is Change.ILLEGAL
    first = comparison.first
    assert [[note.rule for note in notes] for notes in first.notes] == [["TS-6"], ["TS-6"]]
    assert comparison.steps[-1].b.rule == "TURN"
    lines = list(ComparisonPresenter(game, match, Texts("en")).lines(comparison))
    assert [line.split(":")[0] for line in lines[:3]] == [f"  step {first.seq - back}" for back in (3, 2, 1)]
    assert lines[3].startswith(f"step {first.seq} differs: ")
    assert [line[:10] for line in lines if " by TS-6: " in line] == ["  A by TS-", "  B by TS-"]
    assert lines[-1].startswith("illegal; A won by ")
    assert f"B refuses event {first.seq + 1} by TURN: " in lines[-1]


def test_a_refusal_is_a_difference_whichever_side_refuses(game, match, traced_by):
    comparison = compare(traced_by(winner=last_of_equals), traced_by())
    assert comparison.change is Change.MORE
    lines = list(ComparisonPresenter(game, match).lines(comparison, every=True))
    assert any(line.startswith("  A refuses it by TURN: ") for line in lines)
    assert "  B accepts it" in lines


def one_more(piles):
    """The mistake: a point for seat 3, whatever it has."""
    points = list(score(piles))
    points[3] += 1
    return tuple(points)


score = rules.score


def test_another_score_is_shown_field_by_field(game, match, traced_by):
    comparison = compare(traced_by(), traced_by(score=one_more))
    winners = match.result.winners
    assert comparison.change is Change.RESULT
    words = "the same winner, another score" if comparison.b.last.winners == list(winners) else "another winner"
    assert words in ComparisonPresenter(game).outcome(comparison)
    (only,) = comparison.steps
    assert only.seq == len(match.events) - 1
    points = match.result.points[3]
    fields = {field.path: (field.a, field.b) for field in only.fields if not field.path.startswith("winners")}
    assert fields == {"totals[3]": (points, points + 1), "points[3]": (points, points + 1)}


@pytest.mark.parametrize(
    ("winners", "said"), [((0, 1, 2, 3), "shared by all with"), ((), "won by nobody with"), ((1, 2), "and seat 2 with")]
)
def test_an_end_that_all_share_is_not_won(traced_by, log, game, winners, said):
    def result(state):
        ended = game.result(state)
        return None if ended is None else attrs.evolve(ended, winners=winners)

    other = read_trace(trace_log(log, lambda _: game.altered(result=result)))
    assert said in ComparisonPresenter(game).outcome(compare(traced_by(), other))


def test_fields_are_compared_by_name_where_the_layouts_are_two():
    a, b = {"turn": "seat", "hands": [["card"]]}, {"hands": [["card"]], "lead": "seat"}
    lines = {each.path: (each.a, each.b) for each in differences([2, [[1, 2], [3]]], [[[1, 9], [3, 4]], 2], a, b)}
    assert lines == {"turn": (2, ABSENT), "hands[0][1]": (2, 9), "hands[1]": ([3], [3, 4]), "lead": (ABSENT, 2)}


def test_the_order_of_fields_counts_inside_of_rows_too():
    a, b = ({"palaces": [[dict.fromkeys(names)]]} for names in (("number", "cards"), ("cards", "number")))
    assert packed_alike(a, a)
    assert not packed_alike(a, b)


def test_true_is_not_one():
    assert [each.path for each in differences([True, 0], [1, 0], None, None)] == ["[0]"]


def test_cards_are_shown_by_their_faces(game, match, traced_by):
    def to_the_left(state, **changes):
        piles = changes.get("piles", ())
        return evolve(state, **changes | ({"piles": (*piles[1:], piles[0])} if any(piles) else {}))

    comparison = compare(traced_by(), traced_by(evolve=to_the_left))
    field = comparison.first.fields[0]
    assert field.path == "piles[0][0]"
    face = game.face(field.a).text
    assert any(face in line for line in ComparisonPresenter(game, match).step(comparison.first))


def test_traces_of_two_logs_are_not_compared(game, log, match, traced_by):
    other = read_trace(trace_log(log_bytes(played(game, 4, game.options(), 7))))
    with pytest.raises(TraceError, match="two logs"):
        compare(traced_by(), other)
    shorter = read_trace(trace_log(log_bytes(prefix(match, 9))))
    with pytest.raises(TraceError, match="begin alike"):
        compare(traced_by(), shorter)


def test_a_note_without_texts_is_shown_by_key_and_values(traced_by):
    note = traced_by().steps[2].notes[0]
    assert (
        ComparisonPresenter(None).note(note) == f"{note.key} (seat {note.values['seat']}, card {note.values['card']})"
    )


def test_the_rules_at_work_are_named_where_the_notes_are_equal(game, match, traced_by, monkeypatch):
    """The mistake: seat 0 has a card more in its pile; nothing says so."""
    a, b = traced_by(), traced_by()
    seq = next(step.seq for step in match.steps if any(note.rule is Rule.TS_6 for note in step.notes))
    fields = tuple(a.shape)
    state = list(b.steps[seq + 1].state)
    state[fields.index("totals")] = [9, *state[fields.index("totals")][1:]]
    steps = [attrs.evolve(each, state=state) if each.seq == seq else each for each in b.steps]
    comparison = compare(a, attrs.evolve(b, steps=tuple(steps)))
    presenter = ComparisonPresenter(game, match, Texts("en"))
    assert comparison.first.notes == ((), ())
    assert "TS-6" in comparison.first.rules[0]
    lines = list(presenter.step(comparison.first))
    assert lines[-1].startswith("  at work on both sides: ")
    assert "TS-6" in lines[-1]
    assert presenter.step_json(comparison.first)["rules"]["a"] == list(comparison.first.rules[0])


def test_two_refusals_that_read_alike_are_told_by_their_facts(game, match):
    """The text of TURN leaves this fact out."""
    facts = {"asked": (1,)}
    sides = [Refusal(5, 0, "TURN", {**facts, "more": more}, None) for more in (7, 8)]
    lines = list(ComparisonPresenter(game, match, Texts("en")).step(StepDifference(5, *sides, ())))
    assert lines[1].startswith("  A refuses it by TURN: ")
    assert [line[-8:] for line in lines[1:]] == [" more 7)", " more 8)"]


def test_two_values_that_read_alike_are_told_apart():
    (line,) = differing_lines(["a" * 70 + "b"], ["a" * 70 + "c"], None)
    assert line.endswith("b'  B '" + "a" * 70 + "c'")
    (line,) = differing_lines([None], ["none"], None)
    assert line == "  hand  A None  B 'none'"


def test_a_stored_digest_is_shown_beside_what_it_is_now(game, traced_by):
    golden = Path(__file__).parents[3] / "fixtures" / "take_and_share" / "four_seats.log"

    def leak(state, viewer):
        seen = game.view(state, viewer)
        show = viewer == 0 and state.hands[3]
        return evolve(seen, hands=(*seen.hands[:3], state.hands[3])) if show else seen

    result = check(golden, lambda _: game.altered(view=leak))
    (line,) = (line for line in result.lines(Texts("en")) if line.startswith("  view(0).hands"))
    hand = " ".join(game.face(card).text for card in result.reading.match.states[1].hands[3])
    assert re.match(r"  view\(0\).hands  stored #[0-9a-f]{8}  now \[.* \[", line)
    assert hand in line


def differing_lines(a, b, shape):
    """Format the difference of one field of two arrays."""
    (field,) = differences(a, b, {"hand": shape}, {"hand": shape})
    step = StepDifference(0, *(TracedStep(0, each, (), None, None, {}) for each in (a, b)), (field,))
    return list(ComparisonPresenter(games.find("take_and_share")).step(step))[1:]


def test_of_two_collections_it_says_what_only_one_of_them_has():
    (line,) = differing_lines([[101, 101, 205, 302]], [[101, 302, 403]], ["card"])
    assert line == "  hand  only A has ♥1 ♦5  only B has ★3"
    (line,) = differing_lines([[101, 205]], [[101]], ["card"])
    assert line == "  hand  only A has ♦5"


def test_of_two_orders_and_of_what_one_lacks_nothing_is_cut():
    many = list(range(101, 400))
    (line,) = differing_lines([many], [None], [None])
    assert all(f" {number}" in line or f"[{number}" in line for number in many)
    field = Difference("trick", [[1], [2]], [[2], [1]])
    step = StepDifference(0, *(TracedStep(0, [], (), None, None, {}) for _ in "ab"), (field,))
    assert list(ComparisonPresenter(None).step(step))[1:] == [
        "  trick  the same items in another order: A [[1] [2]]  B [[2] [1]]"
    ]
