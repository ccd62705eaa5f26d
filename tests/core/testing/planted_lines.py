"""Bugs of a line each, planted into the source of hosts and of the store in memory: one for each property that is held.

They were written by somebody who looked for what could go wrong in the code, not in the checks.
"""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from textwrap import dedent
from typing import Any

from attrs import frozen


@frozen
class Line:
    """A bug: in the source of a function or method, one text is replaced by another."""

    where: str
    """`room.module:function` or `room.module:Class.method`."""
    old: str
    new: str
    seed: int
    """The first seed that finds it."""
    violates: str

    def plant(self, patch: Any) -> None:
        """Replace the function wherever its own module looks it up."""
        module_name, path = self.where.split(":")
        module = import_module(f"kifu.core.{module_name}")
        *owners, name = path.split(".")
        owner: Any = getattr(module, owners[0]) if owners else module
        found = inspect.getattr_static(owner, name)
        source = dedent(inspect.getsource(getattr(found, "fget", found)))
        assert source.count(self.old) == 1, f"{self.where} has {self.old!r} {source.count(self.old)} times"
        made: dict[str, Any] = {}
        exec(compile(source.replace(self.old, self.new), module.__file__ or name, "exec"), module.__dict__, made)
        patch.setattr(owner, name, made[name])
        for each in [each for key, each in sys.modules.items() if key.startswith("kifu.core.") and not owners]:
            for known, value in list(vars(each).items()):
                if value is found:
                    patch.setattr(each, known, made[name])


LINES = {
    "a takeback that nothing makes old": Line(
        "host.live_match:current_proposal",
        "proposal.count != live.count",
        "False",
        16,
        "were not asked for the takeback",
    ),
    "new keys leave the old proposal open": Line(
        "host.lifecycle:RotateKeys.apply",
        'proposal = evolve(proposal, status="expired", fork=None)',
        "pass",
        53,
        "is older than a player's key",
    ),
    "a takeback that needs nobody": Line(
        "host.proposals:TakeBack.apply_by",
        "why_consent_is_needed(live.match, seat, self.to) is None",
        "live.count % 2",
        1,
        "were not asked for the takeback",
    ),
    "two consents suffice": Line(
        "host.proposals:_accept", "if each != seat)", "if each != seat)[1:]", 2, "were not asked for"
    ),
    "a spectator sees what the table sees": Line(
        "host.projections:observe",
        "view = game.view(state, seat)",
        "view = game.view(state, -1 if seat is None else seat)",
        0,
        "saw another table",
    ),
    "a rejection that is answered and not stored": Line(
        "host.proposals:Reject.apply_by",
        "    live.update_metadata(evolve(live.metadata, proposal=rejected), context.clock())\n",
        "",
        9,
        "was rejected, and is",
    ),
    "a claim forgotten by the store": Line(
        "stores.memory:MemoryStore.claim", "for claim in claimed:", "for claim in claimed[1:]:", 5, "asks a bot that"
    ),
    "a clock that restarts after a private undo": Line(
        "host.deadlines:_is_private_to_one_seat",
        "return all(isinstance(each, RedactedCommand) and not each.fields for each in shown)",
        "return False",
        0,
        "moves the deadline",
    ),
    "late witnesses that nobody notes": Line(
        "host.host:Host._stored",
        "self._witness_writer.note(live.id, is_late=live.unwitnessed > 0)",
        "pass",
        0,
        "goes without a witness",
    ),
    "a result that the public facts lack": Line(
        "host.live_match:LiveMatch.record",
        "result=result, preparation=None",
        "result=None, preparation=None",
        0,
        "is not what it shows",
    ),
    "a fork that says it deals fairly": Line(
        "host.proposals:_forked",
        "terms = evolve(live.metadata.terms, fair=False)",
        "terms = live.metadata.terms",
        10,
        "is not what it shows",
    ),
    "a fork of a match that goes on needs nobody": Line(
        "host.proposals:_propose",
        'if kind == "fork" and live.ended else',
        'if kind == "fork" else',
        0,
        "were asked for this fork",
    ),
    "any player may remove any other": Line(
        "host.lifecycle:RemovePlayer.apply",
        "[live.metadata.opener_key, own]",
        "[live.metadata.opener_key, *live.metadata.keys]",
        41,
        "has removed another",
    ),
    "a command that was chosen before the seat's turn came": Line(
        "host.submission:is_still_to_act",
        "(seat, TABLE) or seat not in match.game.to_act(match.states[event.seq]):",
        "(seat, TABLE):",
        0,
        "too early",
    ),
    "a match that was abandoned still asks its seats": Line(
        "host.projections:observe",
        "if live.ended or stopped else",
        "if stopped else",
        6,
        "it takes no commands, and asks",
    ),
    "what could be read for a moment can be read for ever": Line(
        "host.projections:_shows_momentary",
        "return live.match.next_act(seq) is None",
        "return True",
        0,
        "what it may look at once",
    ),
    "nobody is told that a bot or a stand-in acted": Line(
        "host.projections:history_entry", "(meta.at, meta.by)", "(meta.at, None)", 0, "was shown another event"
    ),
    "a lobby lists what is not public": Line(
        "host.projections:lobby", "evolve(query, public=True)", "query", 0, "a lobby lists it"
    ),
    "the log of a match that goes on is told": Line(
        "host.host:Host.log", "if stored.end is None:", "if not stored.events:", 0, "its log is told"
    ),
}
