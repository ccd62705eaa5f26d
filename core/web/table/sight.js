// What one decides about is in sight, or the dock repeats it: what the commands name, what is chosen, and what the notes
// since one's last move are about. The table is fitted above or beside the dock; what still has no room goes on the shelf.

const SLIGHT = 20; // so many pixels of what one seeks may be covered before the page moves
const COMMIT_PX = 48; // the row of the button that confirms, on a small screen
const STORY_PX = 45; // the least that is seen of the story
const SOUGHT = ":is(.selectable, .possible, .replaces, .picked, .new) > .cards";

// Fit the table to the window, and repeat in the dock what is out of sight; `turn` begins: bring it into sight first.
function settleSight() {
  if (!game?.observation || !game.parts.table.isConnected) return;
  const { table, dock, story: { latest } } = game.parts;
  if (game.storyOpen) return drawShelf(); // it lies over the table as it is
  document.body.style.setProperty("--head", `${document.querySelector(".head").offsetHeight}px`); // the dock stands under it where it is beside the table
  const top = table.getBoundingClientRect().top + scrollY;
  const fit = (tight) => {
    dock.classList.toggle("tight", tight); // the story gives way first
    const { height, spare, isBeside } = mostDock();
    const room = hasEnded() ? innerHeight * 0.7 : innerHeight - top - (isBeside ? 0 : height) - 8;
    table.style.setProperty("--below", "0px");
    const fits = fitTable(table, room, game.observation.seat !== null);
    if (spare && !isBeside) latest.style.maxHeight = `${latest.offsetHeight + spare}px`; // the story has what room is left
    dock.classList.toggle("tight", tight && spare <= 0);
    const left = innerHeight - top - (isBeside ? 0 : dockBox().height) - 8 - table.offsetHeight;
    if (!hasEnded()) table.style.setProperty("--below", `${Math.max(left, 0)}px`); // what the dock does not need now
    return fits;
  };
  if (!fit(false) && !dockBox().isBeside) fit(true); // beside the table the dock has room of its own
  bringIntoView();
  drawShelf();
}

// The dock as high as it has been in one's turns at this size of the window, with room for the button that confirms, while
// the story gives way: cards do not move under a finger that chooses.
function mostDock() {
  const { bar, story: { latest } } = game.parts;
  latest.style.maxHeight = "";
  const { height, isBeside } = dockBox();
  const window = `${innerWidth} ${innerHeight}`, known = game.mostDock?.window === window ? game.mostDock.height : 0;
  const isChoosing = isMyTurn(game.observation) && !game.panel && game.fork === null;
  const toCome = isSmallScreen() && !bar.querySelector(".commit, :scope > .chosen") ? COMMIT_PX : 0;
  const given = isChoosing && game.selection.begun ? Math.max(latest.offsetHeight - STORY_PX, 0) : 0;
  const needed = isChoosing ? Math.min(height + toCome - given, innerHeight / 3) : height;
  const most = game.observation.status === "going" ? Math.max(known, needed) : height;
  if (isChoosing) game.mostDock = { window, height: most };
  return { height: most, spare: most - height, isBeside };
}

function dockBox() {
  const box = game.parts.dock.getBoundingClientRect();
  return { top: box.top, height: box.height - game.parts.shelf.offsetHeight, isBeside: box.left > game.parts.table.getBoundingClientRect().left + 99 };
}

// The seats that the notes since one's last move are about.
function toldSeats() {
  const { seat } = game.observation;
  return new Set(sinceMine(toldEvents()).filter((each) => each.seat !== seat).flatMap(({ notes }) => notes.flatMap(({ text }) => text)).filter((piece) => typeof piece === "number"));
}

function soughtOf(place, told) {
  const isTold = told.has(Number(place.dataset.seat)) || game.selection.commands.some(({ names }) => names.includes(JSON.stringify(["seat", Number(place.dataset.seat)])));
  return [...place.querySelectorAll(isTold ? ".who, .thing > .cards" : SOUGHT)];
}

// The part of the screen in which the table is seen, from where to where.
function sightOf() {
  const head = document.querySelector(".head");
  const { top, isBeside } = dockBox();
  return { upper: getComputedStyle(head).position === "sticky" ? head.offsetHeight : 0, lower: isBeside ? innerHeight : top };
}

function isInSight(node, { upper, lower }, hidden = 1) {
  const { top, bottom } = node.getBoundingClientRect();
  return top >= upper - hidden && bottom <= lower + hidden;
}

// As a turn begins: bring to where one sees it what the turn is about, or at least what may be chosen.
function bringIntoView() {
  if (!game.turnBegins || game.parts.table.last?.at !== game.observation.count || game.storyOpen || game.curtain) return;
  game.turnBegins = false;
  const told = toldSeats(), sight = sightOf();
  const all = [...game.parts.table.children].flatMap((place) => soughtOf(place, told));
  if (all.every((node) => isInSight(node, sight, SLIGHT))) return;
  const boxes = (nodes) => nodes.map((node) => node.getBoundingClientRect());
  const open = all.filter((node) => node.matches(SOUGHT));
  const tapped = open.filter((node) => node.matches(".selectable > .cards"));
  const wanted = [all, open, tapped].find((nodes) => nodes.length && span(boxes(nodes)).height <= sight.lower - sight.upper) ?? open.slice(-1);
  if (!wanted.length) return;
  const { top, height } = span(boxes(wanted));
  const most = game.parts.table.getBoundingClientRect().bottom - sight.lower; // no further than the table goes
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  scrollBy({ top: Math.min(most, top + height / 2 - (sight.upper + sight.lower) / 2), behavior: still ? "auto" : "smooth" });
}

function span(boxes) {
  const top = Math.min(...boxes.map((box) => box.top));
  return { top, height: Math.max(...boxes.map((box) => box.bottom)) - top };
}

// The places of which something sought is out of sight, small, in the dock; a tap goes there.
function drawShelf() {
  if (!game?.observation) return;
  const { shelf, table } = game.parts;
  const places = game.curtain || hasEnded() || !game.observation.scene ? [] : [...table.children].filter((place) => place.checkVisibility());
  const told = toldSeats();
  const unseen = () => {
    const sight = sightOf();
    return places.filter((place) => soughtOf(place, told).some((node) => !isInSight(node, sight)));
  };
  shelf.hidden = true;
  if (!unseen().length) return shelf.replaceChildren();
  shelf.hidden = false;
  const fill = () => shelf.replaceChildren(...unseen().map((place) => shelved(place, told)));
  fill();
  fill(); // what it covers, now that it is as high as what is in it, is out of sight, too
}

function shelved(place, told) {
  const sought = new Set(soughtOf(place, told));
  const things = [...place.querySelectorAll(".thing")].filter((thing) => !thing.classList.contains("space") || sought.has(thing.querySelector(".cards")));
  const seat = /^\d+$/.test(place.dataset.seat) ? Number(place.dataset.seat) : null;
  const name = seat === null ? say("middle") : seatLabel(seat);
  const show = () => place.scrollIntoView({ block: "center" });
  return el("button", { type: "button", class: seat === null ? "shelved" : `shelved seat-${seat % 8}`, "data-seat": place.dataset.seat, click: show,
    "aria-label": `${name}${say("colon")}${things.map((thing) => thing.getAttribute("aria-label")).join(say("comma"))}` }, seat === null ? say("middle") : seatName(seat), things.map(repeatedThing));
}

function repeatedThing(thing) {
  const cards = thing.querySelector(".cards").cloneNode(true);
  cards.inert = true;
  return el("span", { class: [...thing.classList].filter((name) => ["bundle", "stack", "picked"].includes(name)).join(" "), "data-repeats": thing.dataset.part }, cards);
}
