### The command line in English.

# A match
options = options { $chosen }
recorded = match { $match }, { $started }recorded by { $engine } under rules { $rules }
seen-by = as seen by { $viewer }
step = Step { $seq } of { $of }

# Games and rules
rulings = Ours, where the rulebook is silent
table-rules = What holds for every game
seats-from-to = { $least } to { $most } seats
seats-exactly = { $least } seats
rules-version = rules version { $version }
option = option
command = command
coverage = { $shown } of { $all } rules at work in { $logs } { $logs ->
    [one] log
   *[other] logs
}
steps-count = { $count } { $count ->
    [one] step
   *[other] steps
}
never = never

# Simulated matches
simulated = { $games } { $games ->
    [one] match
   *[other] matches
} of { $title }, { $events } events, in { $folder }
simulated-wins = won: { POINTS($wins) }
simulated-seed = to play them again: --seed { $seed }

# Exports
exported = { $steps } { $steps ->
    [one] step
   *[other] steps
}, seen by { $viewer }, { $size } kB
exported-all = everyone

# When a value changed
when-start = at the start
when-true = comes true
when-false = is true no longer
when-absent = (not there)
when-never = never: { $expression }

# A scrubbed log
scrubbed = { $events } events, fine
scrubbed-shows = { $events } events, shows { $shows }
scrubbed-left = damage of the old log that is not in it: { $what }

# The impact of a change
impact-untouched = untouched
impact-illegal = illegal then, by { $rule }
impact-legal = legal then, refused by { $rule } now
impact-other-rule = refused by another rule then, { $rule }
impact-form = refused then as malformed, or no longer
impact-winner = another winner, or none yet
impact-score = the same winner, another score
impact-noise = the same end by another way
impact-shortest = the shortest, of { $events } events, differs from step { $step }
impact-shortest-start = the shortest, of { $events } events, differs from the start
impact-compared = { $count } { $count ->
    [one] log
   *[other] logs
} compared
impact-others = { $count } of games without this option
impact-skipped = left out
impact-skipped-more = and { $count } more left out

# A shrunken log
shrunk = { $events } of { $before } events, shows { $shows }
parting-rule = { $rule } at work
parting-refused = a command that is legal here and refused there by { $theirs }
parting-accepted = a command that is refused here by { $ours } and legal there
parting-rules = a command that is refused by { $ours } here and by { $theirs } there
parting-fields = a difference in { LIST($names) }
parting-notes = a difference by { LIST($names) }
shrunk-shortest = No match of the same deals is shorter ({ $tries } tried).
shrunk-none = Nothing that is known makes it shorter ({ $tries } tried).
shrunk-tries = The tries ran out at { $tries }: with more --tries it may become shorter.
shrunk-seconds = The seconds ran out after { $tries } tries: with more --seconds it may become shorter.
