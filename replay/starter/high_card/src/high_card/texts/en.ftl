### High Card in English.

game = High Card
designer = traditional

command-deal = deal
command-lay = lay a card

option-hand = cards dealt to each seat

note-dealt = { $cards } cards are dealt to every seat.
note-hand = { SEAT($seat) } gets { CARDS($cards) }.
note-laid = { SEAT($seat) } lays a card face down.
note-turned-up = All cards are turned up, { LAID($cards) }: { CARD($card) } is the highest, and { SEAT($seat) } scores.
note-won = { SEATS($seats) } { COUNT($seats) ->
    [one] wins
   *[other] share the victory
} with { POINTS($points) }.

violation-HC-2 = { SEAT($seat) } laid { CARD($card) }, which is not in the hand

zone-hands = hand
zone-laid = laid
zone-turned = turned up
zone-rest = nobody has them
fact-points = points
field-lay-card = the card of your hand that you lay
