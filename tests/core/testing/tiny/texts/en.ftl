### Tiny in English.

game = Tiny

command-deal = deal
command-peek = peek
command-lay = lay a card

part-peek-yes = peek
part-peek-no = wait

note-dealt = Everybody gets a hand.
note-hand = { SEAT($seat) } gets { CARDS($cards) }.
note-peeks = { SEAT($seat) } peeks at what is left.
note-waits = { SEAT($seat) } does not peek.
note-left = { CARDS($cards) } is one of those left.
note-laid = { SEAT($seat) } lays a card face down.
note-turned-up = { CARDS($cards) } are turned up.
note-won = { SEATS($seats) } wins with { POINTS($points) }.

violation-T-2 = { SEAT($seat) } has said if it peeks
violation-T-3 = { SEAT($seat) } has no { CARD($card) }

zone-hand = hand
zone-laid = laid
fact-points = points

field-peek-peek = whether seat 0 peeks
field-lay-card = the card that is laid
