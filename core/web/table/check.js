// "Check it": the engine, which is loaded when somebody asks, runs `replay verify` itself in a worker. The page by itself judges
// nothing: without the engine there is no verdict, only the files and the command for another computer.

let engineLoading = null;

function checkingEngine(progress = () => {}) {
  const address = new URL(transport.engine ?? "engine/kifu.js", document.baseURI).href;
  engineLoading ??= import(address).then(({ load }) => load({ worker: true, progress }))
    .catch((error) => { engineLoading = null; throw error; });
  return engineLoading;
}

const isRecord = ({ name }) => name.toLowerCase().endsWith(".seat");
const parted = (files) => [files.filter(isRecord), files.filter((file) => !isRecord(file))]; // records and logs
const bytesOf = async (file) => new Uint8Array(await file.arrayBuffer());

// Judge files as `replay verify` does, or a log alone as `replay audit`. Of two logs one forks the other. `show` gets each stage.
async function judge(files, show) {
  const [records, logs] = await Promise.all(parted(files).map((some) => Promise.all(some.map(bytesOf))));
  const [record = null, other = null] = records;
  let [log = null, parent = null] = logs;
  show({ steps: [0, 1] });
  let engine;
  try {
    engine = await checkingEngine((...steps) => show({ steps }));
  } catch {
    return { unavailable: true };
  }
  show({ steps: null });
  try {
    const lang = LANGS[shown.lang];
    if (parent && !(await engine.isForkFirst(log, parent, { record, lang }))) [log, parent] = [parent, log];
    const verdict = await (record ? engine.verify(record, other ?? log, { lang, parent }) : parent ? engine.verify(log, null, { lang, parent }) : engine.audit(log, { lang }));
    return { verdict, words: await engine.verdictWords(verdict, { lang, host: record ? await hostKnown(verdict.fingerprint) : null }) };
  } catch (error) {
    if (error.name === "KifuError") return { trouble: error.message };
    engineLoading = null; // its worker has failed
    return { unavailable: true };
  }
}

// The name of this server if it signs with a key of this fingerprint, as far as this browser knows.
async function hostKnown(fingerprint) {
  await trustLoaded();
  const known = (await vault.knownHostKeys()).filter((key) => key !== null);
  const fingerprints = await Promise.all(known.map((key) => formulas.fingerprintOf(vault.decode(key))));
  return fingerprints.includes(fingerprint) ? location.host : null;
}

async function runCheck() {
  const mine = game;
  if (mine.check?.steps !== undefined) return; // it is under way
  const show = (check) => update(mine, { check });
  try {
    show({ steps: [0, 1] });
    show(await judge(await ownFiles(mine), show));
  } catch (error) {
    show({ trouble: error.message });
  }
}

// A check: how far it is, its verdict in the words of the command, or why there is none.
function drawCheck(check) {
  if (!check) return null;
  if (check.words) return drawWords(check.words);
  if (check.trouble) return el("p", { class: "trouble", role: "alert", id: "no-check" }, check.trouble);
  if (check.unavailable) return el("p", { class: "trouble", role: "alert", id: "no-check" }, say("check-unavailable"));
  const [done, of] = check.steps ?? [];
  return el("div", { class: "checking", role: "status", id: "checking" }, el("label", {}, say(check.steps ? "check-loading" : "check-running"), " ",
    el("progress", done ? { max: of, value: done } : {})));
}

function drawWords({ ok, partial, verdict, summary, findings, proof, left, facts }) {
  const quiet = (line) => el("p", { class: "quiet about-files" }, line);
  return el("div", { class: `verdict ${partial ? "part" : ok ? "right" : "wrong"}`, role: ok ? "status" : "alert", id: "verdict" },
    el("p", {}, el("strong", {}, verdict), " ", summary),
    findings.length ? el("ul", {}, findings.map(([what, message]) => el("li", {}, el("strong", {}, what, say("colon")), message))) : null,
    proof ? el("p", { class: "proof" }, el("strong", { id: "proof" }, proof)) : null, left.map(quiet), facts.map(quiet),
    transport.overNetwork ? el("p", { class: "quiet", id: "page-is-hosts" }, say("check-own-folder")) : null);
}

function drawElsewhere(files) {
  const quotedName = ({ name }) => (/^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);
  const [records, [log, parent]] = parted(files).map((some) => some.map(quotedName));
  const verb = records.length || parent ? "verify" : "audit";
  const command = ["replay", verb, ...records, records.length && log ? "--against" : null, log, parent ? "--parent" : null, parent].filter(Boolean).join(" ");
  return el("p", { class: "elsewhere", role: "status", id: "elsewhere" }, say("check-elsewhere-how"), " ", el("code", {}, command));
}

// Save the record, the log, and of a fork its parent's log, for a check without this server; show the command.
const saveForElsewhere = () => tried(async (mine) => {
  mine.elsewhere = await ownFiles(mine);
  mine.elsewhere.forEach(saveAs);
});

// Check files by their names: a log, one or two records, a record and its log; of a fork its parent's log, too.
async function checkFiles(said, files) {
  const round = said.round = (said.round ?? 0) + 1; // a verdict is of the files that are chosen now, or is not shown
  const show = (check, ...more) => { if (said.round === round) said.replaceChildren(drawCheck(check), ...more.filter(Boolean)); };
  said.replaceChildren();
  const [records, logs] = parted(files);
  if (!(logs.length ? logs.length <= 2 && records.length <= 1 : records.length === 1 || records.length === 2)) return show({ trouble: say("check-which-files") });
  try {
    const check = await judge(files, show);
    return show(check, check.unavailable ? drawElsewhere(files) : null, check.verdict && files.length === 1 && logs.length ? transport.drawLogActions?.(check.verdict, logs[0]) : null);
  } catch {
    return show({ trouble: say("check-unreadable") });
  }
}

// Where files are chosen, or dropped, to be checked: without their server's log, which may be gone.
function drawCheckFiles(open = false) {
  const said = el("div", { id: "checked" });
  const change = () => { if (input.files.length) checkFiles(said, [...input.files]); };
  const input = el("input", { type: "file", id: "files-to-check", multiple: true, accept: ".log,.seat,.json", change });
  const drop = (event) => { event.preventDefault(); checkFiles(said, [...event.dataTransfer.files]); };
  return el("details", { class: "panel check-files", open, drop, dragover: (event) => event.preventDefault() },
    el("summary", { id: "check-files" }, say("check-files")), el("p", { class: "quiet" }, say("check-files-why")), el("label", {}, say("check-choose"), " ", input), said);
}
