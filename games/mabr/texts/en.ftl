### MABR in English.

game = MABR, the sparkle of marble
begins-round = Round { $number }
begins-deal = Setup
designer = Tsukue Games (2016)

command-deal = lay out the stacks
command-draw = draw by an abbreviation
command-word = declare a word
command-swap = swap a card
command-judge = judge
command-conceal = lay the cards down
command-pass = pass
doing-draw = draw by { $abbreviation }
doing-word = declare { $word }: { NUMBERED($word, $cards) }
numbered = { $item } (card { $number })
unnumbered = { $item } (fixed)
doing-swap = swap card { NTH($place) } for card { NTH($other) } of { SEAT($seat) }

## Options

option-first = the seat that has the first turn
option-judge = who judges abbreviations and words
option-judge-lexicon = the word list
option-judge-table = the other seats
option-lexicon = the name of the word list
option-min_word = the fewest kana a word may have
option-pass = when a seat may pass from the second round on
option-pass-stuck = where it can draw nothing
option-pass-free = always
option-idle_rounds = after so many rounds in which nobody draws a card or completes a word the game ends; 0: it goes on
option-pass_after_void = whether a seat may pass in the first round, too, after the others voided its declaration

## What happens

note-laid-out = The fixed cards { CARDS($cards) } lie face up; the other letters are { $stacks } shuffled stacks, letter side up.
note-goal = With { $seats } players the goal is { $goal } points.
note-first-round = In the first round every player draws; { SEAT($seat) } begins.
note-free-choice = From now on a turn is a draw, a word or a swap; it is { SEAT($seat) }'s turn.
note-free-pass = As agreed, a turn may be passed from now on, too.
note-abbreviation = { SEAT($seat) } declares { $abbreviation }.
note-drew = { SEAT($seat) } takes the top cards of { LIST($letters) }, which become { COUNT($places) ->
    [one] card
   *[other] cards
} { NTH($places) } of the row.
note-looks = { SEAT($seat) } looks at { CARDS($cards) }; the turn ends when what lies open is laid down.
note-word = { SEAT($seat) } declares { $word }: { NUMBERED($word, $cards) }.
note-full-size = Small kana are laid with the full-size cards: { CARDS($cards) }.
note-also-uses = { CARDS($cards) }, fixed or already face up, { COUNT($cards) ->
    [one] is used too and scores
   *[other] are used too and score
} nothing.
note-right = { $word } is complete: { CARDS($cards) } { COUNT($cards) ->
    [one] stays face up and brings
   *[other] stay face up and bring
} { $points ->
    [one] { $points } point
   *[other] { $points } points
}; { SEAT($seat) } now has { $score }.
note-wrong = { $word } does not hold: { CARD($card) } was said to be { CARD($said) }. { CARDS($cards) } { COUNT($cards) ->
    [one] is shown to all, scores nothing and goes
   *[other] are shown to all, score nothing and go
} back face down.
note-reached = { SEAT($seat) } has { $score } points and reaches the goal of { $goal }.
note-goal-word = The word that reaches the goal needs at least four kana: { $word } has { $letters }.
note-last-turns = One more turn for { SEATS($seats) }, then the game ends.
note-last-turn-over = Everybody else has had the one turn after { SEAT($seat) } reached the goal: the game is over.
note-swapped = { SEAT($seat) } swaps card { NTH($place) }, a { $letter }, for card { NTH($at) } of { SEAT($other) }, a { $letter } too.
note-places-stay = Only the kana change hands: the cards of a row keep their numbers.
note-concealed = { SEAT($seat) } lays { $count ->
    [one] the card down; no looking at it again
   *[other] the { $count } cards down; no looking at them again
}.
note-passed = { SEAT($seat) } passes.
note-all-passed = Every player's last turn was a pass: the game is over.
note-idle = { $rounds ->
    [one] For a whole round
   *[other] For { $rounds } rounds
} nobody has drawn a card or completed a word: the game is over.
note-judged = { SEAT($seat) } has judged.
note-accepted = { $declared } is accepted: { COUNT($object) ->
    [0] nobody objects
   *[other] { SEATS($object) } { COUNT($object) ->
        [one] objects
       *[other] object
    }, not more than half
}.
note-void = { $declared } is void: { SEATS($object) } { COUNT($object) ->
    [one] objects and judges alone
   *[other] object, more than half
}. { SEAT($seat) } chooses again.
note-level = { SEATS($seats) } are level at { $points } points: the fewer face-up cards decide, { POINTS($counts) }.
note-won = { COUNT($seats) ->
    [one] { SEATS($seats) } wins: { POINTS($points) }
   *[other] { SEATS($seats) } share the victory: { POINTS($points) }
}.

## What a rule forbids

violation-MABR-2 = { SEAT($seat) } cannot do that in the first round: every player draws
violation-MABR-4 = { SEAT($seat) } declared { $abbreviation }, but the stack { $letter } has too few cards: { $left } left
violation-MABR-5 = { SEAT($seat) } declared { $abbreviation }, which has been used in this game already
violation-MABR-7 = { $how ->
    [place] { SEAT($seat) } named card { NTH($card) }, which is not there
    [twice] { SEAT($seat) } named the card { NTH($card) } twice: each card may be used once
    [letter] { SEAT($seat) } said that card { NTH($card) } is { $kana }, but its letter is { $letter }
   *[none] { SEAT($seat) } declared { $word }, which turns up no face-down card: at least one is required
}
violation-MABR-8 = { SEAT($seat) } said that the card { NTH($card) } is { $kana }, but it shows { $shows }
violation-MABR-10 = { $how ->
    [own] { SEAT($seat) } would swap with the own row: a swap is with another player
    [place] { SEAT($seat) } named card { NTH($place) } of { SEAT($whose) }, which is not there
    [face-up] { SEAT($seat) } named card { NTH($place) } of { SEAT($whose) }, which lies face up: only face-down cards are swapped
   *[letter] { SEAT($seat) } would swap { $mine } for { $theirs }: only cards of the same letter are swapped
}
violation-MABR-12 = { SEAT($seat) } would reach the goal of { $goal } with { $word }: the word that reaches it has at least four kana
violation-MABR-R1 = { SEAT($seat) } declared { $abbreviation }, but { $letter } has no stack: only letters of stacks can be declared
violation-MABR-R2 = { SEAT($seat) } declared { $abbreviation }: an abbreviation has at least two letters
violation-MABR-R3 = { $how ->
    [kana] { SEAT($seat) } declared { $word }, but { $kana } is on no card
   *[short] { SEAT($seat) } declared { $word }: a word has at least { $least } kana
}
violation-MABR-R5 = { $visible ->
    [0] { SEAT($seat) } has nothing to lay down
   *[other] { SEAT($seat) } has visible cards: they must be laid down first, which ends the turn
}
violation-MABR-R6 = { SEAT($seat) } passed, although an abbreviation can still be drawn
violation-MABR-R7 = { SEAT($seat) } declared { $declared }, which is not in the word list { $lexicon }

refused-MABR-2 = In the first round every player draws: declare an abbreviation
refused-MABR-4 = The stack { $letter } has too few cards for { $abbreviation }: { $left } left
refused-MABR-5 = { $abbreviation } has been used in this game already
refused-MABR-7 = { $how ->
    [place] There is no card { NTH($card) }
    [twice] You name card { NTH($card) } twice: use each card once
    [letter] Card { NTH($card) } has the letter { $letter }: it cannot be { $kana }
   *[none] { $word } turns up no face-down card of yours: it must turn up at least one
}
refused-MABR-8 = Card { NTH($card) } shows { $shows }: it cannot be { $kana }
refused-MABR-10 = { $how ->
    [own] Both cards are your own: swap with another player
    [place] { SEAT($whose) } has no card { NTH($place) }
    [face-up] Card { NTH($place) } of { SEAT($whose) } lies face up: only face-down cards are swapped
   *[letter] { $mine } cannot be swapped for { $theirs }: only cards of the same letter are swapped
}
refused-MABR-12 = { $word } would reach the goal of { $goal }: the word that does so has at least four kana
refused-MABR-R1 = { $letter } has no stack: { $abbreviation } cannot be drawn
refused-MABR-R2 = { $abbreviation } is too short: an abbreviation has at least two letters
refused-MABR-R3 = { $how ->
    [kana] { $kana } is on no card
   *[short] { $word } is too short: a word has at least { $least } kana
}
refused-MABR-R5 = { $visible ->
    [0] You have nothing to lay down
   *[other] Your cards lie open: lay them down first, which ends your turn
}
refused-MABR-R6 = You cannot pass: an abbreviation can still be drawn
refused-MABR-R7 = { $declared } is not in the word list

## On the table

zone-fixed = fixed cards
zone-stacks = stacks
zone-row = row
fact-round = round
fact-goal = goal
fact-used = used
fact-idle = turns without a draw or a word
fact-abbreviation = declared abbreviation
fact-word = declared word
fact-score = points
mark-turn = to play
mark-judged = has judged
mark-reached = reached the goal
mark-looked-at = looked at
mark-shown = shown to all
mark-face-down = face down
mark-declared = declared
field-stacks = stacks
field-abbreviation = abbreviation
field-word = word
field-cards = cards
field-place = own place
field-other = place
part-judge-accept = accept
part-judge-object = object
part-turn-conceal = lay the cards down
part-turn-pass = pass

## The fields of the commands, for players that write them

field-draw-abbreviation = its letters in order, one card of each stack
field-word-word = the word in hiragana
field-word-cards = for each kana in order its card: a card of your row, counted from 0, or the letter of a fixed card
field-swap-place = your face-down card, counted from 0: one less than the number at it
field-swap-seat = the other seat
field-swap-other = the card of the same letter in its row, counted from 0: one less than the number at it
field-judge-accept = only where `judge` is "table": true: the declaration stands; false: you object
