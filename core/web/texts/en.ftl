### What the web says, in English.

problem-rule-violation = The rules forbid that.
problem-option = An option that the game does not take.
problem-not-now = That cannot be done now.
problem-no-game = No such game is played here.
problem-no-match = There is no such match.
problem-conflict = The match has gone on meanwhile.
problem-key-refused = The key is not that of a seat of this match.
problem-store = The store of the matches cannot be used just now.
problem-internal = An error of the server.
problem-malformed = The request is not as described.
problem-no-such-page = There is nothing at this address.
problem-wrong-method = The method is not one that this address takes.
problem-too-large = The body is too large.
problem-not-json = The body must be application/json.
problem-too-many = Too many requests: wait a little.

## The page to play at. `{…}` in quotes is set in by the page.

table-needs-script = This page needs JavaScript.
table-title = Kifu tables
table-tagline = Open a table, and play with friends, with bots, or with both.
table-no-server = The server does not answer.
table-language = Language
table-keys-help = Keyboard: arrows go from card to card, Space chooses, Enter does it, Escape drops the choice.

table-new-match = A new match
table-game = Game
table-how-many = How many play
table-players = { $count } players
table-who-plays = Who plays
table-who-at = Who plays at seat { $seat }
table-name-at = Name at seat { $seat }
table-chair-here = plays at this screen
table-chair-link = joins by link
table-chair-bot = bot: { $bot }
table-player = Player { $seat }
table-options = Options
table-limit = Time for a turn
table-no-limit = as long as one likes
table-seconds = { $seconds } seconds
table-public = in the lobby, for anyone to join or watch
table-open = Open the table

table-your-matches = Your tables
table-no-your-matches = None yet. Those that you open or join stay here, in this browser.
table-public-matches = Public tables
table-no-public-matches = None just now.
table-forget = Forget it, and its keys
table-status-open = seats free
table-status-going = going on
table-status-over = over
table-status-abandoned = abandoned

table-what-happens = What happens
table-part-deal = A new deal
table-part-round = A new round
table-part-trick = A new trick
table-played-by = played by { $by }
table-stand-in = the stand-in
table-wished-by = wished by
table-the-table = the table
table-free-seat = seat { $seat }, free
table-here = here
table-bot = bot
table-absent = absent
table-to-lobby = All tables

table-your-turn = Your turn:
table-waiting-for = Waiting for
table-looking-on = You are looking on.
table-nobody-to-act = Nobody is to act.
table-and = {" and "}
table-comma = {", "}
table-do = { $what }
table-which = Which of these
table-clear = Clear
table-drop = take { $part } out of the choice
table-more = More
table-take-back = Take back my last move
table-abandon = Abandon the match
table-agree = Agree
table-refuse = Refuse
table-wishes-take_back = wishes to take the last move back.
table-wishes-fork = wishes to play on from event { $at } in a new match.
table-wish-refused = What you wished was refused.
table-wishes-abandon = wishes to abandon the match.
table-lost = The connection is lost; trying again …
table-hand-over = Hand over to { $name }
table-curtain = The cards are hidden.
table-curtain-turn = The cards are hidden. It is the turn of
table-curtain-why = Whoever sits down here sees only what their own seat may see.
table-i-am = I am { $name }: show my cards

table-seats-free = Waiting for players: { $count } to come. The match begins when all seats are taken.
table-link = Link to this table
table-copy-link = Copy the link
table-copied = copied
table-your-name = Your name
table-join = Join
table-another-name = Another player here
table-join-too = Joins too
table-win = wins!
table-abandoned = The match was abandoned.
table-get-log = Download the record
