// Removing a player before the match begins: its opener may, and whoever is removed is told so.

// The seats of players that the opener of this match, if it was opened in this browser, may remove.
function removable() {
  const free = game.about.seats.some(({ name }) => name === null);
  if (game.about.status !== "open" || !free || !openerKeyOf(game.match)) return [];
  const here = seatsHere(game.match);
  return game.about.seats.filter(({ seat, name, bot }) => name !== null && bot === null && !here.includes(seat));
}

// The players who have come, each with a button to remove it, who may join again; null for who may not.
function drawPlayersToRemove() {
  const players = removable();
  if (!players.length) return null;
  return el("ul", { class: "removable", "aria-label": say("players-here") }, players.map(({ seat, name }) => el("li", {}, seatName(seat),
    action("remove", () => removePlayer(seat, name), { id: `remove-${seat}`, "aria-label": say("remove-whom", { name }) }))));
}

async function removePlayer(seat, name) {
  await tried(async (mine) => {
    mine.about = await request(`matches/${mine.match}/seats/${seat}`, { key: openerKeyOf(mine.match), method: "DELETE" });
    Object.assign(mine, { trouble: null, notice: say("removed", { name }) });
    if (game === mine) await refresh();
  });
  document.getElementById("copy-link")?.focus();
}

// Whoever has joined here may go again before the match begins.
function leaveButton() {
  const here = seatsHere(game.match);
  const mayGo = game.about.status === "open" && game.about.seats.some(({ name }) => name === null) && here.length > 0;
  return mayGo ? action("leave-seat", leaveSeats) : null;
}

const leaveSeats = () => tried(async (mine) => {
  for (const seat of seatsHere(mine.match)) {
    mine.about = await request(`matches/${mine.match}/seats/${seat}`, { key: keyOf(mine.match, seat), method: "DELETE" });
    dropKey(mine.match, seat);
  }
  Object.assign(mine, { viewer: null, trouble: null, notice: say("left") });
  if (game === mine) await startViewing();
});

// What was done to the table, in words, until the next thing is done.
function drawNotice() {
  return game.notice ? el("p", { class: "notice", role: "status" }, game.notice) : null;
}

// A key opens its seat no more. Before the match begins the opener has removed the player, who is told so and may watch.
async function loseSeat(mine, seat) {
  const about = await request(`matches/${mine.match}`).catch(() => null);
  if (game !== mine || mine.viewer !== seat || about?.status !== "open") return false;
  dropKey(mine.match, seat);
  Object.assign(mine, { about, viewer: seatsHere(mine.match)[0] ?? null, trouble: null, notice: say("you-were-removed") });
  await startViewing();
  return true;
}
