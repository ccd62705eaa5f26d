// What the page says of trust: how a fair deal stands, the record and its codes.

function drawAlarm() {
  const alarm = game.alarm ?? (game.noSecret ? "lost" : null);
  return [alarm ? el("p", { class: "trouble", role: "alert", id: "alarm" }, say(`alarm-${alarm}`)) : null, drawHostKey(), drawChanged()];
}

// Who sits elsewhere or plays otherwise than was told as a seat was taken here: until the user has seen it.
function drawChanged() {
  if (!game.changed?.length) return null;
  const lines = game.changed.map(([seat, name]) => el("p", {}, say("others-changed", { name, seat: seat + 1 }), " ", seatName(seat), game.about.seats[seat]?.bot == null ? "" : ` (${botLabel(game.about.seats[seat].bot)})`));
  return drawUnseen("others-changed", lines, "do-others-seen", () => update(game, { changed: [] }));
}

function drawUnseen(id, lines, accept, seen) {
  return el("div", { class: "trouble", role: "alert", id }, lines, el("div", { class: "actions" }, action("host-key-accept", seen, { id: accept })));
}

// That the host has another key than this browser knows: until the user says that it is right.
function drawHostKey() {
  if (!game.hostKey?.before) return null;
  const { key, fingerprint, before } = game.hostKey;
  const told = fingerprint === null ? say("host-key-gone", { value: before }) : say("host-key-changed", { value: before, what: fingerprint });
  const accept = () => tried(async (mine) => {
    await vault.knowHostKey(mine.match, key);
    mine.hostKey = { key, fingerprint, before: null };
  });
  return drawUnseen("host-key-changed", el("p", {}, told), "do-host-key-accept", accept);
}

// A fair deal that waits for somebody, in plain words.
function drawDeal() {
  const { trust } = game.about;
  const waits = trust.seats.flatMap(({ who, commitment, revealed }, seat) => (who === 0 && (trust.phase === "renewing" ? commitment === null : !revealed) ? [seat] : []));
  const past = trust.past.map(({ refused }, at) => el("p", { class: "quiet" }, say("deal-failed", { attempt: at + 1 }), " ", seatNames(refused)));
  return el("div", { class: "waiting fair-deal", id: "fair-deal" },
    el("p", { class: "status", role: "status" }, say(`deal-${trust.phase}`), " ", waits.length ? [say("waiting-for"), " ", seatNames(waits)] : null,
      countdown(trust)),
    el("p", { class: "quiet" }, say(`deal-why-${trust.phase}`)), past);
}

function hasRecord() {
  return Boolean(game.record?.agreed && game.record.entries.length);
}

function openPanel() {
  update(game, { panel: true, check: null, elsewhere: null, codeAt: null });
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
  const at = el("input", { type: "number", id: "code-at", min: 0, max: record.last, value: moment, change: ({ target }) => update(game, { codeAt: Number(target.value) }) });
  const keep = (form) => async () => saveAs(await recordFile(record, form));
  const actions = [
    action("keep-record", keep("full"), { primary: !hasEnded() }), action("keep-public", keep("public")),
    hasEnded() ? [action("check-record", runCheck, { primary: true }), action("check-elsewhere", saveForElsewhere)] : null, action("close", () => update(game, { panel: false })),
  ];
  return el("div", { class: "record-panel" },
    el("p", { class: "status" }, say("record-of", { count: record.entries.length })),
    el("label", {}, say("code-at"), at), el("p", {}, say("record-code", { at: moment }), " ", el("code", { id: "moment-code" }, record.code(moment))),
    el("p", { class: "quiet" }, say("record-why")), facts.length ? el("p", { class: "quiet" }, facts.join(" ")) : null,
    game.hostKey?.fingerprint ? el("p", { class: "quiet" }, say("record-host-key"), " ", el("code", { id: "host-key" }, game.hostKey.fingerprint)) : null,
    drawCheck(game.check), game.elsewhere ? drawElsewhere(game.elsewhere) : null, el("div", { class: "actions" }, actions));
}

function saveAs(file) {
  const link = el("a", { href: URL.createObjectURL(file), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// The records of a match whose server does not have it, or does not say so: saved, and the first checked.
async function offerKept(match) {
  const records = await keptRecords(match);
  records.forEach(saveAs);
  const panel = document.querySelector(".check-files");
  panel.open = true;
  panel.scrollIntoView({ block: "nearest" });
  return checkFiles(document.getElementById("checked"), records.slice(0, 1));
}
