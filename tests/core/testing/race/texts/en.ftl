game = Race
designer = nobody

command-roll = roll
command-run = run

note-rolled = { LIST($dice) } are rolled.
note-runs = { SEAT($seat) } runs { $die } from { $space }.
note-met = { SEAT($seat) } is met and goes back.
note-won = { SEATS($seats) } wins: { POINTS($points) }.

violation-R-2 = { SEAT($seat) } cannot run { $die } from { $space }

zone-track = track
zone-dice = dice
zone-start = start
fact-home = home
part-space = from { $number }
part-die = by { $number }
field-run-space = the space from which the runner runs, 0 for the start
field-run-die = the die by which it runs
