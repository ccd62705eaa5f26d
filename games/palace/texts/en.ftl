### Palace in English.

game = Palace, the kingdom's architects
begins-deal = Setup
points = { $points } { $points ->
    [one] palace
   *[other] palaces
}
doing-inspect = inspect { OWNED($targets) }: { called-charge }
called-charge = { $charge ->
    [no_red] no red
    [no_yellow] no yellow
    [no_green] no green
    [no_blue] no blue
    [no_pair] no pair
   *[all_colours] all colours
}
doing-quake = cause an earthquake: { NAME($colour) }
owned-one = palace { $number } of { SEAT($seat) }
designer = Toshihiro Hachisuka, developed by Toryo Hojo (Toydrop, 2015)

command-deal = deal
command-draw = draw
command-build = build
command-inspect = inspect
command-quake = cause an earthquake

## Cards

card-0 = red
card-1 = yellow
card-2 = green
card-3 = blue
card-4 = END

## Options

option-first = the seat that has the first turn
option-open_colour = which cards count as open when a colour is named
option-open_colour-seen = all that everybody has seen
option-open_colour-table = only those on the table
option-end_place = where END lies with three seats
option-end_place-about = about a third from the bottom
option-end_place-exact = below exactly 45 cards

## What happens

note-dealt = { $cards } pillars are dealt to every player.
note-hand = { SEAT($seat) } holds { CARDS($cards) }.
note-end-among-last = END is one of the last { $last } cards of the draw pile.
note-end-between = The draw pile is parted into three heaps, A, B and C, and END lies between B and C.
note-end-above = { $above } cards lie above END.
note-end-about = { $least } to { $most } cards lie above END; nobody knows how many.
note-turn = It is { SEAT($seat) }'s turn.
note-must-build = { SEAT($seat) } holds { $held } cards and may only build.
note-drew = { SEAT($seat) } draws a { NAME($card) } pillar.
note-drew-unseen = { SEAT($seat) } draws a card.
note-end-drawn = { SEAT($seat) } draws END: the game is over.
note-built = { SEAT($seat) } builds palace { NTH($palace) } with { $size ->
    [one] one pillar
   *[other] { $size } pillars
}.
note-two-palaces = { SEAT($seat) } had fewer palaces than everyone else, so two at once are allowed.
note-own-palace = Only { SEAT($seat) } may look at palace { NTH($palace) }: { CARDS($cards) }.
note-inspected = { SEAT($seat) } inspects. The charge: { $charge ->
    [no_red] no red
    [no_yellow] no yellow
    [no_green] no green
    [no_blue] no blue
    [no_pair] no pair of one colour
   *[all_colours] all four colours
}.
note-charge-holds = Palace { NTH($palace) } of { SEAT($owner) } shows { CARDS($cards) }: the charge holds, and the palace is not safe.
note-charge-fails = Palace { NTH($palace) } of { SEAT($owner) } shows { CARDS($cards) }: the charge does not hold, and the palace is safe.
note-pulled-down = Palace { NTH($palace) } of { SEAT($owner) } is pulled down; { SEAT($seat) } takes { CARDS($cards) } into hand.
note-verified = Palace { NTH($palace) } of { SEAT($owner) } stays, face up: it is verified, and never inspected again.
note-both-judged = Both palaces were judged under one charge; { $gained ->
    [0] neither is pulled down
    [one] { SEAT($seat) } takes one card in all
   *[other] { SEAT($seat) } takes { $gained } cards in all
}.
note-all-open = All { $total } { NAME($card) } pillars lie open on the table: the colour may not be named.
note-all-seen = All { $total } { NAME($card) } pillars have been seen, { $lying } of them lie on the table: the colour may not be named.
note-seen-not-lying = All { $total } { NAME($card) } pillars have been seen, but only { $lying } lie on the table: the colour may still be named.
note-open-no-more = Only { $lying } of the { $total } { NAME($card) } pillars still lie on the table: the colour may be named again.
note-quaked = { SEAT($seat) } causes an earthquake with { CARDS($cards) }.
note-fell = Palace { NTH($palace) } of { SEAT($owner) } falls: { CARDS($cards) }.
note-nothing-fell = No verified palace has a { NAME($card) } pillar in it: nothing falls.
note-removed = { CARDS($cards) } leave the game.
note-won = { SEATS($seats) } wins with the most palaces: { POINTS($points) }.
note-won-by-hand = More than one has the most palaces ({ POINTS($points) }): of these { SEATS($seats) } wins, with the most cards in hand ({ POINTS($hands) }).
note-victory-shared = { SEATS($seats) } share the victory: they have as many palaces ({ POINTS($points) }) and as many cards in hand ({ POINTS($hands) }).

## What a rule forbids

violation-PAL-5 = { SEAT($seat) } holds { $held } cards at the start of the turn: with five or more only building is allowed
violation-PAL-8 = { SEAT($seat) } built with { $used } { NAME($colour) } pillars but holds { $held }: a palace is built from cards in the hand
violation-PAL-9 = { SEAT($seat) } built two palaces at once: that needs fewer than every other player has (palaces now: { POINTS($palaces) })
violation-PAL-10 = { SEAT($seat) } would inspect palace { NTH($palace) } of { SEAT($owner) }{ $why ->
    [own] {""}: only palaces of other players are inspected
    [verified] , which is verified: it is not inspected again
   *[gone] , which does not stand: only a standing palace can be named
}
violation-PAL-13 = { SEAT($seat) } named { NAME($colour) }, but all { $cards } pillars of it lie open: such a colour may not be named
violation-PAL-14 = { SEAT($seat) } inspected { $palaces } palaces for having no pair: under this charge only one may be inspected
violation-PAL-15 = { SEAT($seat) } inspected { $palaces } palaces for having all colours: under this charge only one may be inspected
violation-PAL-16 = { SEAT($seat) } called an earthquake of { NAME($colour) } but holds { $held } of it: it takes four

refused-PAL-5 = You hold { $held } cards: with five or more you may only build
refused-PAL-8 = Of { NAME($colour) } you hold { $held }, not { $used }: build with cards from your hand
refused-PAL-9 = Two palaces at once need fewer than every other player has (palaces now: { POINTS($palaces) })
refused-PAL-10 = { $why ->
    [own] This palace is your own: inspect those of other players
    [verified] Palace { NTH($palace) } of { SEAT($owner) } is verified: it is not inspected again
   *[gone] Palace { NTH($palace) } of { SEAT($owner) } does not stand: name one that does
}
refused-PAL-13 = All { $cards } pillars of { NAME($colour) } lie open: name another colour
refused-PAL-14 = Under this charge you may inspect one palace, not { $palaces }
refused-PAL-15 = Under this charge you may inspect one palace, not { $palaces }
refused-PAL-16 = Of { NAME($colour) } you hold { $held }: an earthquake takes four

## On the table

zone-pile = draw pile
zone-out = out of the game
zone-hand = hand
zone-palaces = palaces
fact-pile = cards in the pile
fact-palaces = palaces
mark-turn = to play
mark-verified = verified
mark-face-down = face down

part-build-second = a second palace
part-charge-no_red = no red
part-charge-no_yellow = no yellow
part-charge-no_green = no green
part-charge-no_blue = no blue
part-charge-no_pair = no pair
part-charge-all_colours = all colours
part-quake-red = earthquake: red
part-quake-yellow = earthquake: yellow
part-quake-green = earthquake: green
part-quake-blue = earthquake: blue
field-sizes = sizes

## The fields of the commands, for players that write them

field-build-palaces = the cards of each new palace, [[…]] or [[…],[…]]; 0 is red (R), 1 yellow (Y), 2 green (G), 3 blue (B)
field-inspect-charge = what the palaces are charged with: a colour that is missing, no two cards of one colour, or all four
field-inspect-targets = the palaces, one or two, each as [seat, its number counted from 0: one less than the number at it]
field-quake-colour = the colour of the four cards: 0 red, 1 yellow, 2 green, 3 blue
