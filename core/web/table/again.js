// The same table once more. It is a fork of this match without any of its events, which has its keys, so that each of the
// others joins with one click; where a deal is fair, it is a new match, in which all commit anew.

async function openAgain() {
  const { about, rules, match, observation } = game;
  const asked = observation.proposals.find(isAskedAgain);
  if (asked) return goOnIn(asked.fork);
  if (!about.fair) return propose("fork", 0);
  const here = seatsHere(match);
  const seats = about.seats.map(({ bot, seat }) => (bot === null ? {} : botSeat(bot, seat)));
  const players = about.seats.map(({ seat, name }) => ({ who: here.includes(seat) ? "here" : "link", name }));
  const body = { game: about.game, seats, options: about.options, public: about.public, turn_limit_ms: about.turn_limit_ms, keep_momentary_notes: about.keep_momentary_notes, fair: true };
  return tried(() => openTable(body, rules.title, players, ({ name }) => name));
}

// A fork without any event of this match is this table again.
function isAskedAgain({ kind, target, status }) {
  return kind === "fork" && target === 0 && status === "accepted" && hasEnded();
}
