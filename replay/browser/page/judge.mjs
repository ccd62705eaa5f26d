// Files that were dropped on the page: a log is audited, a seat's record verified, with its log if that came too.

import { el } from "./elements.mjs";
import { drawFindings, fill, openDialog, trouble, waiting } from "./dialog.mjs";
import { showLog } from "./match.mjs";
import { lang, say } from "./say.mjs";
import { engine } from "./library.mjs";

const LANGS = ["en", "ja"];

export async function openJudge(files) {
  if (!files.length) return;
  const body = openDialog(files.map(({ name }) => name).join(", "));
  body.append(waiting("site-judging"));
  try {
    const read = await Promise.all(files.slice(0, 2).map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
    const records = read.filter(({ name }) => name.endsWith(".seat"));
    if (!records.length) return await showLog(body, read[0].bytes, read[0].name);
    const against = read.find((each) => each !== records[0]);
    const verdict = await (await engine()).verify(records[0].bytes, against?.bytes ?? null, { lang: LANGS[lang()] });
    fill(body, drawFindings(verdict, say("site-verified", { first: verdict.first, last: verdict.last })),
      verdict.unchecked.length ? el("p", { class: "quiet" }, say("site-not-checked"), " ", verdict.unchecked.join("; ")) : null,
      verdict.code ? el("p", {}, say("site-code"), " ", el("code", {}, verdict.code)) : null,
      against ? null : el("p", { class: "quiet" }, say("site-with-log")));
  } catch (error) {
    fill(body, trouble(error));
  }
}
