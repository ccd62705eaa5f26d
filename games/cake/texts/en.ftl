### Marie's Cake in English.

game = Marie's Cake
begins-deal = Setup
designer = Toshihiro Hachisuka (Toydrop, 2016)

command-deal = deal
command-open = open a pile
command-take = take two cards
command-vote = vote
command-claim = claim a pair
command-settle = keep or eat
choosing-vote = are you content with your pair?
choosing-settle = tap what you eat
doing-open = open pile { NTH($pile) }
doing-vote = vote: { $content ->
    [true] content
   *[false] discontent
}
doing-settle = { COUNT($eat) ->
    [0] keep both, eat nothing
    [one] eat { CARDS($eat) }, keep the other
   *[other] eat both: { CARDS($eat) }
}
field-pile = pile

## Options

option-first = the elder of the first round
option-elder_votes = the elder votes too

## What happens

note-dealt = { $piles } piles of { $size } cards are laid out; the other { $out } cards are out of the game, seen by nobody.
note-rounds = There will be { $rounds } rounds, one for each pile.
note-first-elder = The first elder is { SEAT($seat) }; the youngest brother is { SEAT($youngest) }.
note-opened = Round { $round }: { SEAT($seat) }, the elder, opens pile { NTH($pile) }.
note-looked = { SEAT($seat) } sees { CARDS($cards) } in it.
note-took = { SEAT($seat) } lays two cards face down and hands the rest on to { SEAT($to) }.
note-took-cards = { SEAT($seat) } lays { CARDS($cards) } face down and hands the rest on to { SEAT($to) }.
note-received = { SEAT($seat) } is handed { CARDS($cards) }.
note-youngest = { SEAT($seat) }, the youngest, chooses nothing and gets the last two cards.
note-turned-up = { SEAT($seat) } turns up { CARDS($cards) }.
note-elder-votes = All vote, the elder { SEAT($seat) } too.
note-elder-silent = All vote but the elder { SEAT($seat) }.
note-voted = { SEAT($seat) } has voted.
note-voted-content = { SEAT($seat) } votes: content.
note-voted-discontent = { SEAT($seat) } votes: discontent.
note-votes = { COUNT($discontent) ->
    [0] All votes are in: nobody is discontent.
    [one] All votes are in: { SEATS($discontent) } alone is discontent.
   *[other] All votes are in: { SEATS($discontent) } are discontent.
}
note-disputed = With { $count } discontent, two or more, everybody acquires the pair in front of another, in the order { SEATS($order) }.
note-undisputed = { $count ->
    [0] With nobody discontent
   *[other] With only one discontent
}, everybody acquires their own pair.
note-order = They keep or eat in the order { SEATS($order) }.
note-acquired = { SEAT($seat) } acquires { CARDS($cards) }, their own pair.
note-claimed = { SEAT($seat) } acquires { CARDS($cards) }, the pair in front of { SEAT($owner) }.
note-claimed-own = Only the elder's own pair is left: { SEAT($seat) } acquires { CARDS($cards) }.
note-kept = { SEAT($seat) } keeps { CARDS($cards) }.
note-ate = { SEAT($seat) } eats { CARDS($cards) }.
note-face-down = What is eaten lies face down: only { SEAT($seat) } may look at it again.
note-sated = { SEAT($seat) } has now eaten { $most } cards and may eat no more.
note-next-elder = The youngest of this round, { SEAT($seat) }, is the next elder.
note-scored-kinds = { SEAT($seat) } scores { EACH("kind", $cards, $counts, $scores) }; eaten: { $eaten }. In total { $points }.
kind = { $third } for { $second } of rank { CARD($first) }
note-scored = Final points: { POINTS($points) }.
note-tie-break = { SEATS($tied) } are tied; counting the { CARD($card) }s that they kept, { SEATS($seats) } { COUNT($seats) ->
    [one] is
   *[other] are
} ahead.
note-won = { SEATS($seats) } wins.
note-shared = Still tied, { SEATS($seats) } share the victory.

## What a rule forbids

violation-CAKE-4 = { SEAT($seat) } chose pile { NTH($pile) }, which is already opened: a pile still unopened must be chosen, one of { NTH($unopened) }
violation-CAKE-5 = { SEAT($seat) } took { CARDS($cards) }, but the cards handed on are { CARDS($hand) }: two of these must be taken
violation-CAKE-9 = { SEAT($seat) } claimed the pair in front of { SEAT($owner) }: only those in front of { SEATS($left) } may be claimed
violation-CAKE-12 = { SEAT($seat) } would eat { CARDS($eat) }, but acquired { CARDS($acquired) }: only cards just acquired may be eaten
violation-CAKE-13 = { SEAT($seat) } would eat { CARDS($eat) } and has eaten { $eaten } before: nobody eats more than { $most } in the whole game

refused-CAKE-4 = Pile { NTH($pile) } is open already: choose one of { NTH($unopened) }
refused-CAKE-5 = You were handed { CARDS($hand) }: take two of these
refused-CAKE-9 = You may claim only what lies in front of { SEATS($left) }
refused-CAKE-12 = You have just acquired { CARDS($acquired) }: eat only of these
refused-CAKE-13 = You have eaten { $eaten } already: nobody eats more than { $most } in the whole game

## On the table

zone-piles = piles
zone-out = out of the game
zone-hand = in hand, to choose from
zone-pair = pair
zone-acquired = acquired
zone-kept = kept
zone-eaten = eaten
fact-round = round
fact-points = points
fact-eaten = eaten
mark-elder = elder
mark-voted = has voted
mark-content = content
mark-discontent = discontent
part-vote-content = content
part-vote-discontent = discontent
part-keep-rest = keep the rest

## The fields of the commands, for players that write them

field-open-pile = an unopened pile, counted from 0: one less than the number at it
field-take-cards = the two cards taken, ascending, of those handed to you
field-vote-content = true: content; false: discontent
field-claim-owner = the seat in front of which the pair lies
field-settle-eat = those of the pair just acquired that are eaten, ascending, [] for none; the others are kept
