### Reversi in English.

game = Reversi
designer = traditional

command-place = place a disc
command-pass = pass

option-size = spaces along a side

note-set-up = The board is laid out; { SEATS($seats) } have black and white.
note-placed = { SEAT($seat) } places a disc on { $space }.
note-turned = { $count ->
    [one] 1 disc turns
   *[other] { $count } discs turn
} over: { POINTS($points) }.
note-passed = { SEAT($seat) } passes.
note-won = { COUNT($seats) ->
    [one] { SEATS($seats) } wins
   *[other] It is a draw
} with { POINTS($points) }.

violation-REV-2 = { SEAT($seat) } cannot place a disc on { $space }: it encloses nothing there
violation-REV-4 = { SEAT($seat) } passed, but can place a disc

zone-board = board
fact-discs = discs
mark-black = black
mark-white = white
part-pass-turn = pass
field-place-space = the space on which the disc is placed, e.g. d3
field-space = space
