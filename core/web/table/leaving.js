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
