### Hearts in English.

game = Hearts
designer = traditional

command-deal = deal
command-pass = pass
command-play = play

option-deals = deals
option-first_points = points may be played to the first trick

note-dealt = Deal { $deal } of { $of }: every seat gets thirteen cards.
note-hand = { SEAT($seat) } has { CARDS($cards) }.
note-to-pass = { $step ->
    [0] Nobody passes cards.
    [1] Every seat passes three cards to the left.
    [2] Every seat passes three cards across.
   *[other] Every seat passes three cards to the right.
}
note-passed = { SEAT($seat) } passes three cards to { SEAT($to) }.
note-passed-cards = { SEAT($seat) } passes { CARDS($cards) } to { SEAT($to) }.
note-leads-first = { SEAT($seat) } holds ♣2 and leads it.
note-led = { SEAT($seat) } leads { CARD($card) }.
note-followed = { SEAT($seat) } follows suit with { CARD($card) }.
note-discarded = { SEAT($seat) } has nothing of the led suit and plays { CARD($card) }.
note-broken = A heart has been played: hearts may be led from now on.
note-taken = { SEAT($seat) } takes { CARDS($cards) }, { $points ->
    [0] for no points
    [one] for one point
   *[other] for { $points } points
}.
note-moon = { SEAT($seat) } has taken every heart and ♠Q: every other seat has twenty-six points.
note-scored = The deal is over. Points: { POINTS($points) }.
note-won = { SEATS($seats) } { COUNT($seats) ->
    [one] wins
   *[other] share the victory
} with the fewest points.

violation-HEARTS-2 = { SEAT($seat) } passed { CARDS($cards) }, which are not all in the hand
violation-HEARTS-3 = { SEAT($seat) } led { CARD($card) }: the first trick begins with ♣2
violation-HEARTS-4 = { SEAT($seat) } played { CARD($card) }, which is not in the hand
violation-HEARTS-5 = { SEAT($seat) } played { CARD($card) }, but can follow { CARD($led) }
violation-HEARTS-6 = { SEAT($seat) } played { CARD($card) } to the first trick, but has a card without points
violation-HEARTS-7 = { SEAT($seat) } led { CARD($card) }, but no heart has been played yet

zone-hand = hand
zone-passed = to pass
zone-taken = taken
zone-trick = trick
fact-points = points
fact-deal = deal
mark-leads = leads
field-pass-cards = three cards of your hand, ascending
field-play-card = the card of your hand that you play
