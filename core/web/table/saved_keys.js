// What this browser keeps: the keys of the seats that are played here, the player's name, language and light.

const STORE = "kifu";

const kept = { name: "", matches: {} };

// Read what is kept again: another tab may have kept something since.
function loadKeys() {
  try {
    const { matches, ...others } = JSON.parse(localStorage.getItem(STORE)) || {};
    Object.assign(kept, others, matches && { matches });
  } catch {
    // what cannot be read is not there
  }
}

loadKeys();
addEventListener("storage", ({ key }) => { if (key === STORE) loadKeys(); });

// `change` gives what is new from what is kept now.
function keep(change) {
  loadKeys();
  Object.assign(kept, change(kept));
  try {
    localStorage.setItem(STORE, JSON.stringify(kept));
  } catch {
    // a private window may keep nothing: the match goes on while the page is open
  }
}

function keepKey(match, title, seat, key) {
  keep(({ matches }) => ({ matches: { ...matches, [match]: { title, keys: { ...matches[match]?.keys, [seat]: key } } } }));
}

// A match without a seat of this browser: one among bots, to be watched.
function keepMatch(match, title) {
  keep(({ matches }) => ({ matches: { ...matches, [match]: { title, keys: {} } } }));
}

function forget(match) {
  keep(({ matches: { [match]: _, ...others } }) => ({ matches: others }));
}

// The seats of a match that are played in this browser.
function seatsHere(match) {
  return Object.keys(kept.matches[match]?.keys || {}).map(Number).sort((a, b) => a - b);
}

function keyOf(match, seat) {
  return seat === null ? null : kept.matches[match]?.keys[seat] ?? null;
}
