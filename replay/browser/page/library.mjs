// What the pages of the site share: the rows of the library, and the engine.

import { load } from "./kifu/kifu.mjs";
import { lang } from "./say.mjs";

export const library = { rows: [], parts: 0, loaded: 0, games: {} };

let loading = null;

// The engine, loaded when something is first asked of it; after a failure it is loaded anew.
export function engine() {
  loading ??= load({ worker: true }).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

export function titleOf({ game }) {
  return library.games[game]?.[lang()] ?? game;
}
