// The table: a scene drawn, place by place, whatever the game.

const drawnPlaces = [];

// Draw what is seen now into `table`; only places that have changed are drawn anew.
function drawTable(table, previous) {
  const places = scene(shown.at);
  const before = previous === null ? null : scene(previous);
  const from = before && Math.abs(shown.at - previous) === 1 ? positions(table) : new Map();
  places.forEach((place, slot) => {
    const old = drawnPlaces[slot];
    const look = [VIEWER().scenes[shown.at][slot], shown.lang, String(match.asked[shown.at].includes(place[0])), actor() === place[0]].join();
    if (old && old.look === look && !old.fresh) return;
    const fresh = before ? arrivals(before[slot], place) : new Set();
    const node = drawPlace(place, fresh);
    if (old) old.node.replaceWith(node);
    else table.append(node);
    drawnPlaces[slot] = { node, look, fresh: fresh.size > 0 };
  });
  fly(table, from);
}

// Who did what was last done.
function actor() {
  return shown.at ? match.acted[shown.at - 1] : null;
}

function drawPlace(place, fresh) {
  const [seat, zones, facts, marks] = place;
  const kinds = ["place", seat === null ? "middle" : `board seat-${seat % 8}`];
  if (seat !== null && match.asked[shown.at].includes(seat)) kinds.push("asked");
  if (seat !== null && actor() === seat) kinds.push("acted");
  const title = seat === null ? null : el("h3", {}, seatName(seat));
  const head = el("header", {}, title,
    marks.map((mark) => el("span", { class: "mark" }, label(mark))),
    kinds.includes("asked") ? el("span", { class: "turn" }, say("to-act")) : null,
    facts.length ? el("dl", { class: "facts" }, facts.map(drawFact)) : null);
  const called = seat === null ? say("middle") : match.seats[seat][shown.lang];
  const lying = zones.filter((zone) => match.zones[zone][1].length);
  return el("section", { class: kinds.join(" "), "aria-label": called }, head,
    el("div", { class: "zones" }, lying.map((zone) => drawZone(match.zones[zone], fresh))));
}

function drawFact(fact) {
  const [key, value, most] = match.facts[fact];
  const said = most === null ? String(value) : say("fact-of", { value, most });
  return el("div", {}, el("dt", {}, label(key)), el("dd", {}, said));
}

function drawZone([key, things], fresh) {
  const many = things.length > 1;
  return el("div", { class: `zone${many ? " many" : ""}` }, el("h4", {}, label(key)),
    el("ul", { class: "things", "aria-label": label(key) }, things.map((thing, at) => drawThing(match.things[thing], fresh.has(`${key} ${at}`)))));
}

function drawThing([faces, count, marks], isNew) {
  const kinds = ["thing", faces.length > 1 ? "bundle" : "", isNew ? "new" : "", marks.length ? "labelled" : ""];
  const cards = faces.length ? faces.slice(0, MOST_FACES).map(faceUp) : [faceDown()];
  const stacked = faces.length < 2 && count > 1;
  if (stacked) kinds.push(count > 2 ? "deep stack" : "stack");
  const badge = stacked || faces.length > MOST_FACES ? el("span", { class: "badge" }, String(count)) : null;
  return el("li", { class: kinds.join(" ").trim(), "aria-label": thingName(faces, count, marks), "data-face": faces.length === 1 && count === 1 ? faces[0] : null },
    el("span", { class: "cards", "aria-hidden": "true" }, cards, badge),
    marks.map((mark) => el("span", { class: "mark", "aria-hidden": "true" }, label(mark))));
}

// What a screen reader says of a thing.
function thingName(faces, count, marks) {
  const named = faces.slice(0, MOST_FACES).map((face) => match.faces[face][0]).join(" ");
  const more = faces.length > MOST_FACES || (faces.length === 1 && count > 1) ? `, ${say("in-all", { count })}` : "";
  const what = faces.length ? named + more : say("face-down", { count });
  return [what, ...marks.map(label)].join(", ");
}

// Name the things of a place that did not lie there before: "zone place".
function arrivals(before, after) {
  const fresh = new Set();
  const lay = new Map(before[1].map((zone) => [match.zones[zone][0], [...match.zones[zone][1]]]));
  for (const [key, things] of after[1].map((zone) => match.zones[zone])) {
    const old = lay.get(key) || [];
    things.forEach((thing, at) => {
      const found = old.indexOf(thing);
      if (found < 0) fresh.add(`${key} ${at}`);
      else old.splice(found, 1);
    });
  }
  return fresh;
}

function positions(table) {
  return new Map([...table.querySelectorAll("[data-face]")].map((node) => [node.dataset.face, node.getBoundingClientRect()]));
}

// Let cards that are new where they lie come from where they lay.
function fly(table, from) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const node of table.querySelectorAll(".new[data-face]")) {
    const old = from.get(node.dataset.face);
    if (!old) continue;
    const now = node.getBoundingClientRect();
    const start = `translate(${old.left - now.left}px, ${old.top - now.top}px)`;
    node.style.animation = "none";
    node.animate([{ transform: start, zIndex: 5 }, { transform: "none", zIndex: 5 }], { duration: 260, easing: "ease-out" });
  }
}
