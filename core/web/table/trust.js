// Trust at the table: fair deals, records and signatures. Its modules are loaded as a table is opened, or a seat is taken.

let vault, ceremony, formulas, SeatRecord, isReadable, loading = null;

function trustLoaded() {
  loading ??= Promise.all([import("./vault.js"), import("./ceremony.js"), import("./formulas.js"), import("./record.js")])
    .then((modules) => { [vault, ceremony, formulas, { SeatRecord, isReadable }] = modules; })
    .catch((error) => { loading = null; throw error; });
  return loading;
}

// Take a seat, with a key of its own if this browser can sign, and in a fair deal with a commitment. There one tab of this
// browser at a time asks for a seat, so that none draws anew what another has committed to.
async function takeSeat(match, name, about, seat = null) {
  await trustLoaded();
  if (!about.fair) return takeSeatAlone(match, name, about, seat);
  const wanted = seat ?? about.seats.find((each) => each.name === null)?.seat ?? 0;
  return vault.alone(`${match} ${wanted}`, () => takeSeatAlone(match, name, about, wanted));
}

async function takeSeatAlone(match, name, about, seat) {
  if (about.fair && !crypto.subtle) throw new Error(say("fair-needs-https"));
  if (about.fair && (await vault.get("deals", [match, seat, 1]))?.sent) throw new Error(say("seat-is-here"));
  const key = await vault.newKey();
  const body = { name, ...(seat === null ? {} : { seat }) };
  if (about.fair) {
    body.commitment = await ceremony.draw(match, seat, 1);
    await ceremony.note(match, about);
  }
  const publicKey = key && vault.encode(key);
  const { rules_version: rules } = (await loadGames()).games.find(({ game }) => game === about.game) ?? {};
  const joined = await request(`matches/${match}/seats`, { body: { ...body, ...(key ? { public_key: publicKey } : {}) } });
  await ceremony.sitDown(match, joined.seat, { name, publicKey, about, rules });
  return joined;
}

// A place that says, before anybody opens a table or joins one, if this browser cannot sign.
function unsignedWarning() {
  const place = el("p", { class: "quiet", role: "alert", id: "unsigned", hidden: true }, say("cannot-sign"));
  if (transport.overNetwork) import("./formulas.js").then(({ canSign }) => canSign()).then((can) => { place.hidden = can; });
  return place;
}

// Do what the seats at this screen are asked for in a fair deal, one call at a time; receipts are asked for after it, too.
async function tendDeal() {
  const mine = game;
  const { phase } = mine?.about?.trust ?? {};
  if (!mine || mine.alarm || !["revealing", "renewing", "dealt"].includes(phase)) return;
  if (mine.tending) { mine.tendAgain = true; return; }
  mine.tending = true;
  try {
    do {
      Object.assign(mine, { tendAgain: false, noSecret: false });
      for (const seat of seatsHere(mine.match)) {
        const joined = await vault.get("deals", [mine.match, seat, "joined"]);
        if (!joined || game !== mine) continue;
        const send = (body) => request(`matches/${mine.match}/fair`, { key: keyOf(mine.match, seat), body });
        const act = () => ceremony.act({ match: mine.match, seat, ...joined, about: mine.about, rules: mine.rules.rules_version }, send);
        let wrong = await act();
        if (wrong) { // a message may have come late, or another tab be further: it is asked anew
          mine.about = await request(`matches/${mine.match}`);
          wrong = await act();
        }
        if (wrong === "lost") mine.noSecret = true; // of this attempt: for the next one a secret is drawn
        else mine.alarm ??= wrong;
      }
      if (phase !== "dealt") mine.about = await request(`matches/${mine.match}`);
    } while (mine.tendAgain && game === mine && !mine.alarm);
  } catch (error) {
    // an attempt that has failed meanwhile: the next message says how the deal stands
    if (error.againMs) setTimeout(() => { if (game === mine) tendDeal(); }, error.againMs);
  }
  mine.tending = false;
  if (game === mine) await (phase === "dealt" ? drawBar() : refresh());
}

// Open the record of the present viewer; null for a match that has no marks, and had none, and where no hash can be made.
async function openRecord(mine) {
  if (!crypto.subtle) return null;
  if (!mine.about.trust && !(await ceremony.agreed(mine.match))) return null;
  const record = await SeatRecord.open(mine.match, mine.viewer);
  await holdRoster(mine, record);
  await compareHostKey(mine, record);
  return record;
}

// Hold the record, and the host, to the roster that was agreed to. What was said before the deal may come after it: it is asked
// anew, until there is an answer. Who was removed before the deal, unseen, has a key that opens no seat, and is held to nothing.
async function holdRoster(mine, record) {
  if (!record) return;
  let here = seatsHere(mine.match);
  const hold = () => ceremony.hold(mine.match, mine.about, here, record.entries.length > 0 || ["going", "over"].includes(mine.about.status));
  let held = await hold(), isAnswered = true;
  if (held?.wrong && mine.about.trust?.phase !== "dealt") {
    const about = await request(`matches/${mine.match}`).catch(() => null);
    if (about) mine.about = about;
    else setTimeout(() => { if (game === mine) holdRoster(mine, record); }, ASK_AGAIN_MS);
    isAnswered = about !== null;
    held = await hold();
  }
  if (held?.wrong && here.length) {
    const opens = (seat) => request(`matches/${mine.match}/observation`, { key: keyOf(mine.match, seat) }).then(() => true, ({ problem }) => problem?.status !== 401);
    const opened = await Promise.all(here.map(opens));
    here = here.filter((_, at) => opened[at]);
    held = await hold();
  }
  if (held?.wrong && isAnswered) raiseAlarm(mine, held.wrong);
  if (!held?.roster) return;
  mine.changed ??= held.changed;
  record.agreed = held;
  record.of = held.digest; // what is signed under a roster names it first
  record.canCheck = await formulas.canSign();
  record.hostKey = record.canCheck ? held.hostKey : null;
  const { seat } = record, signs = mine.about.trust?.seats[seat]?.signs ?? false;
  record.signingKey = seat === null ? null : await vault.signingKey(mine.match, seat, held.value[13][seat], signs);
}

// Compare the host's key with those that this browser knows of it: the first is taken, as ssh takes it; another is told.
async function compareHostKey(mine, record) {
  if (mine.hostKey !== undefined) return;
  const key = record.agreed ? record.agreed.hostKey && vault.encode(record.agreed.hostKey) : mine.about.trust?.host_key ?? null;
  const shown = (each) => (each === null ? null : formulas.fingerprintOf(vault.decode(each)));
  update(mine, { hostKey: { key, fingerprint: await shown(key), before: await shown(await vault.strangeHostKey(mine.match, key)) } });
}

// Hold the record before the first thing that is told: the deal may have come since the page asked about the match.
async function holdDealt(mine, record) {
  if (record.agreed) return;
  if (mine.about.trust?.phase !== "dealt") mine.about = await request(`matches/${mine.match}`);
  await holdRoster(mine, record);
}

// Keep what a message tells before it is shown; what contradicts the record is an alarm.
async function keepTold(mine, record, { event, ended, result }) {
  if (!record || !(event ?? ended)) return;
  await heard(mine, () => holdDealt(mine, record));
  if (event) await heard(mine, () => record.tell(formulas.EVENT, event.seq, event, event));
  if (ended) {
    await heard(mine, async () => {
      let wrong = null;
      for (const each of ended.proposals) wrong = (await record.consented(each)) ?? wrong;
      return wrong;
    });
    await heard(mine, () => record.tell(formulas.END, ended.number, ended, result === undefined ? null : { result }));
  }
}

// What is found wrong is an alarm, and so is what cannot be read; no answer, and a disk that keeps nothing, show no lie.
async function heard(mine, act) {
  try {
    const wrong = await act();
    if (wrong) raiseAlarm(mine, wrong);
  } catch (error) {
    if (error.againMs || error.problem || error.isOwn) mine.trouble = error.message;
    else raiseAlarm(mine, "told");
  }
}

// Keep an observation; `wasHeld` is whether there was an agreement as it was asked for: before the deal nothing is told.
async function keepLook(mine, record, observation, wasHeld) {
  if (!record) return;
  if (observation.told === undefined) {
    if (wasHeld) raiseAlarm(mine, "told");
    return;
  }
  await heard(mine, () => holdDealt(mine, record));
  await keepView(mine, record, observation, observation.count);
  if (observation.ended) await keepTold(mine, record, { ended: observation.ended, result: observation.result });
  else if (observation.status === "over") raiseAlarm(mine, "told");
}

// Keep what was told of a moment, be it an earlier one.
async function keepView(mine, record, observation, count) {
  await heard(mine, () => record.tell(formulas.LOOK, count, observation, { count }));
}

function raiseAlarm(mine, wrong) {
  update(mine, { alarm: mine.alarm ?? wrong });
}

// Whether the present viewer signs what it sends: where the roster agreed to has its key, whatever the host says now.
function signsHere(mine) {
  return Boolean(mine.record?.signingKey) && mine.record.seat === mine.viewer;
}

// Sign a message of the viewer's seat under the mark of this moment; throws where this browser has not its key.
async function signHere(mine, moment, messageOf) {
  const { wrong } = mine.record.agreed ?? {};
  if (wrong === "changed" || wrong === "key") throw new Error(say(mine.alarm ? `alarm-${mine.alarm}` : "no-server"));
  const mark = mine.record.marks.get(moment);
  if (!mark) throw new Error(say("alarm-told"));
  const message = messageOf(mark);
  if (!isReadable(message)) throw new Error(say("alarm-told")); // a record that has it would be read no further
  const sig = await vault.sign(mine.record.signingKey, message);
  if (!sig) throw new Error(say("key-lost"));
  return { message, mark, sig };
}

// Add the signature to a command; returns what is to be kept of it once it is accepted.
async function signCommand(mine, body) {
  if (!signsHere(mine)) return null;
  return vault.alone(`answer ${vault.encode(mine.record.of)} ${mine.viewer}`, () => signAnswer(mine, body)); // each names the one before
}

async function signAnswer(mine, body) {
  const at = body.expected_events;
  const id = Uint8Array.from(body.idempotency_key.match(/../g), (pair) => parseInt(pair, 16));
  // by H0, for a host may show the match under another address; it may show an earlier moment again, too
  const place = [vault.encode(mine.record.of), mine.viewer, "answer", at];
  const replaced = (await vault.get("deals", place)) ?? null; // what was refused, or not answered
  const signed = await signHere(mine, at, (mark) => formulas.commandMessage(mine.record.of, mine.viewer, at, mark, body.tag, body.fields, id, replaced));
  await vault.put("deals", place, await formulas.sha256(signed.message));
  Object.assign(body, { sig: vault.encode(signed.sig), ...(replaced ? { replaced: vault.encode(replaced) } : {}) });
  return signed;
}

// Add the signature of a consent to this proposal: of a fork, which leaves this match as it is, to an earlier moment, too.
async function signConsent(mine, body, { kind, target, count }) {
  if (!signsHere(mine)) return body;
  if (kind !== "fork" && count !== mine.observation.count) throw new Error(say("proposal-old"));
  const { sig } = await signHere(mine, count, (mark) => formulas.wishMessage(mine.record.of, mine.viewer, count, mark, kind, target));
  return { ...body, sig: vault.encode(sig) };
}

async function logOf(match) {
  const response = await transport.fetch(`api/matches/${match}/log`, {}).catch(() => null);
  if (response === null) throw new Error(say("no-server"));
  if (!response.ok) throw new Error(say("no-log"));
  return new File([await response.arrayBuffer()], `${match}.log`);
}

// What a match is checked by: one's record, the log, and of a fork the log of the match that it forks, if the server gives it.
async function ownFiles({ match, record }) {
  const parent = record.agreed.value[14]?.match;
  const files = await Promise.all([recordFile(record), logOf(match), parent ? logOf(parent).catch(() => null) : null]);
  return files.filter(Boolean);
}

// The records of a match that this browser has kept, of its seats or as a spectator's, as files: no server is asked.
async function keptRecords(match) {
  await trustLoaded();
  const agreed = await ceremony.agreed(match);
  if (!agreed) return [];
  const records = await Promise.all([...seatsHere(match), null].map((seat) => SeatRecord.open(match, seat)));
  return Promise.all(records.filter(({ entries }) => entries.length).map((record) => recordFile(Object.assign(record, { agreed }))));
}

async function recordFile(record, form = "full") {
  await record.reload();
  const { match, seat, agreed: { roster, sig } } = record;
  return new File([await record.bytes(roster, sig, form)], `${match}-${seat ?? "spectator"}${form === "public" ? "-public" : ""}.seat`);
}
