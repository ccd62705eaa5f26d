// What lies under a finger or a pressed button is not redrawn before its click has come: else the click would be lost.

const LONGEST_PRESS_MS = 1500;
const CLICK_FOLLOWS_MS = 100; // a touch is told as a click a little later

let press = null;

function beginPress({ button }) {
  if (button !== 0) return; // a menu of the browser may take the end of another
  endPress(press);
  let end;
  const ended = new Promise((done) => { end = done; });
  press = { ended, end };
  setTimeout(endPress, LONGEST_PRESS_MS, press);
}

// From the click on one may draw; who waits does so until what the click does by itself is done, too.
function endPress(ending) {
  if (press === ending) press = null;
  if (ending) setTimeout(ending.end, 0);
}

// Wait until nothing is pressed.
async function released() {
  while (press) await press.ended;
}

function watchPresses() {
  addEventListener("pointerdown", beginPress, true);
  addEventListener("pointerup", () => setTimeout(endPress, CLICK_FOLLOWS_MS, press), true);
  for (const name of ["pointercancel", "click"]) addEventListener(name, () => endPress(press), true);
}
