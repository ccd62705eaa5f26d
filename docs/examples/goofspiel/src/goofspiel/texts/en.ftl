### Goofspiel in English.

game = Goofspiel
designer = Merrill Flood

command-deal = shuffle the prizes
command-bid = bid

option-size = prizes
option-order = order of the prizes

note-laid-out = { $count } prizes lie in a row; the first is { CARD($prize) }.
note-bid = { SEAT($seat) } bids face down.
note-taken = The bids are { LAID($cards) }: { SEAT($seat) } takes { CARD($prize) }.
note-tied = The bids are { LAID($cards) }: the highest are equal, and nobody takes { CARD($prize) }.
note-prize = The next prize is { CARD($prize) }.
note-won = { COUNT($seats) ->
    [one] { SEATS($seats) } wins
   *[other] { SEATS($seats) } are level
} with { POINTS($points) }.

violation-GOO-2 = { SEAT($seat) } bid { CARD($card) }, which is not in the hand

zone-prize = to be won
zone-prizes = prizes
zone-hand = hand
zone-bid = bid
zone-shown = bids so far
fact-prize = prize
fact-points = points
field-bid-card = the card of your hand that you bid
