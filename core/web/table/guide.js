// The guide of somebody's first moves in a game: one hint at a time, each about what is on the screen.

const GUIDED_MOVES = 4;

// How many moves of this game were made in this browser under the guide.
function guidedMoves() {
  return saved.guided?.[game.about.game] ?? 0;
}

function isGuided() {
  return guidedMoves() < GUIDED_MOVES;
}

// Note a move, or that the guide is not wanted any more.
function countGuided(moves = guidedMoves() + 1) {
  if (isGuided()) save(({ guided = {} }) => ({ guided: { ...guided, [game.about.game]: moves } }));
}

function drawGuide() {
  if (!isGuided()) return null;
  const refused = game.parts.table.querySelector(".mine .refused") !== null;
  const hint = ["guide-choose", refused ? "guide-why" : "guide-undo", "guide-story", "guide-rules"][guidedMoves()];
  const skip = el("button", { type: "button", class: "link-button", id: "skip-guide", click: () => { countGuided(GUIDED_MOVES); drawBar(); } }, say("guide-skip"));
  return el("p", { class: "quiet guide", id: "first-steps" }, say(hint), " ", skip);
}
