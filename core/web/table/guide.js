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

// Draw the hint above the table: one stays until the next turn of one's own, so that nothing moves under a finger.
function drawGuide() {
  const { parts: { guide, table }, observation, selection } = game;
  guide.hidden = !isGuided() || observation?.status !== "going" || observation.seat === null || game.curtain;
  if (guide.hidden || (guide.hint && (selection.begun || !isMyTurn(observation)))) return;
  const refused = table.querySelector(".mine .refused") !== null;
  const hint = ["guide-choose", refused ? "guide-why" : "guide-undo", "guide-story", "guide-rules"][guidedMoves()];
  if (guide.hint === hint) return;
  const skip = el("button", { type: "button", class: "icon-button", id: "skip-guide", "aria-label": say("guide-skip"), title: say("guide-skip"), click: () => { countGuided(GUIDED_MOVES); drawGuide(); } }, "×");
  guide.hint = hint;
  guide.replaceChildren(el("span", {}, say(hint)), skip);
}
