### What every game needs, in English.

seat = seat { $number }
who = { SEAT($seat) }
table = the table
spectator = a spectator
nobody = nobody
none = none
yes = yes
no = no
comma = {", "}
colon = {": "}
semicolon = {"; "}
bracketed = {" ("}{ $what })
given = { $card } to { SEAT($seat) }
cards = { CARDS($values) }
seats = { SEATS($values) }
owned = { OWNED($values) }
owned-one = { SEAT($seat) } { $number }
numbered = { $item } ({ $number })
unnumbered = { $item }

# A command and what it is done with: "play a card: ♥4".
doing = { $what }: { $how }
command-takeback = { $to ->
    [-1] take back to the start
   *[other] take back to event { $to }
}
note-takeback = { $to ->
    [-1] All is taken back: the table is as it was at the start.
   *[other] Taken back: the table is as it was after event { $to }.
}
command-rules = go on under rules version { $to }
note-rules-change = The match goes on under rules version { $to }; what was so far stays as it was.
command-refused = end the match: it cannot go on under rules version { $to }
note-rules-refused = The match ends here without a result: under rules version { $to } { SEAT($seat) } would have had something else after event { $event } ({ $field }).

## A match

points = { $points } { $points ->
    [one] point
   *[other] points
}
winner = wins
winner-shared = shares the victory
winner-draw = draws
winner-none = loses
begins-deal = Deal { $number }
begins-round = Round { $number }
begins-trick = Trick { $number }
begins-turn = Turn { $number }
turns = { $first }–{ $last }
unseen = { $what } (unseen)
seat-does = { $seat }: { $what }
looked-again = By a takeback { SEATS($seats) } saw once more what may be looked at only once.
abandoned = The match was abandoned here.
goes-on = The match goes on: { SEATS($seats) } { COUNT($seats) ->
    [one] is
   *[other] are
} asked to act.
at-event = event { $seq }:{" "}

## The table

fact-of = { $value } of { $most }
empty-space = empty
face-down = { $count } face down
face-down-pieces = { $count } hidden
in-all = { $count } in all
in-all-pieces = { $count } in all

## What is wrong with a log

finding-torn = the file ends too early
finding-chain = the chain is broken
finding-form = malformed
finding-rule = against the rule
finding-rules = newer rules
finding-game = the game failed
finding-digest = another state than recorded
finding-result = another result than recorded
finding-key = host's key
finding-header = header
finding-file = the file
finding-fair = unfair deal
finding-veil = veil
finding-signature = signature
finding-head = roster
finding-mark = mark
finding-told = what was told
finding-missing = missing from the log
finding-view = view
finding-record = seat record

## What holds for every game

violation = { SEAT($seat) } broke the rule: { $sentence }
violation-because = { SEAT($seat) } may not do that: { $because }
refused-because = { $because }
violation-FORM = { SEAT($seat) } gave a malformed command: { $why }
violation-OVER = { SEAT($seat) } acted, but the game has ended: no command is legal any more
violation-TURN = { SEAT($seat) } acted out of turn: { COUNT($asked) ->
    [0] only the table deals, and it does nothing else
    [one] { SEATS($asked) } is asked to act
   *[other] { SEATS($asked) } are asked to act
}
violation-ORDER = { SEAT($seat) } acted out of order: the game calls for "{ COMMAND($expected) }" now
violation-DEAL = { SEAT($seat) } dealt the wrong cards: the rules call for { $expected }
violation-SEED = { SEAT($seat) } gave deal { $deal } of the match otherwise than the seed has it

refused = The rules do not allow that: { $sentence }
refused-FORM = That is no whole command: { $why }
refused-OVER = The game is over
refused-TURN = { COUNT($asked) ->
    [0] Only the table deals
   *[other] It is not your turn: waiting for { SEATS($asked) }
}
refused-ORDER = Something else comes first: { COMMAND($expected) }
