// The texts of the site's own pages, in the reader's language.

import { words } from "./words.mjs";

const STORE = "kifu"; // that of the table page: a language chosen on one page is that of the other
const LANGS = ["en", "ja"];

let shown = preferred();

function preferred() {
  const chosen = [saved().lang, ...navigator.languages].filter(Boolean).map((each) => LANGS.indexOf(each.slice(0, 2)));
  return Math.max(chosen.find((each) => each >= 0) ?? 0, 0);
}

function saved() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {}; // a browser that keeps nothing
  }
}

export function lang() {
  return shown;
}

export function setLang(next) {
  shown = next;
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...saved(), lang: LANGS[next] }));
  } catch {
    // it lasts as long as the page
  }
}

export function say(key, values = {}) {
  return words[key][shown].replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}
