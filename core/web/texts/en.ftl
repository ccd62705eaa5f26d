### Texts of the web, in English.

problem-rule-violation = The rules forbid that.
problem-option = The game does not accept that option.
problem-not-now = That cannot be done now.
problem-no-game = No such game is played here.
problem-no-match = There is no such match.
problem-conflict = The match has gone on meanwhile.
problem-key-refused = The key is not that of a seat of this match.
problem-store = The store cannot be reached just now.
problem-internal = An error of the server.
problem-malformed = The request does not have the described form.
problem-no-such-page = There is nothing at this address.
problem-wrong-method = This address does not accept the method.
problem-too-large = The body is too large.
problem-not-json = The body must be application/json.
problem-too-many = Too many requests: wait a little.
problem-wrong-host = This server does not answer to that name; its operator can allow it with --allow-host.
problem-wrong-origin = Pages of that site may not watch here.
problem-busy = The server is busy: try again at once.

## The page to play at. The page itself sets the values in.

table-needs-script = This page needs JavaScript.
table-title = Kifu tables
table-tagline = Open a table and play with friends, bots, or both.
table-no-server = The server does not answer.
table-language = Language
table-keys-help = Keyboard: arrows go from card to card, Space selects, Enter plays, Escape clears the selection.

table-new-match = A new match
table-game = Game
table-how-many = Number of players
table-players = { $count } players
table-who-plays = Who plays
table-who-at = Who plays at seat { $seat }
table-name-at = Name at seat { $seat }
table-player-here = plays at this screen
table-player-link = joins by link
table-player-bot = bot: { $bot }
table-player = Player { $seat }
table-options = Options
table-seat = seat { $seat }
table-add = Add a line
table-remove = Remove the line
table-key-twice = An option has two lines for { $value }: remove one.
table-limit = Time for a turn
table-no-limit = no limit
table-seconds = { $seconds } seconds
table-public = in the lobby: anyone may join or watch
table-keep-momentary = memory aid: what may be looked at only once stays in the list
table-open = Open the table

table-your-matches = Your tables
table-no-your-matches = None yet. Tables that you open or join are listed here, in this browser.
table-public-matches = Public tables
table-no-public-matches = None right now.
table-forget = Forget it and its keys
table-status-open = seats free
table-status-going = going on
table-status-over = over
table-status-abandoned = abandoned

table-what-happens = What happens
table-played-by = played by { $by }
table-stand-in = the stand-in
table-proposed-by = proposed by
table-the-table = the table
table-free-seat = seat { $seat }, free
table-here = here
table-bot = bot
table-absent = absent
table-to-lobby = All tables

table-your-turn = Your turn:
table-waiting-for = Waiting for
table-spectating = You are a spectator.
table-nobody-to-act = It is nobody's turn.
table-and = {" and "}
table-comma = {", "}
table-do = { $what }
table-which = Choose one
table-more-than-listed = Not every command can be listed here. What has a dashed edge may be selected too; the rules decide whether it is legal.
table-clear = Clear
table-drop = unselect { $part }
table-more = More
table-take-back = Take back my last move
table-abandon = Abandon the match
table-fork = Play on from an earlier event
table-fork-from = Play on from event { $at } in another match. The event before it:
table-fork-why = With the same names and cards; later deals are drawn anew. This match stays as it is.
table-fork-event = First event to be played anew
table-fork-here = Play on from here
table-fork-ask = Propose it to the others
table-forked = Another match plays on from event { $at }.
table-go-there = Go there
table-cancel = Cancel
table-accept = Accept
table-reject = Reject
table-withdraw = Withdraw the proposal
table-proposes-take_back = proposes to take the last move back.
table-proposes-fork = proposes to play on from event { $at } in a new match.
table-proposal-rejected = Your proposal was rejected.
table-proposes-abandon = proposes to abandon the match.
table-lost = Connection lost; trying again …
table-hand-over = Hand over to { $name }
table-curtain = The cards are hidden.
table-curtain-turn = The cards are hidden. To play:
table-curtain-why = Each player sees only what their own seat may see.
table-i-am = I am { $name }: show my cards

table-seats-free = Waiting for players: { $count } to come. The match begins when all seats are taken.
table-link = Link to this table
table-copy-link = Copy the link
table-copied = copied
table-your-name = Your name
table-join = Join
table-another-name = Another player here
table-join-too = Join too
table-win = wins!
table-abandoned = The match was abandoned.
table-step-through = Step through the match
table-get-log = Download the record

## How to play

table-rules = Rules
table-learn = How to play
table-how-to-play = How to play { $what }
table-in-the-rules = Show it in the rules
table-rules-by-number = The rules by number
table-close = Close
table-minutes = { $count } minutes
table-difficulty-1 = easy to learn
table-difficulty-2 = some rules to remember
table-difficulty-3 = for people who like card games
