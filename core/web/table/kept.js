// What this browser keeps: the keys of the seats that are played here, the player's name, language and light.

const STORE = "kifu";

const kept = (() => {
  try {
    return { name: "", matches: {}, ...JSON.parse(localStorage.getItem(STORE)) };
  } catch {
    return { name: "", matches: {} };
  }
})();

function keep(change) {
  Object.assign(kept, change);
  try {
    localStorage.setItem(STORE, JSON.stringify(kept));
  } catch {
    // a private window may keep nothing: the match goes on while the page is open
  }
}

function keepKey(match, title, seat, key) {
  const known = kept.matches[match] || { title, keys: {} };
  keep({ matches: { ...kept.matches, [match]: { title, keys: { ...known.keys, [seat]: key } } } });
}

// A match without a seat of this browser: one among bots, to be watched.
function keepMatch(match, title) {
  keep({ matches: { ...kept.matches, [match]: { title, keys: {} } } });
}

function forget(match) {
  const { [match]: _, ...others } = kept.matches;
  keep({ matches: others });
}

// The seats of a match that are played in this browser.
function seatsHere(match) {
  return Object.keys(kept.matches[match]?.keys || {}).map(Number).sort((a, b) => a - b);
}

function keyOf(match, seat) {
  return seat === null ? null : kept.matches[match]?.keys[seat] ?? null;
}
