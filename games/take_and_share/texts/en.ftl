### Take & Share in English.

game = Take & Share
begins-deal = Deal { $number }
designer = 山口真功 (Yamaguchi; Kitakyushu board game circle)

command-deal = deal
command-play = play a card
command-share = share
choosing-share = tap the card for { $seat }
chosen-share = { $part } to { $seat }
doing-share = share: { GIVEN($cards) }

## Options

option-first = the seat that leads the first trick
option-deals = how many deals are played, and their points added up; 1 where the game is long
option-long = the long game: deals until somebody has more than 20 points (30 with three players)

## What happens

note-dealt = Deal { $deal }: { $cards } cards to every player, who show them to nobody; on the table, face up, { CARDS($shares) }.
note-hand = { SEAT($seat) } gets { CARDS($cards) }.
note-suits = The suits, from the first: ♠ spades, ♥ hearts, ♦ diamonds, ♣ clubs, ★ stars, ☾ moons.
note-first-lead = The first lead moves on to { SEAT($seat) }.
note-led = { SEAT($seat) } leads { CARD($card) }.
note-followed = { SEAT($seat) } follows suit with { CARD($card) }.
note-free = { SEAT($seat) } has no { $led } and plays { CARD($card) }.
note-taken-highest = { SEAT($seat) } wins the trick: all followed suit, and { CARD($card) } is the highest.
note-taken-lowest = { SEAT($seat) } wins the trick: the suits are mixed, and { CARD($card) } is the lowest.
note-taken-earliest = { SEAT($seat) } wins the trick: the suits are mixed, and of the lowest, { CARDS($equals) }, { CARD($card) } was played first.
note-shared = { SEAT($seat) } shares out, one card to every player: { GIVEN($cards) }.
note-face-down = Each lays the card received face down on their own pile.
note-next-shares = The trick lies ready as the next share cards: { CARDS($cards) }.
note-leads-next = { SEAT($seat) } leads the next trick.
note-last-share = That was the last trick: its cards { CARDS($cards) } are never shared.
note-pile-open = { SEAT($seat) } turns up the cards received: { CARDS($cards) }.
row-scored-suit = Sum of { $suit }
row-scored = Points
note-scored-suit = { $suit } adds up to { POINTS($sums) }. The highest sum scores its cards: { EACH("seat-scores", $seats, $counts) }.
seat-scores = { SEAT($first) } { $second } { $second ->
    [one] point
   *[other] points
}
note-scored = Deal { $deal }, all suits: { POINTS($points) }.
note-long-goes-on = The totals are { POINTS($totals) }: nobody has more than { $goal } yet, so another deal follows.
note-long-ends = The totals are { POINTS($totals) }: more than { $goal }, so that was the last deal.
note-total = After { $deal } of { $deals } deals the totals are { POINTS($totals) }.
note-won = { COUNT($seats) ->
    [one] { SEATS($seats) } wins: { POINTS($points) }
   *[other] { SEATS($seats) } share the victory: { POINTS($points) }
}.

## What a rule forbids

violation-TS-2 = { SEAT($seat) } played { CARD($card) }, which is not in the hand: only a card from the hand may be played
violation-TS-3 = { SEAT($seat) } played { CARD($card) } but holds { CARD($held) }: the led suit { $led } must be followed
violation-TS-8 = { SEAT($seat) } shared { CARDS($cards) }, but the share cards are { CARDS($shares) }: each of them goes to one player

refused-TS-2 = { CARD($card) } is not in your hand: play a card that is
refused-TS-3 = You hold { CARD($held) }: follow { $led }
refused-TS-8 = The share cards are { CARDS($shares) }: give one to each player

## On the table

zone-shares = share cards
zone-never-shared = last trick, never shared
zone-trick = trick
zone-hand = hand
zone-played = played
zone-pile = received
fact-deal = deal
fact-trick = trick
fact-total = points
mark-lead = leads

## The fields of the commands, for players that write them

field-play-card = the card played: its suit (♠ 0, ♥ 1, ♦ 2, ♣ 3, ★ 4, ☾ 5) × 100 + its number
field-share-cards = the share cards in the order of the seats: that for seat 0 first
