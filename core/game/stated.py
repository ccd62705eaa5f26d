"""The rules of a game that one module states: they are asked only in turn, and refuse by `Illegal`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import ModuleType, SimpleNamespace
from typing import Any

from ..errors import GameError, Message
from .annotations import classes_of, is_compiled
from .declarations import rule_of
from .protocols import PART_FUNCTIONS
from .result import Result
from .rule_book import RuleBook, is_number_of_rule
from .seats import TABLE
from .violation import Illegal, RuleViolation, beside_seat, check_turn


def stated(module: ModuleType, book: type[RuleBook], game: str) -> Any:
    """Return the rules of a module, with turns kept and `Illegal` translated.

    What the module does not have is missing in them, too. Raises `GameError` for a `deal` that does not say which
    command it returns: a seat could give it.
    """
    has = {name: getattr(module, name) for name in PART_FUNCTIONS["rules"] if hasattr(module, name)}
    asked = {name: function for name, function in has.items() if callable(function)}
    if (to_act := asked.get("to_act")) is not None:
        if "legal" in asked:
            has["legal"] = _legal_in_turn(asked["legal"], to_act, game)
        if "legal_by_kind" in asked:
            has["legal_by_kind"] = _by_kind_in_turn(asked["legal_by_kind"], to_act)
        if "apply" in asked:
            dealt = _dealt_by(asked["deal"], game) if "deal" in asked else ()
            has["apply"] = _apply_in_turn(asked["apply"], to_act, dealt, book, game)
    if "result" in asked:
        has["result"] = _a_result(asked["result"], game)
    return SimpleNamespace(**has)


def _dealt_by(deal: Callable[..., Any], game: str) -> tuple[type, ...]:
    """Return the classes of the table's commands, as the annotation of `deal` names them."""
    dealt = tuple(classes_of(deal))
    if not dealt and not is_compiled(deal):
        english = "`deal` does not say which command it returns: annotate it, such as `-> Deal`"
        raise GameError(game, Message("deal-returns-what", english))
    return dealt


def _returned(game: str, function: str, given: Any, wanted: str) -> GameError:
    """Return the error of a function that has returned what it must not."""
    english = "`{function}` returned {given}: it returns {wanted}"
    values = {"function": function, "given": ascii(given)[:60], "wanted": wanted}
    return GameError(game, Message("function-returned", english, **values))


def _a_result(result: Callable[[Any], Any], game: str) -> Callable[[Any], Any]:
    @wraps(result)
    def a_result(state: Any) -> Any:
        ended = result(state)
        if ended is None or isinstance(ended, Result):
            return ended
        raise _returned(game, "result", ended, "`Result` or None")

    return a_result


def _legal_in_turn(
    legal: Callable[[Any, int], Any], to_act: Callable[[Any], frozenset[int]], game: str
) -> Callable[..., Any]:
    def legal_in_turn(state: Any, seat: int) -> Any:
        if seat == TABLE or seat not in to_act(state):
            return ()
        listed = legal(state, seat)
        if listed is None:
            raise _returned(game, "legal", listed, "`list`")
        return listed

    return legal_in_turn


def _by_kind_in_turn(by_kind: Callable[..., Any], to_act: Callable[[Any], frozenset[int]]) -> Callable[..., Any]:
    def by_kind_in_turn(state: Any, seat: int, limit: int) -> Any:
        return by_kind(state, seat, limit) if limit and seat != TABLE and seat in to_act(state) else []

    return by_kind_in_turn


def _apply_in_turn(
    apply: Callable[[Any, int, Any], Any],
    to_act: Callable[[Any], frozenset[int]],
    dealt: tuple[type, ...],
    book: type[RuleBook],
    game: str,
) -> Callable[[Any, int, Any], Any]:
    """Return `apply` for commands in turn alone; `dealt` are the classes of the table's commands."""
    rules = {rule.number: rule for rule in book}

    def apply_in_turn(state: Any, seat: int, command: Any) -> Any:
        check_turn(to_act(state), seat, deals=isinstance(command, dealt) if dealt else seat == TABLE)
        try:
            after = apply(state, seat, command)
        except Illegal as illegal:
            raise _violation(rules, seat, command, illegal, game) from None
        if after is None:
            raise _returned(game, "apply", after, f"`{type(state).__name__}`")
        return after

    return apply_in_turn


def _violation(rules: dict[str, RuleBook], seat: int, command: Any, illegal: Illegal, game: str) -> RuleViolation:
    """Return the violation of the rule that is named, else of the command's own, with the sentence as its reason.

    Raises `GameError` for what looks like the number of a rule, and is none.
    """
    facts = {beside_seat(name): value for name, value in illegal.facts.items()}
    if illegal.why in rules:
        return RuleViolation(rules[illegal.why], seat, **facts)
    if is_number_of_rule(illegal.why):
        english = "`Illegal({number})` names a rule that is not in the book: it has {known}"
        known = ", ".join(sorted(rules))
        raise GameError(game, Message("illegal-by-what", english, number=repr(illegal.why), known=known))
    number = rule_of(type(command))
    rule = rules[number] if number is not None else next(iter(rules.values()))
    return RuleViolation(rule, seat, because=illegal.why, **facts)
