### Mole in English.

game = Mole

command-deal = deal the roles
command-go = go on the mission
field-deal-roles = the roles, of seat 0 first
field-go-helps = whether it helps

note-dealt = The roles are dealt.
note-role = Your role: { CARD($role) }.
note-chosen = { SEAT($seat) } has chosen.
note-mission = The mission was spoiled: { $spoiled }.
note-won = { SEATS($seats) }: { $points }; { CARDS($roles) }.

violation-M-2 = { SEAT($seat) } is loyal

zone-role = role
fact-points = points
fact-spoiled = spoiled missions
part-helps-True = help
part-helps-False = spoil
