### Pits in English.

game = Pits

command-sow = sow a pit
field-sow-pit = the pit that is sown

note-laid-out = Two seeds lie in each pit.
note-sown = { SEAT($seat) } sows pit { $number }.
note-taken = The last seed of pit { $number } is { SEAT($seat) }'s.
note-won = { SEATS($seats) }: { $points }.

violation-P-2 = { SEAT($seat) } cannot sow pit { $pit }

zone-pits = pits
fact-points = points
