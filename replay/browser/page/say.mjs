// The texts of the site's own pages, in the reader's language.

import { words } from "./words.mjs";

const LANG = "kifu lang";

let shown = preferred();

function preferred() {
  const chosen = [localStorage.getItem(LANG), ...navigator.languages].filter(Boolean).map((each) => ["en", "ja"].indexOf(each.slice(0, 2)));
  return Math.max(chosen.find((each) => each >= 0) ?? 0, 0);
}

export function lang() {
  return shown;
}

export function setLang(next) {
  shown = next;
  localStorage.setItem(LANG, ["en", "ja"][next]);
}

export function say(key, values = {}) {
  return words[key][shown].replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}
