// What lies under a finger or a pressed button is not redrawn before its click has come: else the click would be lost.

const LONGEST_PRESS_MS = 800;
const CLICK_FOLLOWS_MS = 100; // a touch is told as a click a little later

let press = null;

function beginPress({ button }) {
  if (button !== 0) return; // a menu of the browser may take the end of another
  press?.end();
  let end;
  const ended = new Promise((done) => { end = done; });
  press = { ended, end };
  setTimeout(end, LONGEST_PRESS_MS);
}

function endPress(after) {
  if (press) setTimeout(press.end, after);
}

// Wait until nothing is pressed.
async function released() {
  while (press) {
    const waited = press;
    await waited.ended;
    if (press === waited) press = null;
  }
}

function watchPresses() {
  addEventListener("pointerdown", beginPress, true);
  addEventListener("pointerup", () => endPress(CLICK_FOLLOWS_MS), true);
  addEventListener("pointercancel", () => endPress(0), true);
  addEventListener("click", () => endPress(0), true);
}
