// What the page says of trust: how a fair deal stands, the record and its codes.

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
  Object.assign(game, { panel: true, check: null, elsewhere: null, codeAt: null, codeSaid: null });
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
    hostKey === null ? null : say(record.canCheck ? "record-host-signs" : "record-unsigned-here"),
    signsHere(game) ? say("record-you-sign") : game.viewer === null ? null : say("record-you-sign-not"),
  ].filter(Boolean);
  const actions = [
    action("keep-record", () => saveFile("full"), { primary: !hasEnded() }), action("keep-public", () => saveFile("public")),
    hasEnded() ? [action("check-record", runCheck, { primary: true }), action("check-elsewhere", saveForElsewhere)] : null, action("close", closePanel),
  ];
  return el("div", { class: "record-panel" },
    el("p", { class: "status" }, say("record-of", { count: record.entries.length })),
    el("p", {}, say("record-code", { at: moment }), " ", el("code", { id: "moment-code" }, record.code(moment))),
    el("p", { class: "quiet" }, say("record-why")), drawCompare(moment), facts.length ? el("p", { class: "quiet" }, facts.join(" ")) : null,
    game.hostKey?.fingerprint ? el("p", { class: "quiet" }, say("record-host-key"), " ", el("code", { id: "host-key" }, game.hostKey.fingerprint)) : null,
    drawCheck(game.check), game.elsewhere ? drawElsewhere(game.elsewhere) : null, el("div", { class: "actions" }, actions));
}

// Another player's code, told outside of the server: compared, and noted in the record if it is the same.
function drawCompare(moment) {
  const { record } = game;
  const at = el("input", { type: "number", id: "code-at", min: 0, max: record.last, value: moment, "aria-label": say("code-at") });
  at.addEventListener("change", () => { game.codeAt = Number(at.value); drawBar(); });
  const typed = el("input", { type: "text", id: "other-code", maxlength: 60, autocomplete: "off", "aria-label": say("other-code"), placeholder: say("other-code") });
  const form = el("form", { class: "join" }, say("code-at"), " ", at, typed, el("button", { type: "submit", class: "plain", id: "do-compare-code" }, say("compare-code")));
  form.addEventListener("submit", (event) => { event.preventDefault(); compareCode(moment, typed.value); });
  const said = game.codeSaid ? el("p", { class: game.codeSaid === "same" ? "verdict same" : "trouble", role: "status", id: "code-said" }, say(`code-${game.codeSaid}`)) : null;
  const bound = record.compared.map(([each]) => each).sort((one, other) => one - other).join(say("comma"));
  return el("div", {}, form, said, bound ? el("p", { class: "quiet", id: "bound" }, say("record-bound", { what: bound })) : null);
}

async function compareCode(moment, typed) {
  const mine = game;
  const found = await mine.record.agree(moment, typed);
  Object.assign(mine, { codeAt: moment, codeSaid: found === null ? "none" : found ? "same" : "other" });
  if (game === mine) drawBar();
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

// The records of a match whose server does not have it, or does not say so: saved, and the first checked.
async function offerKept(match) {
  const records = await keptRecords(match);
  for (const each of records) saveAs(each, each.name);
  const panel = document.querySelector(".check-files");
  panel.open = true;
  panel.scrollIntoView({ block: "nearest" });
  return checkFiles(document.getElementById("checked"), records.slice(0, 1));
}
