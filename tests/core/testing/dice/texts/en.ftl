game = Liar's Dice
designer = traditional

command-roll = roll
command-bid = bid
doing-bid = bid { $count } dice of { CARD($face) }
command-call = call

option-dice = dice of each seat

note-rolled = { $count } dice are rolled.
note-dice = { SEAT($seat) } rolls { CARDS($cards) }.
note-bid = { SEAT($seat) } bids { $count } dice of { CARD($card) }.
note-called = { SEAT($seat) } calls: there are { $count } of { CARD($card) }.
note-shows = { SEAT($seat) } shows { CARDS($cards) }.
note-loses = { SEAT($seat) } loses a die.
note-begins = { SEAT($seat) } begins the next round.
note-won = { SEATS($seats) } wins: { POINTS($points) }.

violation-DICE-2 = { SEAT($seat) } bid { $count } of { CARD($card) }, which is not higher, or too high
violation-DICE-3 = { SEAT($seat) } called without a bid

zone-dice = dice
fact-left = dice left
fact-count = bid
fact-face = of face
mark-bid = has bid

part-count = { $number }
part-face = of { $number }
part-call-call = call
field-bid-count = how many dice
field-bid-face = the face
