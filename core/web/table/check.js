// "Check it": the engine, which is loaded when somebody asks, runs `replay verify` itself in a worker. The page by itself judges
// nothing: without the engine there is no verdict, only the files and the command for another computer.

let engineLoading = null;
let tellSteps = () => {};

// The engine; `progress` is told how many steps of loading it are done.
function checkingEngine(progress = () => {}) {
  const address = new URL(transport.engine ?? "engine/kifu.js", document.baseURI).href;
  tellSteps = progress;
  engineLoading ??= import(address).then(({ load }) => load({ worker: true, progress: (...steps) => tellSteps(...steps) }))
    .catch((error) => { engineLoading = null; throw error; });
  return engineLoading;
}

// Judge bytes as `replay verify` does, or a log alone as `replay audit`; returns the verdict and its words. Of two logs one
// forks the other. `show` gets each stage of it.
async function judge([record = null, other = null], [log = null, parent = null], show) {
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
  const { vault, formulas } = await trustModules();
  const known = (await vault.knownHostKeys()).filter((key) => key !== null);
  return known.some((key) => formulas.fingerprintOf(vault.decode(key)) === fingerprint) ? location.host : null;
}

async function runCheck() {
  const mine = game;
  if (mine.check?.steps !== undefined) return; // it is under way
  const show = (check) => { mine.check = check; if (game === mine) drawBar(); };
  try {
    show({ steps: [0, 1] });
    const log = await logOf(mine);
    show(await judge([await recordBytes(mine)], [log, await parentOf(log)].filter(Boolean), show));
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

// The command that checks these files on another computer.
function drawElsewhere(names) {
  const [record, log, parent] = names.map((name) => (name === null || /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`));
  const first = record ? ["verify", record, !log || isRecord({ name: names[1] }) ? null : "--against"] : [parent ? "verify" : "audit"];
  const command = ["replay", ...first, log, ...(parent ? ["--parent", parent] : [])].filter(Boolean).join(" ");
  return el("p", { class: "elsewhere", role: "status", id: "elsewhere" }, say("check-elsewhere-how"), " ", el("code", {}, command));
}

// Save the record, the log, and of a fork its parent's log, for a check without this server; show the command.
const saveForElsewhere = () => tried(async (mine) => {
  const { unpack } = await trustModules();
  const log = await logOf(mine), parent = await parentOf(log);
  const names = [recordName(mine.match, mine.viewer), `${mine.match}.log`, parent ? `${forkedFrom(unpack, log)}.log` : null];
  [await recordBytes(mine), log, parent].forEach((bytes, at) => { if (bytes) saveAs(bytes, names[at]); });
  mine.elsewhere = names;
});

const isRecord = ({ name }) => name.toLowerCase().endsWith(".seat");

// Check files by their names: a log, one or two records, a record and its log; of a fork its parent's log, too.
async function checkFiles(said, files) {
  const round = said.round = (said.round ?? 0) + 1; // a verdict is of the files that are chosen now, or is not shown
  const show = (check, ...more) => { if (said.round === round) said.replaceChildren(drawCheck(check), ...more.filter(Boolean)); };
  said.replaceChildren();
  const records = files.filter(isRecord), logs = files.filter((each) => !isRecord(each));
  if (!(logs.length ? logs.length <= 2 && records.length <= 1 : records.length === 1 || records.length === 2)) return show({ trouble: say("check-which-files") });
  try {
    const bytesOf = (some) => Promise.all(some.map(async (file) => new Uint8Array(await file.arrayBuffer())));
    const [kept, told] = [await bytesOf(records), await bytesOf(logs)];
    const check = await judge(kept, told, show);
    const [record, other] = records, [log = other, parent] = logs;
    const isAlone = !record && !parent && check.verdict;
    return show(check, check.unavailable ? drawElsewhere([record, log, parent].map((each) => each?.name ?? null)) : null,
      isAlone ? transport.drawLogActions?.(check.verdict, told[0], log.name) : null);
  } catch {
    return show({ trouble: say("check-unreadable") });
  }
}

// Where files are chosen, or dropped, to be checked: without their server's log, which may be gone.
function drawCheckFiles(open = false) {
  const said = el("div", { id: "checked" });
  const input = el("input", { type: "file", id: "files-to-check", multiple: true, accept: ".log,.seat,.json" });
  input.addEventListener("change", () => { if (input.files.length) checkFiles(said, [...input.files]); });
  const panel = el("details", { class: "panel check-files", open }, el("summary", { id: "check-files" }, say("check-files")), el("p", { class: "quiet" }, say("check-files-why")),
    el("label", {}, say("check-choose"), " ", input), said);
  panel.addEventListener("dragover", (event) => event.preventDefault());
  panel.addEventListener("drop", (event) => { event.preventDefault(); checkFiles(said, [...event.dataTransfer.files]); });
  return panel;
}
