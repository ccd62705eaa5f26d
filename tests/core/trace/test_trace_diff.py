"""Two traces of one log are compared by the fields of their states, their notes and their refusals."""

import attrs
import pytest
from kifu import games
from kifu.core.errors import TraceError
from kifu.core.log import log_bytes
from kifu.core.testing.play import played, prefix
from kifu.core.text.texts import Texts
from kifu.core.trace import Change, compare, read_trace, trace_log
from kifu.core.trace.presenter import ComparisonPresenter
from kifu.core.trace.read import TracedStep
from kifu.core.trace.trace_diff import ABSENT, Difference, StepDifference, differences
from kifu.games.take_and_share import rules
from kifu.games.take_and_share.cards import number
from kifu.games.take_and_share.model import Rule


def test_a_trace_does_not_differ_from_itself(traced_by):
    comparison = compare(traced_by(), traced_by())
    assert comparison.change is Change.NONE
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
    assert comparison.change is Change.LEGALITY
    first = comparison.first
    assert [[note.rule for note in notes] for notes in first.notes] == [["TS-6"], ["TS-6"]]
    assert comparison.steps[-1].b.rule == "TURN"
    lines = list(ComparisonPresenter(game, match, Texts("en")).lines(comparison))
    assert lines[0].startswith(f"step {first.seq} differs: ")
    assert lines[1].startswith("  A by TS-6: ")
    assert lines[2].startswith("  B by TS-6: ")
    assert f"B refuses event {first.seq + 1} by TURN: " in lines[-1]


def test_a_refusal_is_a_difference_whichever_side_refuses(game, match, traced_by):
    comparison = compare(traced_by(winner=last_of_equals), traced_by())
    assert comparison.change is Change.LEGALITY
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
    assert comparison.change in (Change.SCORE, Change.WINNER)
    assert comparison.change is Change.SCORE or comparison.b.last.winners != list(winners)
    (only,) = comparison.steps
    assert only.seq == len(match.events) - 1
    points = match.result.points[3]
    fields = {field.path: (field.a, field.b) for field in only.fields if not field.path.startswith("winners")}
    assert fields == {"totals[3]": (points, points + 1), "points[3]": (points, points + 1)}


def test_other_notes_alone_are_noise(traced_by, log, game):
    def explain(step, viewer):
        for note in game.explain(step, viewer):
            yield attrs.evolve(note, rule=Rule.TS_5) if note.rule is Rule.TS_6 else note

    other = read_trace(trace_log(log, lambda _: attrs.evolve(game, explain=explain)))
    comparison = compare(traced_by(), other)
    assert comparison.change is Change.NOISE
    assert {len(step.fields) for step in comparison.steps} == {0}
    assert "only noise: both won by" in ComparisonPresenter(game).outcome(comparison)


@pytest.mark.parametrize(
    ("winners", "said"), [((0, 1, 2, 3), "shared by all with"), ((), "won by nobody with"), ((1, 2), "and seat 2 with")]
)
def test_an_end_that_all_share_is_not_won(traced_by, log, game, winners, said):
    def result(state):
        ended = game.result(state)
        return None if ended is None else attrs.evolve(ended, winners=winners)

    other = read_trace(trace_log(log, lambda _: attrs.evolve(game, result=result)))
    assert said in ComparisonPresenter(game).outcome(compare(traced_by(), other))


def test_a_right_that_is_not_listed_or_a_secret_that_is_shown_differs_in_a_pack_of_conformance(game, log):
    fewer = attrs.evolve(game, legal=lambda state, seat: iter(list(game.legal(state, seat))[1:]))
    open_hands = attrs.evolve(game, view=lambda state, viewer: game.view(state, -1))
    ours = read_trace(trace_log(log, conformance=True))
    for other, paths in ((fewer, "legal("), (open_hands, "view(")):
        theirs = read_trace(trace_log(log, lambda _, other=other: other, conformance=True))
        first = compare(ours, theirs).first
        assert first is not None
        assert {field.path.startswith(paths) for field in first.fields} == {True}
    plain = read_trace(trace_log(log))
    assert compare(ours, plain).change is Change.NONE


def test_fields_are_compared_by_name_where_the_layouts_are_two():
    a, b = {"turn": "seat", "hands": [["card"]]}, {"hands": [["card"]], "lead": "seat"}
    lines = {each.path: (each.a, each.b) for each in differences([2, [[1, 2], [3]]], [[[1, 9], [3, 4]], 2], a, b)}
    assert lines == {"turn": (2, ABSENT), "hands[0][1]": (2, 9), "hands[1]": ([3], [3, 4]), "lead": (ABSENT, 2)}


def test_true_is_not_one():
    assert [each.path for each in differences([True, 0], [1, 0], None, None)] == ["[0]"]


def test_cards_are_shown_by_their_faces(game, match, traced_by):
    def to_the_left(state, seat, share):
        return shared(state, seat, attrs.evolve(share, cards=(*share.cards[1:], share.cards[0])))

    shared = rules._share
    comparison = compare(traced_by(), traced_by(_share=to_the_left))
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


def differing_lines(a, b, shape):
    """Format the difference of one field of two arrays."""
    (field,) = differences(a, b, {"hand": shape}, {"hand": shape})
    step = StepDifference(0, *(TracedStep(0, each, (), None, None, {}, ()) for each in (a, b)), (field,))
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
    step = StepDifference(0, *(TracedStep(0, [], (), None, None, {}, ()) for _ in "ab"), (field,))
    assert list(ComparisonPresenter(None).step(step))[1:] == [
        "  trick  the same items in another order: A [[1] [2]]  B [[2] [1]]"
    ]
