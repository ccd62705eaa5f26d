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
