// What the page says of trust: how a fair deal stands, the record and its codes, the check of a match that is over.

function drawAlarm() {
  const alarm = game.alarm ?? (game.noSecret ? "lost" : null);
  return [alarm ? el("p", { class: "trouble", role: "alert", id: "alarm" }, say(`alarm-${alarm}`)) : null, drawHostKey(), drawChanged()];
}

// Who sits elsewhere or plays otherwise than was told as a seat was taken here: until the user has seen it.
function drawChanged() {
  if (!game.changed?.length) return null;
  const lines = game.changed.map(([seat, name]) => el("p", {}, say("others-changed", { name, seat: seat + 1 }), " ", seatName(seat), game.about.seats[seat]?.bot == null ? "" : ` (${botLabel(game.about.seats[seat].bot)})`));
  const seen = () => { game.changed = []; drawBar(); };
  return el("div", { class: "trouble", role: "status", id: "others-changed" }, lines, el("div", { class: "actions" }, action("host-key-accept", seen, { id: "do-others-seen" })));
}

// That the host has another key than this browser knows: until the user says that it is right.
function drawHostKey() {
  if (!game.hostKey?.before) return null;
  const { fingerprint, before } = game.hostKey;
  const told = fingerprint === null ? say("host-key-gone", { value: before }) : say("host-key-changed", { value: before, what: fingerprint });
  return el("div", { class: "trouble", role: "alert", id: "host-key-changed" }, el("p", {}, told), el("div", { class: "actions" }, action("host-key-accept", acceptHostKey)));
}

// A fair deal that waits for somebody, in plain words.
function drawDeal() {
  const { trust } = game.about;
  const waits = trust.seats.flatMap(({ who, commitment, revealed }, seat) => (who === 0 && (trust.phase === "renewing" ? commitment === null : !revealed) ? [seat] : []));
  const names = seatNames(waits);
  const past = trust.past.map(({ refused }, at) => el("p", { class: "quiet" }, say("deal-failed", { attempt: at + 1 }), " ", seatNames(refused)));
  return el("div", { class: "waiting fair-deal", id: "fair-deal" },
    el("p", { class: "status", role: "status" }, say(`deal-${trust.phase}`), " ", waits.length ? [say("waiting-for"), " ", names] : null,
      trust.deadline_at_ms === null ? null : el("time", { class: "deadline", "data-deadline": trust.deadline_at_ms })),
    el("p", { class: "quiet" }, say(`deal-why-${trust.phase}`)), past);
}

function hasRecord() {
  return Boolean(game.record?.agreed && game.record.entries.length);
}

function openPanel() {
  Object.assign(game, { panel: true, verdict: null, codeAt: null, codeSaid: null });
  drawBar();
}

function closePanel() {
  game.panel = false;
  drawBar();
}

// The record of the viewer: its code, its files, and after the match its check.
function drawRecord() {
  const { record, about: { trust } } = game;
  const { value, isPart, hostKey } = record.agreed;
  const moment = Math.min(game.codeAt ?? record.last, record.last);
  const attempt = Number(value[7]), shared = trust?.shared ?? 0;
  const facts = [
    attempt > 0 ? say(isPart ? "record-fair" : "record-fair-said", { attempt }) : null,
    shared > 0 ? say("record-shared", { count: shared }) : null,
    hostKey === null ? null : say(record.canCheck ? "record-host-signs" : "check-unsigned-here"),
    signsHere(game) ? say("record-you-sign") : game.viewer === null ? null : say("record-you-sign-not"),
  ].filter(Boolean);
  const actions = [
    action("keep-record", () => saveFile("full"), { primary: !hasEnded() }), action("keep-public", () => saveFile("public")),
    hasEnded() ? action("check-record", runCheck, { primary: true }) : null, action("close", closePanel),
  ];
  return el("div", { class: "record-panel" },
    el("p", { class: "status" }, say("record-of", { count: record.entries.length })),
    el("p", {}, say("record-code", { at: moment }), " ", el("code", { id: "moment-code" }, record.code(moment))),
    el("p", { class: "quiet" }, say("record-why")), drawCompare(moment), facts.length ? el("p", { class: "quiet" }, facts.join(" ")) : null,
    game.hostKey?.fingerprint ? el("p", { class: "quiet" }, say("record-host-key"), " ", el("code", { id: "host-key" }, game.hostKey.fingerprint)) : null,
    drawVerdict(), el("div", { class: "actions" }, actions));
}

// Another player's code, told outside of the server: compared, and noted in the record if it is the same.
function drawCompare(moment) {
  const { record } = game;
  const at = el("input", { type: "number", id: "code-at", min: 0, max: record.last, value: moment, "aria-label": say("code-at") });
  at.addEventListener("change", () => { game.codeAt = Number(at.value); drawBar(); });
  const typed = el("input", { type: "text", id: "other-code", maxlength: 60, autocomplete: "off", "aria-label": say("other-code"), placeholder: say("other-code") });
  const form = el("form", { class: "join" }, say("code-at"), " ", at, typed, el("button", { type: "submit", class: "plain", id: "do-compare-code" }, say("compare-code")));
  form.addEventListener("submit", (event) => { event.preventDefault(); compareCode(moment, typed.value); });
  const said = game.codeSaid ? el("p", { class: game.codeSaid === "same" ? "verdict right" : "trouble", role: "status", id: "code-said" }, say(`code-${game.codeSaid}`)) : null;
  const bound = record.compared.map(([each]) => each).sort((one, other) => one - other).join(say("comma"));
  return el("div", {}, form, said, bound ? el("p", { class: "quiet", id: "bound" }, say("record-bound", { what: bound })) : null);
}

async function compareCode(moment, typed) {
  const mine = game;
  const found = await mine.record.agree(moment, typed);
  Object.assign(mine, { codeAt: moment, codeSaid: found === null ? "none" : found ? "same" : "other" });
  if (game === mine) drawBar();
}

function drawVerdict(verdict = game.verdict) {
  if (verdict === null || verdict === undefined) return null;
  const { findings, error, of = "record" } = verdict;
  if (error) return el("p", { class: "trouble", role: "alert" }, error);
  const [right, isWrong] = SAID[of];
  const isOpen = of === "apart";
  const unchecked = [...drawAboutFiles(verdict), of === "pair" ? null : verdict.whole ? drawWhole(verdict) : drawUnchecked(verdict)];
  if (!findings.length) return el("div", { class: isOpen ? "verdict" : "verdict right", role: "status", id: "verdict" }, el("p", {}, say(right)), unchecked);
  const lines = findings.slice(0, 8).map(({ says, seq, message }) => {
    const what = message ?? says.map((each) => say(`check-${CHECKED.get(each) ?? "log"}`)).join(say("semicolon"));
    return el("li", {}, seq === null ? what : say("check-at", { count: seq, what }));
  });
  return el("div", { class: "verdict wrong", role: "alert", id: "verdict" }, el("p", {}, say(isWrong)), el("ul", {}, lines), el("p", { class: "quiet" }, say("check-keep")), unchecked);
}

// What the files cover, whose signatures they are, the moves of others for players who sign, and what of a fork only its
// parent's log can show.
function drawAboutFiles({ of = "record", key, known, first, last, ended, signed, code, bound, proof, shared, played, unsigned, whole }) {
  const covers = [first === null ? null : say("check-covers", { at: first, most: last }), ended && say(`check-${ended.replace(" ", "-")}`), code && key && !unsigned ? say(signed ? "check-signed" : "check-unsigned") : null, unsigned && !whole ? say("check-unsigned-here") : null].filter(Boolean);
  const lines = [covers.join(" "), key ? say(of in ALONE ? "check-key-named" : known ? "check-key-known" : "check-key", { value: key }) : say("check-no-key")];
  if (played) lines.push(say("check-played", { count: played }));
  if (shared) lines.push(say("check-shared", { count: shared }));
  if (bound.length) lines.push(say("record-bound", { what: bound.join(say("comma")) }));
  return [
    proof ? el("p", { class: "proof" }, el("strong", { id: "proof" }, say(known ? "check-proof" : "check-proof-unknown", { value: key }))) : null,
    ...lines.filter(Boolean).map((line) => el("p", { class: "quiet about-files" }, line)),
    code ? el("p", { class: "quiet about-files" }, say("check-code"), " ", el("code", {}, code)) : null,
  ];
}

// What JavaScript by itself has not checked, and the button for the check by the rules.
function drawUnchecked({ checkWhole: run, failed }) {
  const button = el("button", { type: "button", class: "plain", id: "do-check-whole", click: () => { button.disabled = true; button.textContent = say("check-loading"); run(); } }, say("check-whole"));
  return [el("p", { class: "quiet", id: "not-checked" }, say("check-not")), failed ? el("p", { class: "trouble", role: "alert", id: "no-whole" }, failed) : run ? el("p", {}, button) : null];
}

// What the check by the rules covers, and whose page it is.
function drawWhole({ unchecked }) {
  const left = unchecked.length ? el("p", { class: "quiet", id: "not-checked" }, say("check-left"), " ", unchecked.join(say("semicolon"))) : null;
  return [el("p", { class: "quiet", id: "checked-whole" }, say("checked-whole")), left, el("p", { class: "quiet", id: "page-is-hosts" }, say("check-own-folder"))];
}

// What is wrong, as far as there are words for it; the rest is of the log.
const CHECKED = new Map(["fair", "head", "veil", "mark", "told", "missing", "signature", "torn", "pair-mark", "pair-told", "pair-missing", "fork-parent", "fork-head", "fork-keys", "fork-event", "fork-signature"].map((each) => [each, each]));
CHECKED.set("record", "entries");

// What is said of a record and its log, of a log alone, of one and its parent's, of two records: if it is right, and if not.
// A fork of which the shared events were not compared is not called right.
const SAID = Object.fromEntries([["record", "check"], ["log", "check-log"], ["fork", "check-fork"], ["pair", "check-pair"]].map(([of, key]) => [of, [`${key}-right`, `${key}-wrong`]]));
const ALONE = { log: true, fork: true, apart: true }; // without a record
SAID.apart = ["check-fork-open", SAID.fork[1]];

// The check of files that were kept: without their server, which may be gone.
function drawCheckFiles() {
  const said = el("div", {});
  const file = (id, accept) => el("input", { type: "file", id, accept });
  const record = file("check-record-file", ".seat"), log = file("check-log-file", ".log,.seat"), parent = file("check-parent-file", ".log");
  let round = 0; // a verdict is of the files that are chosen now, or is not shown
  const begin = () => { said.replaceChildren(); return (round += 1); };
  for (const each of [record, log, parent]) each.addEventListener("change", begin);
  const run = async () => {
    if (!log.files.length) return log.click();
    const mine = begin();
    const show = (verdict) => { if (mine === round) said.replaceChildren(drawVerdict(verdict)); };
    try {
      const given = await Promise.all([record, log, parent].map(({ files }) => files[0]).map(async (each) => (each ? new Uint8Array(await each.arrayBuffer()) : null)));
      const alone = await checkFiles(...given);
      const whole = () => withRules(alone, ...given).then(show, ({ message }) => show({ ...alone, failed: message }));
      show({ ...alone, checkWhole: whole });
    } catch {
      show({ error: say("check-unreadable") });
    }
    return undefined;
  };
  return el("details", { class: "panel check-files", toggle: () => trustModules() }, el("summary", { id: "check-files" }, say("check-files")), el("p", { class: "quiet" }, say("check-files-why")),
    el("p", {}, el("label", {}, say("check-record-file"), " ", record)), el("p", {}, el("label", {}, say("check-log-file"), " ", log)),
    el("p", {}, el("label", {}, say("check-parent-file"), " ", parent)),
    el("div", { class: "actions" }, el("button", { type: "button", class: "primary", id: "do-check-files", click: run }, say("check-record"))), said);
}

async function runCheck() {
  const mine = game;
  const show = (verdict) => { mine.verdict = verdict; if (game === mine) drawBar(); };
  try {
    const log = await logOf(mine);
    const parent = await parentOf(log);
    const alone = await checkRecord(mine, log, parent);
    const whole = async () => withRules(alone, await recordBytes(mine), log, parent).then(show, ({ message }) => show({ ...alone, failed: message }));
    show({ ...alone, checkWhole: whole });
  } catch (error) {
    show({ error: error.message });
  }
}

const recordName = (match, viewer, form = "full") => `${match}-${viewer ?? "spectator"}${form === "public" ? "-public" : ""}.seat`;

async function saveFile(form) {
  const mine = game;
  saveAs(await recordBytes(mine, form), recordName(mine.match, mine.viewer, form));
}

function saveAs(bytes, name) {
  const link = el("a", { href: URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// The records of a match whose server does not have it, or does not say so: saved, and the first chosen to be checked.
async function offerKept(match) {
  const records = await keptRecords(match);
  for (const each of records) saveAs(each, each.name);
  const chosen = new DataTransfer(), record = document.getElementById("check-record-file");
  chosen.items.add(records[0]);
  record.files = chosen.files;
  record.dispatchEvent(new Event("change"));
  record.closest("details").open = true;
  record.closest("details").scrollIntoView({ block: "nearest" });
}
