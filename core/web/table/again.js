// The same table once more: the same game, options and players. With other people it is a new match that has the keys of
// this one, so that each of them joins with one click; alone, or where a deal is fair, each moves on by one seat.

async function openAgain() {
  const mine = game;
  const { about, rules, match } = mine;
  const here = seatsHere(match);
  const asked = mine.observation.proposals.find(isAskedAgain);
  if (asked) return goOnIn(asked.fork);
  if (here.length && !about.fair && about.seats.some(({ seat, bot }) => bot === null && !here.includes(seat))) return propose("fork", 0);
  const before = (seat) => (seat + about.seats.length - 1) % about.seats.length;
  const seats = about.seats.map((_, seat) => {
    const { name, bot } = about.seats[before(seat)];
    return bot !== null ? botSeat(bot, seat) : here.includes(before(seat)) && !about.fair ? { name } : {};
  });
  const players = about.seats.map((_, seat) => ({ who: here.includes(before(seat)) ? "here" : "link", name: about.seats[before(seat)].name }));
  const body = { game: about.game, seats, options: about.options, public: about.public, turn_limit_ms: about.turn_limit_ms, keep_momentary_notes: about.keep_momentary_notes, fair: about.fair };
  try {
    await once("again", async () => {
      const opened = await request("matches", { body });
      for (const { seat, key } of opened.keys) saveKey(opened.match, rules.title, seat, key);
      if (!opened.keys.length) saveMatch(opened.match, rules.title);
      saveOpenerKey(opened.match, rules.title, opened.opener_key);
      if (about.fair) await joinAll(opened.match, rules.title, players, ({ name }) => name);
      location.hash = `match=${opened.match}`;
    });
  } catch (error) {
    mine.trouble = error.message;
    if (game === mine) drawBar();
  }
}

// A fork without any event of this match is this table again.
function isAskedAgain({ kind, target, state }) {
  return kind === "fork" && target === 0 && state === "accepted" && hasEnded();
}
