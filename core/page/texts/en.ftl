### The page of a match, in English. `{…}` in quotes is set in by the page.

# Who sees, and what
page-title = { $title }: { $seats }
page-by = design: { $designer }
page-recorded = match { $match }, recorded by { $engine }
page-seen-by = Seen by
page-all-open = the table: all cards open
page-narrower = only what was seen from here
page-language = Language
page-furigana = Furigana
page-needs-script = This page needs JavaScript. It is all in this one file; nothing is loaded from anywhere.

# Steps
page-steps = All steps
page-start = Before the first step
page-step = step { $step } of { $of }
page-to-act = to act
page-first = To the start
page-back-section = One section back
page-back = One step back
page-forward = One step forward
page-forward-section = One section forward
page-last = To the end
page-place = Step

# Score and rules
page-sheet = Score sheet
page-sheet-of = Score sheet of { $title }
page-result = Result
page-winner = winner
page-draw = draw
page-loss = lost
page-unfinished = not finished
page-options = Options of this match
page-rules = Rules
page-rule = rule { $rule }
page-middle = The middle of the table

page-analysis = Analysis
page-analysis-about = How each decision changed the chance to win, judged by what its player knew at that moment, so bad luck is no mistake.
page-turning-points = Turning points
page-no-turning-points = None: no decision gave much away, as far as its seat could know.
page-swing = gave much away
