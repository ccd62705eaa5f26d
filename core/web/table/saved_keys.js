// What this browser saves: the keys of its seats, the player's name, the language.

const STORE = "kifu";

const saved = { name: "", matches: {} };

// Load the saved values anew: another tab may have changed them.
function loadKeys() {
  try {
    const { matches, ...others } = JSON.parse(localStorage.getItem(STORE)) || {};
    Object.assign(saved, others, matches && { matches });
  } catch {
    // unreadable values are ignored
  }
}

loadKeys();
addEventListener("storage", ({ key }) => { if (key === STORE) loadKeys(); });

// Save what `change` makes of the values saved now.
function save(change) {
  loadKeys();
  change(saved);
  try {
    localStorage.setItem(STORE, JSON.stringify(saved));
  } catch {
    // a private window may save nothing: the match goes on while the page is open
  }
}

// Save a match that was opened here, though nobody may play it at this screen; with a key, who may.
function saveMatch(match, title, keys = {}) {
  save(({ matches }) => { matches[match] = { title, keys: { ...matches[match]?.keys, ...keys } }; });
}

function dropKey(match, seat) {
  save(({ matches }) => { delete matches[match]?.keys[seat]; });
}

function forget(match) {
  save(({ matches }) => { delete matches[match]; });
}

function seatsHere(match) {
  return Object.keys(saved.matches[match]?.keys || {}).map(Number).sort((a, b) => a - b);
}

function keyOf(match, seat) {
  return seat === null ? null : saved.matches[match]?.keys[seat] ?? null;
}
