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
lesson-facts = { $seats } · { $minutes } minutes · { $difficulty }
lesson-example-key = Left: the step of the match. Right: the number of the rule.
lesson-difficulty-1 = easy to learn
lesson-difficulty-2 = some rules to remember
lesson-difficulty-3 = for people who like card games
coverage = { $shown } of { $all } rules at work in { $logs } { $logs ->
    [one] log
   *[other] logs
}
steps-count = { $count } { $count ->
    [one] step
   *[other] steps
}
never = never

# A new game
new-game-written = { $file }: { $title }; its rules are { $prefix }-1, { $prefix }-2 …
new-game-next = It can be played as it is. Next:

# An audit
audit-fine = fine
audit-wrong = WRONG
audit-unread = ?
audit-no-log = no log
audit-events = { $events } { $events ->
    [one] event
   *[other] events
}
rating-line = { $mu } ({ $low } to { $high }; { $matches } { $matches ->
    [1] match
   *[other] matches
}, { $deals } { $deals ->
    [1] deal
   *[other] deals
})
rating-group = These have met none of the above, nor a common opponent; between the groups there is nothing to compare:
rating-left-out = { $count } { $count ->
    [1] match was
   *[other] matches were
} left out: damaged, without a result, or with a seat without a name.
audit-rewards = rewards { $rewards }
audit-points = points { $points }
audit-won = { COUNT($seats) ->
    [0] nobody wins
   *[other] won by { SEATS($seats) }
}
audit-shared = shared by all seats
audit-unfinished = not finished
audit-unchecked = digests of another layout, not compared
audit-at-event = event { $seq }, { $what }
audit-fair = dealt fairly
audit-host-key = host's key { $key }
audit-played-for = seat { $seat }: { $count } { $count ->
    [one] command was
   *[other] commands were
} given by { $by }, and none is signed
audit-left-out = not checked: { $what }
audit-total = { $logs } logs: { $fine } fine, { $found } with findings

# A seat record

verify-fine = verified
verify-partial = verified in part
verify-covers = events { $first } to { $last }
verify-over = played to the end
verify-by-consent = ended by the consent of all who sign
verify-called-off = ended without a result, and without a consent signed by all who sign
verify-signed = signed by the host
verify-unsigned = not signed by the host
verify-code = code { $code }
verify-proof = What { $host } (key { $key }) has signed contradicts itself: this is proof for anybody.
verify-proof-unknown = What was signed with the key { $key } contradicts itself. It is proof against the host only if that is the host's key.
verify-key = host's key { $key }: { $host }
verify-key-unknown = host's key { $key }: compare it with the one that the host publishes
verify-unchecked = not compared: { $what }
verify-gap = not told: events { $first } to { $last }
verify-by-owner = This is the word of whoever has the files: nobody has signed what contradicts itself.
verify-by-seat = A seat has signed what contradicts itself, and not the host.
verify-attempt = dealt at attempt { $attempt }; said to have refused before: { $seats }
verify-refused = seat { $seat } ({ $times } { $times ->
    [one] time
   *[other] times
})
verify-log-signed = this log: signed by the host
verify-log-unsigned = this log: signed by nobody
verify-public = the public form is in { $file }

# Golden logs
golden-game = { $game }: { $logs } { $logs ->
    [one] log
   *[other] logs
}, { $summary }
golden-count = { $count } { $what }
golden-the-same = the same
golden-different = different
golden-blessed = blessed
golden-unusable = unusable
golden-refused = not stored
golden-due = Old logs are promises. Raise the rules version and write an upcast (docs/change-a-rule.md), or accept this log with --anyway NAME.
golden-stored-first = { $file } stored for the first time
golden-stored-anew = { $file } stored anew

# Two replays, two logs
diff-total = { $logs } { $logs ->
    [one] log
   *[other] logs
}
diff-count = { $count } { $what }
log-diff-header = header { $key }: A { $one }  B { $other }
log-diff-event = event { $seq } differs
log-diff-more = then: { $count } { $count ->
    [one] event
   *[other] events
} more differ
log-diff-end = end: A { $one }  B { $other }
log-diff-none = no difference: { $events } events
log-diff-absent = has no such event
log-diff-over = over
log-diff-abandoned = abandoned
log-diff-open = none

# Simulated matches
simulated = { $games } { $games ->
    [one] match
   *[other] matches
} of { $title }, { $events } events, in { $folder }
tournament-unfinished = without a result, and counted for nobody: { $games }
simulated-seed = to play them again: --seed { $seed }

# Exports
exported = { $steps } { $steps ->
    [one] step
   *[other] steps
}, seen by { $viewer }, { $size } kB
exported-all = everyone

# When a value changed
when-start = at the start
when-true = becomes true
when-false = becomes false
when-absent = (not there)
when-never = never: { $expression }

# An analysis
analyse-head = Chances to win from what each seat knew, over { $pairs } determinizations; ◆ marks what gave much away.
analyse-better = better: { $command }{ $gain ->
    [0] {""}
   *[other] , +{ $gain }
}
analyse-turning-points = Turning points
analyse-no-turning-points = None: no decision gave much away, as far as its seat could know.
analyse-reason-chance = Better: { $command }. It wins { $best } of the time, this { $played }.
analyse-reason-lead = Better: { $command }. It ends further ahead on average.
analyse-reason-points = On average { $seat } then ends with { $best } points instead of { $played }.
analyse-reason-notes = What happened:
analyse-none-better = As far as the seat could know, nothing was clearly better: it wins { $played } of the time.
analyse-not-compared = It cannot be compared: it hangs on what the seat did not know.
analyse-seats = Seats
analyse-seat = { $decisions } { $decisions ->
    [one] decision
   *[other] decisions
}, { $swings } marked, { $lost } % of the chance to win given away each time on average

# An anonymized log
anonymized = { $events } events, fine
anonymized-shows = { $events } events, shows { $shows }
anonymized-left = damage of the old log that is left out: { $what }

# The impact of a change
impact-shortest = the shortest, of { $events } events, differs from step { $step }
impact-shortest-start = the shortest, of { $events } events, differs from the start
impact-shortest-of = the shortest, of { $events } events
impact-compared = { $count } { $count ->
    [one] log
   *[other] logs
} compared
impact-others = { $count } of games without this option
impact-first = { $effect }; first by { $cause }
impact-refused = { $effect }, refused by { $rule }
impact-leak = { $effect }, a leak to { LIST($viewers) }
impact-raised = { $effect }: { $cause }
impact-unreached = { $game }: rules that no log reaches: { $rules }
diff-engines = A: { $ours }  B: { $theirs }
impact-looked = Views, notes, legal commands and refusals were compared in { $looked } of { $steps } steps
impact-fast = --fast: results and refusals alone were compared, and nothing on the way
impact-seek = No log reaches a change. Others may: replay seek { $game } --engine { $python }
impact-same = { $game } is in a file, which both sides play: give its other version, --engine OTHER.py

# A shrunken log
shrunk = { $events } of { $before } events, shows { $shows }
divergence-rule = { $rule } at work
divergence-refused = a command that is legal here and refused there by { $theirs }
divergence-accepted = a command that is refused here by { $ours } and legal there
divergence-fails = a command at which the other engine fails
divergence-rules = a command that is refused by { $ours } here and by { $theirs } there
divergence-fields = a difference in { LIST($names) }
divergence-notes = a difference by { LIST($names) }
shrunk-shortest = No match of the same deals is shorter ({ $tries } tried).
shrunk-none = No known step shortens it further ({ $tries } tried).
shrunk-tries = Stopped after { $tries } tries: with more --tries it may become shorter.
shrunk-seconds = Out of time after { $tries } tries: with more --seconds it may become shorter.

# A search for a difference
seek-parted = the engines part in match { $count }
seek-tries = no difference in { $count } { $count ->
    [one] match
   *[other] matches
}: with more --tries there may be one
seek-seconds = no difference in { $count } { $count ->
    [one] match
   *[other] matches
} until the time was over: with more --seconds there may be one
seek-unreached = rules that no match reached: { $rules }
seek-written = the match: { $file }

# Statistics of many matches
stats-title = { $title }, { $seats } { $seats ->
    [one] seat
   *[other] seats
}
stats-logs = { $logs } { $logs ->
    [one] match
   *[other] matches
}, { $finished } finished{ $others }
stats-abandoned = { $count } abandoned
stats-going-on = { $count } still going on
stats-draws = draws, counted for nobody: { $count }
stats-lost = lost by all: { $count }
stats-shared = { $count } { $count ->
    [one] victory
   *[other] victories
} shared by several seats, counted for each of them
stats-team = team { $team }: won { $count } of { $of }
stats-length-same = Every match has { $least } events.
stats-length = Events of a match: median { $median }, middle half { $lower } to { $upper }, all { $least } to { $most }.
stats-events = events
stats-seat = seat
stats-won = won
stats-rate = rate
stats-sure = 95% interval
stats-low = lower bound
stats-high = upper bound
stats-points = points
stats-mean-points = mean points
stats-least = minimum
stats-quartiles = quartiles
stats-most = maximum
stats-matches = matches
stats-each = steps per match
stats-rule = rule
stats-says = text
stats-left = left out
stats-left-more = and { $count } more left out
stats-charts = { $file }: charts
stats-page-title = Statistics of recorded matches
stats-numbers = The numbers as text
stats-save = Save the chart
stats-save-as = Save as { $kind }
stats-chart-wins = Matches won, by seat
stats-chart-wins-more = of { $matches }; band: 95% interval; dashed: average
stats-chart-points = Points at the end, by seat
stats-chart-points-more = how many matches ended with how many points
stats-chart-lengths = Length of a match
stats-chart-lengths-more = how many matches had how many events
stats-chart-rules = How often each rule was at work
stats-chart-rules-more = steps per match with a note of the rule

# A table of events
table-events = { $file }: { $count } { $count ->
    [one] event
   *[other] events
}
table-matches = { $file }: { $count } { $count ->
    [one] match
   *[other] matches
}

# The stepper
store-check = { $address }: { $count ->
    [one] { $count } match
   *[other] { $count } matches
} checked, { $problems ->
    [0] all whole
    [one] { $problems } with a problem
   *[other] { $problems } with problems
}
store-copy = { $address }: { $count ->
    [one] { $count } match
   *[other] { $count } matches
} copied, { $problems ->
    [0] all whole
    [one] { $problems } not
   *[other] { $problems } not
}
store-expire = { $address }: { $count ->
    [one] { $count } match
   *[other] { $count } matches
} deleted{ $problems ->
    [0] {""}
   *[other] , { $problems } not
}
store-export = { $address }: { $count ->
    [one] { $count } log
   *[other] { $count } logs
} exported, { $problems ->
    [0] all whole
    [one] { $problems } not
   *[other] { $problems } not
}
store-import = { $address }: { $count ->
    [one] { $count } log
   *[other] { $count } logs
} read, { $problems ->
    [0] each imported
    [one] { $problems } refused
   *[other] { $problems } refused
}
store-witness = { $address }: { $count ->
    [one] { $count } running match
   *[other] { $count } running matches
}, { $problems ->
    [0] each ready for newer rules
    [one] { $problems } not ready for newer rules
   *[other] { $problems } not ready for newer rules
}
store-rules = Matches begun under older rules: { $going } would go on, { $ended } would end, { $left } would stay as they are
match-steps = { $count } { $count ->
    [one] step
   *[other] steps
}
match-goes-on = goes on
match-draw = a draw
match-lost = all lose
stepper-logs = The matches
stepper-logs-keys = { $count } matches · Enter opens, Esc quits
stepper-start = Before the first step
stepper-to-act = { SEATS($seats) } { COUNT($seats) ->
    [one] is
   *[other] are
} to act
stepper-narrower = less than the table sees
stepper-narrow = Type to narrow the list down
stepper-sealed = Only what { SEAT($seat) } saw is shown (--as).
stepper-no-rule = No rule is named at this step.
stepper-no-section = Nothing begins in this direction.
stepper-no-wrong = Nothing is wrong in this direction.
stepper-no-step = { $typed }: there is no such step; give 0 to { $last }.
stepper-not-found = { $words }: not found in this direction.
stepper-jump = Jump to step
stepper-search = Search in notes and commands
stepper-key-steps = a step back, forward (hold to run)
stepper-key-sections = a section back, forward
stepper-key-ends = to the start, to the end
stepper-key-jump = jump to a step
stepper-key-search = search in notes and commands
stepper-key-found = previous, next place found
stepper-key-wrong = previous, next violation
stepper-key-seat = view as the next, previous seat
stepper-key-why = the rules of this step
stepper-key-scroll = scroll the notes, the table
stepper-key-help = this help
stepper-key-quit = quit
stepper-help-mouse = With a mouse: click a step, a seat's name, a rule's number, a key in the last line.
stepper-hint-steps = step
stepper-hint-sections = section
stepper-hint-search = search
stepper-hint-seat = seat
stepper-hint-why = rules
stepper-hint-help = help
stepper-hint-quit = quit

# Serving
serves = kifu serves { $store } at { $address } (Ctrl-C to stop)
serves-open = It expects a proxy with TLS before it, as docs/deploy.md describes: strangers must not reach this address.
serves-signed = It signs what players are told: key { $key } ({ $public })

# In place of the stepper
show-as-text = { $why }; shown as text instead

results-bot = player
results-matches = matches
results-won = won (95 %)
results-fair = its part of the seats
results-points = points (95 %)
results-refused = refused answers
results-stood = stood in for

written-site = { $folder }: { $count ->
    [0] a place to play
    [one] 1 match
   *[other] { $count } matches
}, the engine { $size } MB
serve-site = Serve it with any web server, e.g. python3 -m http.server -d { $folder }
left-out-of-site = { $log }: no log of an installed game, left out
game-left-out-of-site = { $package }: not pure Python ({ $file }), its games are left out
site-title = kifu
site-tagline = Matches to step through, judge, and play on. Everything happens in this browser.
site-play = Play
site-search = Search games, players, files, rules
site-state-over = finished
site-state-going = unfinished
site-state-abandoned = abandoned
site-state-broken = with findings
site-won = won
site-events = { $count } events
site-found = { $count } of { $all } matches
site-more = Show more
site-matches = Matches
site-no-matches = There are no matches here. Play one, or drop a file.
site-steps = Step through
site-at-the-table = Open at the table
site-download = Download the log
site-as = Your seat
site-play-on = Play on from here
site-new-version = New version: reload
site-loading = Loading the engine: some seven megabytes the first time …
site-no-engine = The engine could not be loaded:
site-other-tab = A table is open in another tab. It goes on here once that one is closed.
site-unreadable = Kept in this browser, but not readable by this version of kifu, and left as they are:
site-unkept = The last moves are not kept by this browser, download the log of a match that matters. It says:
site-no-room = This browser keeps nothing more, so that the match cannot be handed to another page. It says:

## Who sees what

secrets-title = Who sees what
secrets-none = Everybody sees everything.
secrets-everybody = everybody
secrets-owner = its own seat
secrets-actor = the seat that acts
secrets-nobody = nobody
secrets-hand = by hand: see the game's function { $function }
secrets-others-nothing = the others nothing
secrets-others-size = the others how much there is
secrets-others-whether = the others whether there is something
