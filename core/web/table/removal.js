// Removing a player before the match begins: its opener may, and whoever is removed is told so.

// The players who have come, each with a button to remove it, who may join again: where the table was opened.
function drawPlayersToRemove() {
  const here = seatsHere(game.match);
  const players = game.about.seats.filter(({ seat, name, bot }) => name !== null && bot === null && !here.includes(seat));
  if (!players.length || !saved.matches[game.match]?.opener) return null;
  return el("ul", { class: "removable", "aria-label": say("players-here") }, players.map(({ seat, name }) => el("li", {}, seatName(seat),
    action("remove", () => removePlayer(seat, name), { id: `remove-${seat}`, "aria-label": say("remove-whom", { name }) }))));
}

async function removePlayer(seat, name) {
  await tried(async (mine) => {
    mine.about = await request(`matches/${mine.match}/seats/${seat}`, { key: saved.matches[mine.match].opener, method: "DELETE" });
    Object.assign(mine, { trouble: null, notice: say("removed", { name }) });
    if (game === mine) await refresh();
  });
  document.getElementById("copy-link")?.focus();
}

// Whoever has joined here may go again before the match begins.
const leaveSeats = () => tried(async (mine) => {
  for (const seat of seatsHere(mine.match)) {
    mine.about = await request(`matches/${mine.match}/seats/${seat}`, { key: keyOf(mine.match, seat), method: "DELETE" });
    dropKey(mine.match, seat);
  }
  Object.assign(mine, { viewer: null, trouble: null, notice: say("left") });
  if (game === mine) await startViewing();
});

// A key opens its seat no more. Before the match begins the opener has removed the player, who is told so and may watch.
async function loseSeat(mine, seat) {
  const about = await request(`matches/${mine.match}`).catch(() => null);
  if (game !== mine || mine.viewer !== seat || about?.status !== "open") return false;
  dropKey(mine.match, seat);
  Object.assign(mine, { about, viewer: seatsHere(mine.match)[0] ?? null, trouble: null, notice: say("you-were-removed") });
  await startViewing();
  return true;
}
