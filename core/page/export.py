"""What some viewers saw of a match, as plain data in every language (`docs/export-format.md`).

The data is an allow-list: the scenes and notes of these viewers, and what every viewer may know (game, seats, options,
the seats to act, the result). No command, deal, seed, digest or meta is read. Only the table gets the match's id and
engine, since a seed may have been written into them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from ..errors import MatchError, Message
from ..game import TABLE, AnyGame, AnyStep, Note, RuleBook, Seat, SectionKind, TableRule
from ..log import Finding
from ..log.findings import finding_message
from ..match import AnyMatch, plain_result
from ..text.languages import Languages, Pieces
from ..text.sanitize import sanitize
from ..text.sections import SectionCounter, score_rows
from ..text.texts import Texts, require_catalogues
from ..wire import plain, wire_of
from .remarks import Remark, remarks_data
from .tables import ExportTables

VERSION = 1
LANGS = ("en", "ja")

Viewer = int | None


def everyone(match: AnyMatch) -> tuple[Viewer, ...]:
    """Return all viewers of a match: the table, every seat, a spectator."""
    return (TABLE, *map(Seat, range(len(match.header.seats))), None)


def check_viewers(match: AnyMatch, viewers: Sequence[Viewer]) -> None:
    """Raise `MatchError` for what is not a list of viewers of the match."""
    known = everyone(match)
    listed = isinstance(viewers, Sequence) and not isinstance(viewers, str | bytes)
    if not listed or any(isinstance(each, bool) or each not in known for each in viewers):
        english = "viewers are a list of seats, 0 to {last}, -1 for the table and None for a spectator, not {given}"
        given = ascii(viewers)[:60]
        raise MatchError(Message("no-viewers", english, last=len(match.header.seats) - 1, given=given))


def export(
    match: AnyMatch,
    viewers: Sequence[Viewer],
    findings: Iterable[Finding] = (),
    remarks: Iterable[Remark] | None = None,
) -> dict[str, Any]:
    """Return what these viewers saw, and the remarks on their decisions, if there is an analysis; nothing else.

    Raises `MatchError` for viewers that the match does not have, `MissingExtra` without the extra `replay`.
    """
    require_catalogues(Message("the-page", "a match as a page"))
    check_viewers(match, viewers)
    languages, tables = Languages(match.game, match.header.seats, LANGS), ExportTables()
    exports = [_ViewerExport(match, viewer) for viewer in viewers]
    for step in match.steps:
        notes = _StepNotes(languages, tables, step)
        for each in exports:
            each.add(step, notes, tables)
    viewers_data = [each.data(tables) for each in exports]
    return {
        "kifu_export": VERSION,
        "langs": list(LANGS),
        **_head(match, languages, viewers),
        "findings": _findings(match, findings, languages, TABLE if TABLE in viewers else None),
        "rules": {rule.number: languages.rule(rule) for rule in _rules(match, findings)},
        "labels": [[key, *languages.label(key)] for key in tables.labels],
        "readings": {lang: texts.readings(match.game) for lang, texts in zip(LANGS, languages.texts, strict=True)},
        **tables.data(),
        "score_rows": _sheet(match, languages),
        "acted": [event.seat for event in match.events],
        "asked": [sorted(match.game.to_act(state)) for state in match.states],
        "viewers": viewers_data,
        **_looked_again(match, languages),
        **({} if remarks is None else {"analysis": remarks_data(remarks, viewers)}),
    }


def _head(match: AnyMatch, languages: Languages, viewers: Sequence[Viewer]) -> dict[str, Any]:
    header, result = match.header, match.result
    options = plain(wire_of(match.game).plain_options(header.options))
    return {
        "game": header.game,
        "rules_version": match.game.version,
        "title": languages.label("game"),
        "designer": languages.label("designer"),
        "seats": languages.seats(),
        "options": options,
        "sections": {kind.value: languages.section(kind.value) for kind in SectionKind},
        "seat_options": _seat_options(match.game, options),
        "option_labels": {name: languages.label(f"option-{name}") for name in options},
        "option_words": {
            name: languages.label(f"option-{name}-{value}")
            for name, value in options.items()
            if Texts().find(f"option-{name}-{value}", match.game)
        },
        "started": header.started,
        "match": sanitize(header.match) if TABLE in viewers else None,
        "engine": sanitize(header.engine) if TABLE in viewers else None,
        "ended": match.end,
        **plain_result(result),
        "teams": list(result.teams) if result is not None else None,
    }


def _looked_again(match: AnyMatch, languages: Languages) -> dict[str, list[Pieces]]:
    """Return who saw once more, by a takeback, what may be looked at only once; nothing if nobody did."""
    seats = match.looked_again

    def text(texts: Texts, names: Sequence[str]) -> str:
        return texts.find("looked-again", match.game, names, seats=seats) or ""

    return {"looked_again": languages.format(text)} if seats else {}


def _sheet(match: AnyMatch, languages: Languages) -> list[dict[str, Any]]:
    """Return the rows of the score sheet, with labels in each language."""
    return list(map(attrs.asdict, score_rows(match.game, match.steps, len(match.header.seats), languages.texts)))


def _seat_options(game: AnyGame, options: Iterable[str]) -> list[str]:
    """Return the options whose value is the number of a seat."""
    fields = zip(options, attrs.fields(game.options), strict=True)
    return [name for name, field in fields if field.metadata.get("names") == "seat"]


def _findings(
    match: AnyMatch, findings: Iterable[Finding], languages: Languages, viewer: Viewer
) -> list[dict[str, Any]]:
    def text(finding: Finding) -> list[Any]:
        return languages.format(lambda texts, names: finding_message(finding, match, viewer, texts, names))

    return [{"seq": each.seq, "kind": each.kind, "rule": each.rule, "text": text(each)} for each in findings]


def _rules(match: AnyMatch, findings: Iterable[Finding]) -> list[RuleBook]:
    """Return the rules of the game, and those of `TableRule` that were broken."""
    broken = {finding.rule for finding in findings}
    return [*match.game.book, *(rule for rule in TableRule if rule.number in broken)]


class _StepNotes:
    """The formatted notes of one step, each formatted once for all viewers."""

    def __init__(self, languages: Languages, tables: ExportTables, step: AnyStep) -> None:
        self._languages, self._tables, self._step = languages, tables, step
        self._known: list[tuple[Any, int]] = []

    def for_viewer(self, viewer: Viewer, notes: tuple[Note, ...]) -> list[int]:
        """Return the places of the notes in the table; without notes, that of the command as the viewer sees it."""
        told = [self._of(note) for note in notes]
        return told or [self._of(self._step.command_for(viewer))]

    def _of(self, thing: Any) -> int:
        for known, place in self._known:
            if known == thing:
                return place
        place = self._tables.note(*self._formatted(thing))
        self._known.append((thing, place))
        return place

    def _formatted(self, thing: Any) -> tuple[str | None, list[Any]]:
        if isinstance(thing, Note):
            return thing.rule.number if thing.rule is not None else None, self._languages.note(thing)
        return None, self._languages.command(self._step.seat, thing)


class _ViewerExport:
    """What one viewer sees of a match, step by step."""

    def __init__(self, match: AnyMatch, viewer: Viewer) -> None:
        self._match, self._viewer = match, viewer
        self._sections = SectionCounter()
        self._begins: dict[str, list[Any]] = {}
        self._notes: list[list[int]] = []
        self._shown: dict[int, int] = {}
        self._changes: list[list[int]] = []

    def add(self, step: AnyStep, step_notes: _StepNotes, tables: ExportTables) -> None:
        """Add the next step."""
        if not self._changes:
            self._add_scene(-1, tables)
        notes = self._match.notes(step.seq, self._viewer)
        section = self._sections.count(step, notes)
        if section is not None:
            self._begins[str(step.seq)] = [section.kind.value, section.number, section.note]
        self._notes.append(step_notes.for_viewer(self._viewer, notes))
        self._add_scene(step.seq, tables)

    def _add_scene(self, seq: int, tables: ExportTables) -> None:
        game, state = self._match.game, self._match.shown(seq, self._viewer)
        scene = tables.scene(game.scene(game.view(state, self._viewer)))
        changed = [(slot, place) for slot, place in enumerate(scene) if self._shown.get(slot) != place]
        self._shown.update(changed)
        self._changes.append([each for pair in changed for each in pair])

    def data(self, tables: ExportTables) -> dict[str, Any]:
        """Return the viewer's part of the export: its sections, notes and changes of scene."""
        if not self._changes:
            self._add_scene(-1, tables)
        viewer = "spectator" if self._viewer is None else "table" if self._viewer == TABLE else self._viewer
        return {"viewer": viewer, "begins": self._begins, "notes": self._notes, "changes": self._changes}
