// Files that were dropped on the page: a log is audited, a seat's record verified, with its log if that came too; of a
// fork the log of the match that it forks may come, too.

import { el } from "./elements.mjs";
import { drawFindings, fill, openDialog, trouble, waiting } from "./dialog.mjs";
import { showLog } from "./match.mjs";
import { lang, say } from "./say.mjs";
import { engine } from "./library.mjs";
import { isJudged, isRecord } from "./judged_files.mjs";

const LANGS = ["en", "ja"];

export async function openJudge(files) {
  if (!files.length) return;
  const body = openDialog(files.map(({ name }) => name).join(", "));
  body.append(waiting("site-judging"));
  try {
    if (!isJudged(files.map(({ name }) => name))) throw new Error(say("site-which-files"));
    const read = await Promise.all(files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
    const records = read.filter(({ name }) => isRecord(name));
    const logs = read.filter((each) => !records.includes(each)).map(({ bytes }) => bytes);
    if (!records.length && logs.length === 1) return await showLog(body, logs[0], read[0].name);
    const against = records[1]?.bytes ?? logs[0] ?? null;
    const verdict = logs.length === 2 ? await judgeFork(records[0]?.bytes, ...logs) : await (await engine()).verify(records[0].bytes, against, { lang: LANGS[lang()] });
    fill(body, drawFindings(verdict, say("site-verified", { first: verdict.first, last: verdict.last })),
      verdict.proof ? el("p", {}, el("strong", { id: "proof" }, say("site-proof", { key: verdict.fingerprint }))) : null,
      verdict.fingerprint ? el("p", { class: "quiet", id: "key" }, say(records.length ? "site-key" : "site-key-named", { key: verdict.fingerprint })) : null,
      verdict.unchecked.length ? el("p", { class: "quiet" }, say("site-not-checked"), " ", verdict.unchecked.join("; ")) : null,
      verdict.code ? el("p", {}, say("site-code"), " ", el("code", {}, verdict.code)) : null,
      against || logs.length ? null : el("p", { class: "quiet" }, say("site-with-log")));
  } catch (error) {
    fill(body, trouble(error));
  }
}

// Hold a fork against its parent, in whatever order they came.
async function judgeFork(record, ...logs) {
  const kifu = await engine();
  const [fork, parent] = (await kifu.isForkFirst(...logs, { record, lang: LANGS[lang()] })) ? logs : logs.reverse();
  return kifu.verify(record ?? fork, record ? fork : null, { lang: LANGS[lang()], parent });
}
