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

// Save the values that `change` returns, given those saved now.
function save(change) {
  loadKeys();
  Object.assign(saved, change(saved));
  try {
    localStorage.setItem(STORE, JSON.stringify(saved));
  } catch {
    // a private window may save nothing: the match goes on while the page is open
  }
}

function saveKey(match, title, seat, key) {
  save(({ matches }) => ({ matches: { ...matches, [match]: { ...matches[match], title, keys: { ...matches[match]?.keys, [seat]: key } } } }));
}

function dropKey(match, seat) {
  save(({ matches }) => {
    const { [seat]: _, ...keys } = matches[match]?.keys ?? {};
    return { matches: { ...matches, [match]: { ...matches[match], keys } } };
  });
}

// Save a match that was opened here, though nobody may play it at this screen.
function saveMatch(match, title) {
  save(({ matches }) => ({ matches: { ...matches, [match]: { title, keys: {} } } }));
}

function forget(match) {
  save(({ matches: { [match]: _, ...others } }) => ({ matches: others }));
}

function seatsHere(match) {
  return Object.keys(saved.matches[match]?.keys || {}).map(Number).sort((a, b) => a - b);
}

function keyOf(match, seat) {
  return seat === null ? null : saved.matches[match]?.keys[seat] ?? null;
}
