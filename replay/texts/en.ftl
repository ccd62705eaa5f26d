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

# An audit
audit-fine = fine
audit-wrong = WRONG
audit-no-log = no log
audit-events = { $events } { $events ->
    [one] event
   *[other] events
}
audit-points = points { $points }
audit-won = won by { SEATS($seats) }
audit-unfinished = not finished
audit-unchecked = digests of another layout: not compared
audit-at-event = event { $seq }, { $what }
audit-total = { $logs } logs: { $fine } fine, { $found } with findings

# Golden logs
golden-game = { $game }: { $logs } { $logs ->
    [one] log
   *[other] logs
}, { $told }
golden-count = { $count } { $what }
golden-the-same = the same
golden-different = different
golden-blessed = blessed
golden-unusable = unusable

# Two replays, two logs
diff-total = { $logs } { $logs ->
    [one] log
   *[other] logs
}
diff-count = { $count } { $what }
diff-unusable = unusable
diff-untouched = untouched
diff-noise = noise
diff-score = score
diff-winner = winner
diff-legality = legality
apart-header = header { $key }: A { $one }  B { $other }
apart-event = event { $seq } differs
apart-more = then: { $count } { $count ->
    [one] event
   *[other] events
} more differ
apart-end = end: A { $one }  B { $other }
apart-none = no difference: { $events } events
apart-absent = has no such event
apart-over = over
apart-abandoned = abandoned
apart-open = none

# Simulated matches
simulated = { $games } { $games ->
    [one] match
   *[other] matches
} of { $title }, { $events } events, in { $folder }
simulated-wins = won: { POINTS($wins) }
contest-line = won { $rate } % ({ $low } to { $high }; its part of the seats is { $fair } %), points { $points } ± { $reach }
contest-seat = seat { $seat }
contest-unfinished = without a result, and counted for nobody: { $games }
contest-stood-in = { $bot } failed and was stood in for: { $times } { $times ->
    [one] time
   *[other] times
}
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

# Figures of many matches
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
stats-shared = { $count } { $count ->
    [one] victory
   *[other] victories
} shared by several seats, counted for each of them
stats-length-same = Every match has { $least } events.
stats-length = Events of a match: { $median } in the middle, half of them { $lower } to { $upper }, all { $least } to { $most }.
stats-events = events
stats-match = { $events } events{ $others }
stats-seat = seat
stats-won = won
stats-rate = rate
stats-sure = 95 times of 100
stats-low = at least
stats-high = at most
stats-points = points
stats-mean-points = mean points
stats-mean = mean
stats-least = least
stats-lower = a quarter below
stats-median = median
stats-upper = a quarter above
stats-quartiles = quartiles
stats-most = most
stats-moves = seconds per move
stats-matches = matches
stats-each = steps per match
stats-steps = steps
stats-rule = rule
stats-says = it says
stats-step = step
stats-seen = Cards open to each, of { $cards } at most
stats-left = left out
stats-left-more = and { $count } more left out
stats-charts = { $file }: charts
stats-page-title = Figures of recorded matches
stats-numbers = The numbers as text
stats-chart-wins = Matches won, by seat
stats-chart-wins-more = of { $matches }; band: 95 times of 100; dashed: average
stats-chart-points = Points at the end, by seat
stats-chart-points-more = how many matches ended with how many points
stats-chart-lengths = Length of a match
stats-chart-lengths-more = how many matches had how many events
stats-chart-rules = How often each rule decided
stats-chart-rules-more = steps per match in which it made something so
stats-chart-moves = Time per move, in seconds
stats-chart-moves-more = half of them within the bar, the median at the stroke
stats-chart-score = Score over time
stats-chart-score-more = as the table shows it after each step
stats-chart-seen = Who could see how much, when
stats-chart-seen-more = share of the cards open to each, memory aside
# The stepper
stepper-start = Before the first step
stepper-to-act = { SEATS($seats) } { COUNT($seats) ->
    [one] is
   *[other] are
} to act
stepper-narrower = less than the table shows
stepper-live = live
stepper-ended = ended
stepper-not-in-log = Not in the log: tried in a fork (Esc: back to the log).
stepper-fork-title = { $start ->
    [true] fork from the start: not in the log
   *[other] fork after step { $step }: not in the log
}
stepper-fork = Fork here: which command instead?
stepper-own = as in the log
stepper-choices = { $count } { $count ->
    [one] command
   *[other] commands
}
stepper-narrow = Type to narrow the list down
stepper-over = The game is over here: there is no command to try. Go back a step.
stepper-not-asked = This seat is not asked to act here. See all cards (s) to try the others' commands.
stepper-sealed = Only what { SEAT($seat) } saw is shown: the call said so (--as).
stepper-sealed-fork = A fork would show what { SEAT($seat) } did not see: call replay without --as.
stepper-no-rule = No rule is named at this step.
stepper-no-section = Nothing more begins that way.
stepper-no-turn = No turn begins that way.
stepper-no-trick = No trick begins that way.
stepper-no-round = No round begins that way.
stepper-no-deal = No deal begins that way.
stepper-no-wrong = Nothing is wrong that way.
stepper-no-step = { $said }: there is no such step; give 0 to { $last }.
stepper-no-change = No watched value changes that way.
stepper-not-found = { $words }: not found that way.
stepper-jump = Jump to step
stepper-search = Search what happened
stepper-watch = Watch a value, such as totals[1] or len(hands[0]) (empty: watch none)
stepper-speed = { $speed } steps a second
stepper-key-steps = a step back, forward (hold to run)
stepper-key-sections = a section back, forward
stepper-key-on = the next turn, trick, round, deal
stepper-key-back = the one before
stepper-key-ends = to the start, to the end
stepper-key-jump = jump to a step
stepper-key-play = play, pause
stepper-key-speed = slower, faster
stepper-key-search = search what happened
stepper-key-found = found before, next
stepper-key-wrong = violation before, next
stepper-key-watch = watch a value
stepper-key-changed = its change before, next
stepper-key-seat = see as a seat; next, before
stepper-key-why = the rules of this step
stepper-key-fork = fork: try another command
stepper-key-leave = back from the fork to the log
stepper-key-scroll = scroll the notes, the table
stepper-key-language = the other language
stepper-key-light = light, dark
stepper-key-help = this help
stepper-key-quit = quit
stepper-help-mouse = With a mouse: click a step, a seat's name, a rule's number, a key in the last line; drag along the bar.
stepper-hint-steps = step
stepper-hint-sections = section
stepper-hint-play = play
stepper-hint-search = search
stepper-hint-seat = eyes
stepper-hint-why = rules
stepper-hint-fork = fork
stepper-hint-help = help
stepper-hint-quit = quit

# Serving
serves = kifu serves { $store } at { $address } (Ctrl-C ends it)

# What is wrong with a call
refusal-address-unusable = { $address }: { $why }
refusal-always-the-same = { $text }: it is the same at every step; name one of: { $known }
refusal-cannot-list = { $address }: cannot be listed: { $why }
refusal-cannot-listen = cannot listen at { $host }:{ $port }: { $why }; choose another --port
refusal-no-store = { $store }: there is no such store: see what --store the matches are served from
refusal-cluster-cannot-load = --cluster { $address }: cannot load the work: { $why }; pip install 'kifu[bulk]' there
refusal-cluster-killed = --cluster { $address }: lost every worker that did this work, for want of memory perhaps
refusal-cluster-lost = --cluster { $address }: was lost while it worked
refusal-cluster-no-scheduler = --cluster { $address }: a { $kind } is there; give the address of its scheduler
refusal-cluster-silent = --cluster { $address }: what is there does not answer as Dask does; give the address of a scheduler, not of its dashboard
refusal-cluster-unreached = --cluster { $address }: cannot be reached: { $why }
refusal-cluster-without-kifu = --cluster { $address }: its worker { $worker } has no kifu: pip install 'kifu[bulk]' there
refusal-cluster-without-workers = --cluster { $address }: has no workers: start some, with dask worker
refusal-compare-two = compare two: A B, or A --engine PYTHON; at most two engines
refusal-coverage-with-logs = --coverage and logs go together: replay rules GAME --coverage LOG…
refusal-file-there = { $file }: is there already; give another name
refusal-file-unusable = { $file }: cannot be used: { $why }
refusal-first-or-last = --first and --last are one time each: give one of them, or neither for every time
refusal-follow-address = --follow { $address }: only a file of this machine can be followed; give its path
refusal-follow-as-text = --follow is for the full screen: give it in a terminal, without a pipe or an option for text
refusal-jobs-or-cluster = --jobs are processes of this machine, --cluster others: give one of them
refusal-log-of-other-game = { $file }: a log of { $found }, not of { $game }; give logs of one game
refusal-log-there = { $file }: is there already; give another folder or another seed
refusal-no-difference = there is no difference: nothing to shorten
refusal-no-file-name = { $asked }: this is no file name
refusal-no-golden-logs = no *.log in { $folder }: give a folder of golden logs
refusal-no-kind-of-chart = -o { $file }: charts are written as .html, .svg or .png: give a name that ends so
refusal-no-logs = no *.log in { $folder }: give a log, or a folder that has some
refusal-no-match = { $file }: there is no match in it
refusal-no-option = { $game } has no option { $option }
refusal-no-record = { $file }: is no record of a run; give another folder
refusal-no-seat = --as { $asked }: there is no such seat; give 0 to { $last }, or spectator
refusal-no-seed = --seed { $asked }: a seed is { $digits } hex digits
refusal-no-step = { $option } { $asked }: there is no such step; give 0 to { $last }
refusal-no-step-of = { $option } { $asked }: there is no such step; the log has { $events }, from 0
refusal-no-steps = { $option } { $asked }: there is no such step; the log has none
refusal-no-value = { $text }: there is no '{ $name }'; there are: { $known }
refusal-not-without-seed = { $log }: the match without its seed does not show it; nothing can be shortened
refusal-nothing-between = --from { $first } --to { $last }: nothing lies between; give the lower number first
refusal-nothing-compared = nothing could be compared: { $log }: { $why }
refusal-nothing-counted = nothing could be counted: { $log }: { $why }
refusal-only-with-bots = --jobs, --cluster and --limit go with --bots: without, matches are played in one process
refusal-other-file-there = { $file }: is there already, and is no earlier { $what }; give another name
refusal-a-trace = trace
refusal-an-export = export
refusal-charts = file of charts
refusal-other-log-there = { $file }: is there already, and is no log of this run; give another folder or another seed
refusal-other-run = { $file }: the run in this folder has { $name } { $value }; give another folder
refusal-no-process = no process can be begun to do the work ({ $why }): try --jobs 1
refusal-process-killed = a process that does the work was killed, for want of memory perhaps: try --jobs 1
refusal-refused-here = this engine refuses a command of the log: --rule shortens it, or run replay by the other one
refusal-rule-not-at-work = nothing in the log is refused by { $rule }, and no note is by it: replay audit and show tell what is
refusal-step-or-several = --step is one step, --from and --to are several: give the one or the others
refusal-too-many-bots = --bots { $bots }: { $count } bots for { $seats } seats
refusal-unprintable-bots = --bots { $bots }: some of this cannot be printed; give names of letters and signs
refusal-trace-by-engine = { $file }: a trace is run by no engine; give its log
refusal-trace-no-text = a trace is no text: give a file with -o, or send it into one
refusal-two-games = one is a log of { $one }, the other of { $other }: there is nothing to compare
refusal-what-to-compare = say what to compare with: --option NAME=VALUE or --engine PYTHON, one of them
refusal-what-to-show = say what to show: --rule ID, --option NAME=VALUE or --engine PYTHON, one of them
refusal-worker-differs = worker { $worker } has { $has }, the work is for { $asked }: install the same there
refusal-worker-lacks = worker { $worker } lacks the { $name }, the work is for { $asked }: install the same there

# What is wrong with an expression
refusal-expression-at-end = { $text }: at letter { $letter }, at the end: { $why }
refusal-expression-before = { $text }: at letter { $letter }, before { $met }: { $why }
refusal-no-meaning = this has no meaning here
refusal-end-expected = the expression should end before this
refusal-path-expected = a path, a number or a 'text' is expected here
refusal-number-expected = a whole number of at most { $digits } digits is expected here
refusal-nested = this is nested more than { $depth } deep
refusal-token-expected = { $token } is expected here
refusal-expression-too-long = the expression has { $letters } letters: at most { $most } are read
refusal-no-part = { $text }: there is no '{ $name }' in it; there are: { $known }
refusal-has-none = { $text }: { $value } has no { $what }
refusal-a-place = place { $number }
refusal-a-name = name '{ $name }'
refusal-no-length = len: { $value } has no length
refusal-no-condition = { $value } is no condition: compare it with something
refusal-nothing-in = { $text }: nothing is in { $value }
refusal-no-order = { $text }: { $one } is neither before nor after { $other }
refusal-a-list = a list of { $length }
refusal-a-number = the number { $number }
refusal-a-text = the text { $text }
refusal-a-part = a part

# Files, options, games, bots
refusal-log = { $file }: { $why }; { $hint }
refusal-unwritable = cannot be written: { $why }
refusal-hint-room = make room, and call again
refusal-hint-file = check the name
refusal-hint-header = give a log of this format and an installed game
refusal-hint-audit = replay audit tells more
refusal-option-form = option { $option }: give it as NAME=VALUE
refusal-option-twice = option { $option }: it is given twice
refusal-option-unknown = option { $option }: there is none of this name; there are: { $known }
refusal-option-value = option { $option }: { $value } is no { $kind }
refusal-a-map = map such as 1:2,3:0
refusal-a-bool = true or false
refusal-an-int = whole number
refusal-a-value = value of it
refusal-seats = { $game } takes { $least } to { $most } seats, not { $asked }
refusal-seats-exactly = { $game } takes { $count } seats, not { $asked }
refusal-no-game = game { $game }: not installed; there are: { $known }
refusal-no-bot = bot { $bot }: not installed; there are: { $known }
show-as-text = { $why }; here is the text
refusal-no-rule = game { $game }: no rule { $rule }
refusal-no-site = --origin { $origin } is no site: give it as https://friends.example, with the port if it has one

# Before the verb began
refusal-usage = { $why } ({ $command } --help tells how)
refusal-option-none = { $option }: there is no such option
refusal-option-near = { $option }: there is no such option; perhaps one of: { $known }
refusal-option-needs = { $option }: its value is missing
refusal-option-without = { $option }: it takes no value
refusal-missing = { $what } is missing
refusal-no-verb = { $verb }: there is no such verb; there are: { $known }
refusal-too-much = { $extra }: this is more than the verb takes
refusal-bad-value = { $what }: give { $kind }
refusal-one-of = one of: { $known }
refusal-a-file-name = a file name
refusal-whole-number = a whole number
refusal-whole-number-from = a whole number, { $least } or more
refusal-whole-number-between = a whole number from { $least } to { $most }
refusal-number = a number
refusal-number-between = a number from { $least } to { $most }
refusal-number-from = a number, { $least } or more
refusal-seconds = seconds, { $least } to { $most }
refusal-bug = an error of kifu itself, which its makers would like to hear of: { $error }
