"""What the host tells, put into the shapes of the wire and the words of a language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs
import msgspec
from msgspec import UNSET

from ..game import Game, Hidden, Note, Result, RuleViolation
from ..host import About, Look, Receipt, Seen, Wish
from ..page.tongues import Tongues
from ..random_play import ENOUGH
from ..scene import Part, Scene
from ..texts import Texts
from ..wire import plain, wire_of
from . import shapes
from .options import options_told

AnyGame = Game[Any, Any, Any]
SAID = 64
"""Of so many legal commands each is put into words."""
BOT = "bot"


class Teller:
    """Tells of one match in one language."""

    def __init__(self, game: AnyGame, about: About, lang: str) -> None:
        self.game = game
        self.texts = Texts(lang, __package__)
        self.names = [name or "" for name in about.seats]
        self._about = about
        self._tongues = Tongues(game, self.names, (lang,))

    def about(self) -> shapes.About:
        about = self._about
        bots = about.terms.bots
        seats = enumerate(about.seats)
        return shapes.About(
            match=about.match,
            game=about.game,
            title=self.texts.title(self.game),
            options=plain(dict(about.options)),
            seats=[
                shapes.SeatTold(seat=seat, name=name and self.texts.seat(seat, self.names), bot=bots.get(seat))  # type: ignore[call-overload]
                for seat, name in seats
            ],
            status=about.status,  # type: ignore[arg-type]
            result=_result(about.result),
            public=about.terms.public,
            limit=about.terms.limit,
            opened=about.opened,
            changed=about.changed,
        )

    def look(self, match: str, look: Look) -> shapes.Look:
        wire = wire_of(self.game)
        said = len(look.legal) <= SAID
        legal = [
            shapes.Legal(
                tag=wire.tag(command),
                fields=plain(wire.encode(command)[1]),
                parts=[list(part) for part in self.game.parts(command)],
                said=self.texts.command(command, self.game, self.names) if said else UNSET,
            )
            for command in look.legal
        ]
        return shapes.Look(
            match=match,
            seat=look.seat,
            count=look.count,
            status=look.status,  # type: ignore[arg-type]
            to_act=sorted(look.to_act),
            view=plain(look.view),
            scene=None if look.scene is None else _scene(look.scene),
            words={key: self._label(key) for key in sorted(_keys(look.scene, legal))},
            legal=legal,
            more=look.open_ended or len(look.legal) >= ENOUGH,
            result=_result(look.result),
            deadline=look.deadline,
            absent=sorted(look.absent),
            wishes=[self.wish(wish) for wish in look.wishes],
        )

    def seen(self, seen: Iterable[Seen]) -> list[shapes.Seen]:
        return [self._seen(each) for each in seen]

    def receipt(self, receipt: Receipt) -> shapes.Receipt:
        notes = [self._note(note) for note in receipt.notes]
        return shapes.Receipt(seq=receipt.seq, count=receipt.count, notes=notes)

    def wish(self, wish: Wish) -> shapes.WishTold:
        return shapes.WishTold(
            number=wish.number,
            kind=wish.kind,
            by=wish.by,
            at=wish.at,
            agreed=list(wish.agreed),
            waits_for=list(wish.waits_for),
            state=wish.state,
            fork=wish.fork if wish.state == "done" else None,
        )

    def violation(self, violation: RuleViolation) -> dict[str, Any]:
        """Give what a problem tells of a broken rule."""
        return {
            "detail": self.texts.violation(violation, self.game, self.names),
            "rule": violation.rule.number,
            "facts": plain(violation.facts),
        }

    def _seen(self, seen: Seen) -> shapes.Seen:
        sighting = seen.sighting
        hidden = isinstance(sighting, Hidden)
        tag, fields = (
            (sighting.tag, dict(sighting.fields))
            if isinstance(sighting, Hidden)
            else wire_of(self.game).encode(sighting)
        )
        notes = [self._note(note) for note in seen.notes]
        if not notes:
            notes = [shapes.NoteTold(said=self._tongues.doing(seen.seat, seen.sighting)[0], rule=None, begins=None)]
        return shapes.Seen(
            seq=seen.seq,
            seat=seen.seat,
            tag=tag,
            fields=plain(fields),
            hidden=hidden,
            notes=notes,
            at=seen.at,
            by=seen.by,
        )

    def _note(self, note: Note) -> shapes.NoteTold:
        return shapes.NoteTold(
            said=self._tongues.note(note)[0],
            rule=note.rule.number if note.rule is not None else None,
            begins=note.begins.value if note.begins is not None else None,
        )

    def _label(self, key: str) -> str:
        return self.texts.label(key, self.game)


def game_told(game: AnyGame, lang: str) -> shapes.GameTold:
    """Tell all that is the same for every match of a game."""
    texts = Texts(lang, __package__)
    return shapes.GameTold(
        game=game.name,
        title=texts.title(game),
        designer=texts.find("designer", game) or "",
        rules_version=game.rules,
        seats=list(game.seats),
        options=options_told(game, texts),
        commands=[
            shapes.CommandShape(tag=tag, label=texts.label(f"command-{tag}", game), fields=fields_of(kind))
            for kind, tag in game.wire.items()
        ],
        rules={rule.number: texts.rule(rule, game) for rule in game.book},
        readings=texts.readings(game),
    )


def fields_of(command: type) -> dict[str, Any]:
    """Give the JSON schema of a command's fields; that of any map where its types are none that JSON has."""
    try:
        _, components = msgspec.json.schema_components([command])
        (schema,) = components.values()
    except (TypeError, ValueError):
        return {"type": "object"}
    fields = attrs.fields(attrs.resolve_types(command))
    maps = {field.name: {"type": "object"} for field in fields if field.metadata.get("wire") == "map"}
    properties = {**schema.get("properties", {}), **maps}
    return {"type": "object", "properties": properties, "required": schema.get("required", [])}


def _result(result: Result | None) -> shapes.ResultTold | None:
    if result is None:
        return None
    return shapes.ResultTold(points=list(result.points), winners=list(result.winners))


def _scene(scene: Scene) -> shapes.SceneTold:
    return msgspec.convert(plain(scene), shapes.SceneTold)


def _keys(scene: Scene | None, legal: Sequence[shapes.Legal]) -> Iterator[str]:
    """Name the message keys of all that is labelled: on the table, on buttons and before fields."""
    if scene is None:
        return
    for place in (scene.table, *scene.places):
        yield from place.marks
        yield from (fact.label for fact in place.facts)
        for zone in place.zones:
            yield zone.label
            yield from (mark for thing in zone.things for mark in thing.marks)
    lying = {thing.part for place in (scene.table, *scene.places) for zone in place.zones for thing in zone.things}
    for command in legal:
        for part in map(tuple, command.parts):
            if part not in lying:
                yield _button(part)


def _button(part: Part) -> str:
    return f"field-{part[0]}" if len(part) == 1 else "-".join(("part", *map(str, part)))
