// The table: a scene drawn, place by place, whatever the game.

const TRAVEL_MS = 380;

// Draw `places`, as they lie after `at` events, into `table`: only what has changed since the last time is drawn anew, and
// what is new flies there if it was `near`. Where nothing has happened since then, what was new still is.
function drawTable(table, places, { at = null, near = false, acting = [], actor = null, mine = null, lang = "" }) {
  const last = table.last ?? { at: NaN, drawn: [] };
  const again = last.at === at, before = again ? last.before : last.places;
  const from = before && near ? positions(table) : null;
  seatAround(table, places.length - 1);
  const drawn = places.map((place, slot) => {
    const old = last.drawn[slot];
    const state = { place: withoutLaid(place, places[0]), lang, near: slot === 1, turn: acting.includes(place.seat), acted: actor !== null && actor === place.seat, mine: mine !== null && mine === place.seat };
    if (isSame(old?.state, state)) {
      if (again) return old;
      if (old.fresh) for (const node of old.node.querySelectorAll(".new")) node.classList.remove("new");
      return Object.assign(old, { fresh: false }); // the node stays: a finger may be on its way to it
    }
    const fresh = before ? arrivals(before[slot], state.place) : new Set();
    const node = drawPlace(state, fresh);
    if (old) old.node.replaceWith(node);
    else table.append(node);
    return { node, state, fresh: fresh.size > 0 };
  });
  table.last = { at, places, before, drawn };
  if (!again) fly(table, from, actor);
}

// The seats sit around the middle: the first of them near, the next to its left, the last to its right, the others across.
function seatAround(table, seats) {
  table.dataset.seats = seats;
  table.style.setProperty("--across", Math.max(1, seats - 3));
  table.style.setProperty("--others", Math.max(1, seats - 1));
  table.style.setProperty("--in-row", [1, 1, 1, 2, 3, 2, 3, 3, 4][seats]);
}

// A place without the zone of what lies in the middle as laid by its seat: a card lies in one place. Later zones have others like it.
function withoutLaid(place, middle) {
  const laid = place.seat === null ? [] : middle.zones.flatMap(({ things }) => things.filter(({ seat }) => seat === place.seat));
  const isLaid = ({ things }, at) => at > 0 && things.length > 0
    && things.every(({ part, faces, count }) => part == null && laid.some((each) => isSame([each.faces, each.count], [faces, count])));
  const found = place.zones.findIndex(isLaid);
  return { ...place, zones: place.zones.filter((_, at) => at !== found) };
}

function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

function drawPlace({ place, near, turn, acted, mine }, fresh) {
  const { seat, zones, facts, marks } = place;
  const kinds = ["place", seat === null ? "middle" : `board seat-${seat % 8}`, near ? "near" : "", turn ? "acting" : "", acted ? "acted" : "", mine ? "mine" : ""];
  const head = el("header", {}, seat === null ? null : el("h2", { class: "who" }, seatName(seat)),
    marks.map((mark) => el("span", { class: "mark" }, label(mark))),
    turn ? el("span", { class: "turn" }, say("to-act")) : null,
    facts.length ? el("dl", { class: "facts" }, facts.map(drawFact)) : null);
  const name = seat === null ? say("middle") : seatLabel(seat);
  const isBare = seat === null && !zones.length; // nothing can come to lie there
  if (isBare) kinds.push("bare");
  return el("section", { class: kinds.filter(Boolean).join(" "), "data-seat": seat ?? "middle", "aria-label": name, hidden: isBare && !facts.length && !marks.length ? "" : null }, head,
    el("div", { class: "zones" }, zones.filter((zone) => zone.things.length).map((zone) => drawZone(zone, fresh))));
}

// Whether all are level, which is nobody's victory; who plays together wins together.
function isDraw({ points, winners, teams }) {
  return winners.length > 1 && winners.length === points.length && new Set(teams).size !== 1;
}

// The badge at a seat's points: that it has won, or that all are level or have lost.
function badgeOf(result, seat) {
  const { winners } = result;
  if (!winners || (winners.length && !winners.includes(seat))) return null;
  return el("span", { class: "winner-badge" }, !winners.length ? say("loss") : isDraw(result) ? say("draw") : say("winner"));
}

function drawFact({ label: key, value, of }) {
  const text = of === null ? String(value) : say("fact-of", { value, most: of });
  return el("div", {}, el("dt", {}, label(key)), el("dd", of === null ? {} : { class: "counted" }, text));
}

function drawZone({ label: key, things, board = null }, fresh) {
  if (board) return drawBoard({ label: key, things, board }, fresh);
  const many = things.length > 1;
  return el("div", { class: `zone${many ? " many" : ""}` }, el("p", { class: "zone-name", "aria-hidden": "true" }, label(key)),
    el("ul", { class: "things", "aria-label": label(key) }, things.map((thing, at) => drawThing(thing, fresh.has(`${key} ${at}`)))));
}

function drawThing(thing, isNew) {
  const { faces, count, marks, part = null, number = null, seat = null, back = "card" } = thing;
  const kinds = ["thing", seat === null ? "" : `laid seat-${seat % 8}`, faces.length > 1 ? "bundle" : "", isNew ? "new" : "", number === null ? "" : "numbered"];
  const cards = faces.length ? faces.slice(0, MAX_FACES).map(faceUp) : [count ? faceDown(back) : emptyPlace()];
  const stacked = faces.length < 2 && count > 1;
  if (stacked) kinds.push(count > 2 ? "deep stack" : "stack");
  const badge = stacked || faces.length > MAX_FACES ? el("span", { class: "badge" }, String(count)) : null;
  return el("li", { class: kinds.join(" ").trim(), "aria-label": thingName(thing), "data-face": faces.length === 1 && count === 1 ? faces[0].text : null, "data-part": part && JSON.stringify(part) },
    el("span", { class: "cards", "aria-hidden": "true" }, cards, badge, number === null ? null : el("span", { class: "nth" }, String(number))),
    seat === null ? null : el("span", { class: "layer", "aria-hidden": "true" }, seatName(seat)),
    marks.map((mark) => el("span", { class: "mark", "aria-hidden": "true" }, label(mark))));
}

function thingName({ faces, count, marks, number = null, seat = null, back = "card" }) {
  const named = faces.slice(0, MAX_FACES).map(({ text, caption = "" }) => [text, caption].filter(Boolean).join(" ")).filter(Boolean).join(" ");
  const more = faces.length > MAX_FACES || (faces.length === 1 && count > 1) ? `${say("comma")}${faces[0].shape === "card" ? say("in-all", { count }) : say("in-all-pieces", { count })}` : "";
  const what = faces.length ? named + more : count ? hiddenText(back, count) : say("empty-space");
  return [number === null ? what : `${number}${say("colon")}${what}`, ...(seat === null ? [] : [seatLabel(seat)]), ...marks.map(label)].join(say("comma"));
}

// How many lie hidden: cards, or pieces and dice.
function hiddenText(back, count) {
  return back === "card" ? say("face-down", { count }) : say("face-down-pieces", { count });
}

// Return the things of a place that were not there before, as "zone index".
function arrivals(before, after) {
  const fresh = new Set();
  const lay = new Map(before.zones.map((zone) => [zone.label, zone.things.map((thing) => JSON.stringify(thing))]));
  for (const { label: key, things, board = null } of after.zones) {
    const old = lay.get(key) || [];
    things.forEach((thing, at) => {
      const found = board ? (JSON.stringify(thing) === old[at] || !thing.count ? at : -1) : old.indexOf(JSON.stringify(thing));
      if (found < 0) fresh.add(`${key} ${at}`);
      else if (!board) old.splice(found, 1);
    });
  }
  return fresh;
}

// Where each face lies, and what each seat holds: the first thing at its place.
function positions(table) {
  const boxes = (nodes, key) => new Map([...nodes].map((node) => [key(node), node.getBoundingClientRect()]));
  return {
    faces: boxes(table.querySelectorAll("[data-face]"), (node) => node.dataset.face),
    hands: boxes(table.querySelectorAll(".board .zone:first-child .thing:first-child"), (node) => node.closest(".place").dataset.seat),
  };
}

// What is new travels from where it lay: from where its face was, or to the middle from the hand of whoever acted.
function fly(table, from, actor) {
  if (!from || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const node of table.querySelectorAll(".new")) {
    const old = from.faces.get(node.dataset.face) ?? (node.closest(".middle") ? from.hands.get(String(actor)) : null);
    if (!old) continue;
    const now = node.getBoundingClientRect();
    const start = `translate(${old.left - now.left}px, ${old.top - now.top}px) scale(${old.width / now.width})`;
    Object.assign(node.style, { animation: "none", transformOrigin: "0 0" });
    node.animate([{ transform: start, zIndex: 5 }, { transform: "none", zIndex: 5 }], { duration: TRAVEL_MS, easing: "ease-in-out" });
  }
}
