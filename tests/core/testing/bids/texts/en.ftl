### Bids in English.

game = Bids

command-bid = bid a card
field-bid-card = the card that is bid

note-bid = { SEAT($seat) } bids.
note-turned-up = { CARDS($cards) } are turned up.
note-won = { SEATS($seats) }: { $points }.

violation-B-1 = { SEAT($seat) } has no { CARD($card) }

zone-hand = hand
zone-bid = bid
zone-played = played
fact-points = points
