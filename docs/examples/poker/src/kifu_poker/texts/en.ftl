### Kuhn's and Leduc poker in English.

game = Small poker
designer = Harold Kuhn; Finnegan Southey and others

command-deal = deal
command-fold = fold
command-call = call
command-raise = raise

option-variant = which poker: Kuhn's or Leduc

note-dealt = Both put 1 into the pot and get a card.
note-hand = { SEAT($seat) } holds { CARD($card) }.
note-fold = { SEAT($seat) } folds.
note-call = { SEAT($seat) } calls.
note-raise = { SEAT($seat) } raises.
note-turned-up = { CARD($card) } is turned up.
note-shown = The hands are { LAID($cards) }.
note-won = { COUNT($seats) ->
    [one] { SEATS($seats) } wins
   *[other] { SEATS($seats) } share the pot
}: { POINTS($points) }.

violation-POK-3 = { SEAT($seat) } folds though there is nothing to pay
violation-POK-4 = { SEAT($seat) } raises once too often in this round

zone-open = open card
zone-hand = hand
fact-points = points
fact-round = round
part-bet-fold = fold
part-bet-call = call
part-bet-raise = raise
