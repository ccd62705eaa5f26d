### Gosne is Gone in English.

game = Gosne is Gone
begins-deal = Hand { $number }
designer = Kazuma Suzuki (Tarte Games, 2018)

command-deal = deal
command-give = give your partner two cards
command-declare = declare
command-play = play a card
doing-declare = declare: { CARD($card) } as { $number }

## Options

option-dealer = the seat that deals first
option-whistleblower = whistleblower variant: the Gosne and CEO cards decide the pairs, and the holder of CEO keeps silent
option-alone = what happens where nobody else was dealt CEO
option-alone-three = the holder of the Gosne card plays against three
option-alone-redeal = the cards are dealt again
option-hands = how many hands are played: 1, or 4, as the rulebook suggests, so that everybody deals once
option-chestnuts = the chestnuts drawn on the cards of each rank, as in 4:2,13:3 (X is 0, Gosne 13, CEO 14); the rulebook does not print them, and 1 on a card not named is an assumption of ours

## Buttons

part-number = declare { $number }
part-lay-gun = face up, a gun
part-lay-chestnut = face down, a chestnut
field-number = number
field-gun-true = face up, a gun
field-gun-false = face down, a chestnut

## What happens

note-dealt = { SEAT($dealer) } deals seven cards to every player. Partners: { SEATS($one) } against { SEATS($other) }. Nobody shows the hand or speaks of it, not even to the partner.
note-dealt-whistleblower = { SEAT($dealer) } deals seven of the 30 cards to every player; two stay face down, unseen. Nobody shows the hand or speaks of it.
note-dealt-hand = { SEAT($seat) } gets { CARDS($cards) }.
note-misdeal = Nobody holds the Gosne card: all cards are gathered, and { SEAT($dealer) } deals again.
note-misdeal-alone = { SEAT($seat) } shows the Gosne card and would be alone against three: all cards are gathered, and { SEAT($dealer) } deals again.
note-gosne-shown = { SEAT($seat) } shows the Gosne card and is the first Gosne.
note-hyoju-opposite = Hyoju is { SEAT($hyoju) }, opposite { SEAT($seat) }, whichever pair that is.
note-pairs-secret = { SEAT($seat) } and the holder of the CEO card, who keeps silent, are one pair. Nobody exchanges cards.
note-paired = { SEAT($seat) } was dealt the CEO card. The pairs: { SEATS($one) } against { SEATS($other) }.
note-alone-both = { SEAT($seat) } was dealt the Gosne and the CEO card, and is alone against { SEATS($other) }.
note-alone-unseen = Nobody was dealt the CEO card: { SEAT($seat) } is alone against { SEATS($other) }.
note-hand = Hand { $hand } of { $hands }.
note-chestnuts-assumed = Every card counts as one chestnut.
note-chestnuts-told = The cards { CARDS($cards) } show, in this order, { LIST($counts) } chestnuts, as the players have agreed; every other card shows 1.
note-gave = { SEAT($seat) } gives { SEAT($to) } two cards.
note-gave-cards = { SEAT($seat) } gives { CARDS($cards) } to { SEAT($to) }.
note-first-gosne = Seven tricks follow. { SEAT($seat) } is the first Gosne and { SEAT($hyoju) }, opposite, is Hyoju; the others are prosecutors.
note-declared = { SEAT($seat) } lays a card face down and declares { $number }.
note-declared-card = { SEAT($seat) } lays { CARD($card) } face down and declares { $number }.
note-gun = { SEAT($seat) } plays { CARD($card) } face up: a gun.
note-chestnut = { SEAT($seat) } plays a card face down: a chestnut.
note-chestnut-card = { SEAT($seat) } plays { CARD($card) } face down: a chestnut.
note-turned-up = The chestnuts are turned up. The trick, in the order of play: { CARDS($cards) }.
note-truth = { SEAT($seat) } told the truth: it is { CARD($card) }.
note-lie = { SEAT($seat) } lied: { CARD($card) }, declared as { $number }.
note-lie-forced = { SEAT($seat) } had to lie: { CARD($card) } is above 9 and could only be declared as { $number }.
note-lie-x = { SEAT($seat) } lied: { CARD($card) }, declared as { $number }, is always a lie.
note-lie-gosne = { SEAT($seat) } had to lie: the Gosne card { CARD($card) } could only be declared as { $number }.
note-won-truth = { SEAT($seat) } wins with { CARD($card) }, the { $among ->
    [one] only
   *[other] highest
} chestnut.
note-won-lie = { SEAT($seat) } wins with { CARD($card) }, the { $among ->
    [one] only
   *[other] highest
} gun.
note-won-no-gun = There is no gun: { SEAT($seat) } wins with { CARD($card) }, the highest card.
note-won-prosecutor = Hyoju shot at a truthful Gosne: both lose, and { SEAT($seat) } wins with { CARD($card) }, the { $among ->
    [one] only chestnut of a prosecutor
   *[other] higher of the prosecutors' chestnuts
}.
note-won-prosecutor-gun = Hyoju shot at a truthful Gosne: both lose, and with no chestnut of a prosecutor { SEAT($seat) } wins with { CARD($card) }, the higher of their guns.
note-x-highest = X is the highest of the chestnuts.
note-x-lowest = X is the lowest of the guns.
note-later = Of the equal cards { CARDS($equals) } that of { SEAT($seat) } was played last and wins over the { COUNT($equals) ->
    [2] other
   *[other] others
}.
note-later-x = { CARDS($equals) } are of equal rank, and that of { SEAT($seat) } was played last and wins over the { COUNT($equals) ->
    [2] other
   *[other] others
}.
note-takes = { SEAT($seat) } takes the four cards face down and is the next Gosne.
note-takes-last = { SEAT($seat) } takes the four cards face down: that was the last trick.
note-takes-unseen = { SEAT($seat) } gets the two unseen cards with the last trick.
note-pile-open = { SEAT($seat) } turns up the cards taken, { $chestnuts ->
    [one] one chestnut
   *[other] { $chestnuts } chestnuts
}: { CARDS($cards) }.
note-counted = { SEATS($one) } { COUNT($one) ->
    [one] alone has
   *[other] together have
} { $chestnuts ->
    [one] { $chestnuts } chestnut
   *[other] { $chestnuts } chestnuts
}, { SEATS($other) } together { $chestnuts_other }.
row-pile-open = Chestnuts in the pile
row-scored = Points of the side
note-scored = Each player scores the chestnuts of their side: { POINTS($points) }.
note-next-hand = The points so far: { POINTS($totals) }. { SEAT($dealer) } deals next.
note-all-dealt = All four have dealt. The points: { POINTS($totals) }.
note-tied = { SEATS($seats) } have equally many points and share the victory.
note-won-pair = The pair { SEATS($seats) } wins: { POINTS($points) }.
note-won = { COUNT($seats) ->
    [one] { SEATS($seats) } wins
   *[other] { SEATS($seats) } win
}: { POINTS($points) }.

## What a rule forbids

violation-GOS-2 = { SEAT($seat) } gave { CARDS($cards) }, which are not both in the hand: only cards from the hand may be given
violation-GOS-4 = { SEAT($seat) } laid { CARD($card) } and declared { $number }, but { $held ->
    [no] the card is not in the hand: only a card from the hand may be laid
   *[yes] only the card's number, or half of it rounded down, may be declared
}
violation-GOS-5 = { SEAT($seat) } declared { $number }: only 1 to 9 may be declared
violation-GOS-6 = { SEAT($seat) } played { CARD($card) }, which is not in the hand: only a card from the hand may be played

refused-GOS-2 = You do not hold both of { CARDS($cards) }: give two cards of your hand
refused-GOS-4 = { $held ->
    [no] { CARD($card) } is not in your hand: lay a card that is
   *[yes] { CARD($card) } cannot be declared as { $number }: declare its number, or half of it rounded down
}
refused-GOS-5 = { $number } cannot be declared: declare 1 to 9
refused-GOS-6 = { CARD($card) } is not in your hand: play a card that is

## On the table

zone-trick = trick
zone-unseen = unseen
zone-hand = hand
zone-played = played
zone-last = last trick
zone-gave = gave
zone-got = got
zone-taken = taken
fact-hand = hand
fact-trick = trick
fact-declared = declared
fact-last-declared = declared in the previous trick
fact-points = points
mark-partner = your partner
mark-dealer = dealer
mark-gosne = Gosne
mark-hyoju = Hyoju
mark-prosecutor = prosecutor
mark-gosne-card = was dealt the Gosne card
mark-ceo-card = was dealt the CEO card
mark-gun = gun
mark-chestnut = chestnut

## The fields of the commands, for players that write them

field-give-cards = the two cards given to the partner, ascending
field-declare-card = the card played face down; 0 is X
field-declare-number = the number declared, 1 to 9: that of the card, or half of it
field-play-card = the card played; 0 is X
field-play-gun = true: face up, a gun; false: face down, a chestnut
