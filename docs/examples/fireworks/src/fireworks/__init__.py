"""Fireworks: cards laid together in ascending rows by seats that see every hand but their own. All win, or all lose."""

from kifu.core.game import Game

from . import rules, table

GAME: Game[rules.State, rules.Command, table.View] = Game(
    name="fireworks",
    rules=1,
    seats=range(2, 6),
    options=rules.Options,
    book=rules.Rule,
    wire={rules.Deal: "deal", rules.Hint: "hint", rules.Discard: "discard", rules.Play: "play"},
    start=rules.start,
    to_act=rules.to_act,
    apply=rules.apply,
    legal=rules.legal,
    deal=rules.deal,
    view=table.view,
    redact=table.redact,
    determinize=table.determinize,
    cards=rules.cards,
    result=rules.result,
    scores=rules.scores,
    explain=table.explain,
    scene=table.scene,
    parts=table.parts,
    face=rules.face,
    texts=__name__,
    sizes={"known": 100},  # letters of what is known of 20 cards
    shows={"play": ("place",), "discard": ("place",)},
    vocabulary=(*range(5), *rules.KINDS),
)
