// My turn: what may be done, what is chosen, and the one button that commits it. Until then all of it can be undone.

function drawTurn() {
  const { selection } = game;
  const only = selection.settled;
  const doIt = only ? action("do", () => submit(only), { values: { what: commandText(only) }, primary: true, id: "do-it" }) : null;
  const chips = only || selection.fields.length ? [] : drawChosen();
  const clear = selection.begun && !(chips.length === 1 && selection.chosen.length === 1) ? action("clear", clearSelection) : null; // one thing alone is taken back by its own
  const more = [...partsOnTable()].some((name) => selection.stateOf(name) === "possible") ? el("p", { class: "quiet hint" }, say("more-than-listed")) : null;
  const prompt = promptText();
  const open = [drawButtons(), drawListed()].filter(Boolean); // in a row of its own, which scrolls where the screen is small
  const status = el("p", { class: "status", role: "status" }, say("your-turn"), " ", el("span", { class: prompt ? "tags prompt" : "tags" }, prompt ?? commandLabels()), countdown());
  return [
    el("div", { class: "bar-row turn-row" }, status, clear ?? chips, menu()),
    doIt ? el("div", { class: "bar-row commit" }, doIt) : null,
    more, drawTyped(only), clear && chips.length ? el("div", { class: "chosen" }, chips) : null,
    open.length ? el("div", { class: "open-choices" }, open) : null,
  ].filter(Boolean);
}

// What a game says of the next part, as where the parts go to the seats in their order: "Tap the card for Aki".
function promptText() {
  const { chosen, commands, settled } = game.selection;
  const [tag, other] = new Set(commands.map((each) => each.tag));
  const text = settled || other ? undefined : game.observation.labels[`choosing-${tag}`];
  return text === undefined ? null : inWords(piecesOf(text, { seat: chosen.length }));
}

function piecesOf(text, { seat, ...values }) {
  const [before, after] = filled(text, values).split("{seat}");
  return after === undefined ? [before] : [before, seat, after];
}

// The things of the table that are chosen, until the button that confirms names them; what was pressed shows it by itself.
function drawChosen() {
  const onTable = partsOnTable();
  return game.selection.chosen.map((name, at) => (onTable.has(name) ? chip(name, at) : null)).filter(Boolean);
}

function drawListed() {
  const { selection, selection: { listed } } = game;
  return listed.length ? el("ul", { class: "listed", "aria-label": say("which") }, listed.map((command) => el("li", {}, el("button", { type: "button", class: "choice",
    "aria-pressed": String(selection.pinned === command), click: () => { selection.pinned = selection.pinned === command ? null : command; drawBar(); } }, commandText(command))))) : null;
}

function commandLabels() {
  const { begun, candidates, commands, chosen, openEnded } = game.selection;
  const open = candidates.length || !openEnded ? candidates : game.selection.composable(chosen);
  const tags = new Set((begun && open.length ? open : commands).map(({ tag }) => tag));
  return game.rules.commands.filter(({ tag }) => tags.has(tag)).map((command) => command.label).join(say("comma"));
}

function drawButtons() {
  const { selection } = game;
  const buttons = selection.buttons(partsOnTable(), isSmallScreen()).map(([name, part]) => el("button", { type: "button", id: `part-${part.join("-")}`,
    class: `choice ${selection.count(name) ? "selectable" : selection.stateOf(name)}`, "aria-pressed": String(selection.count(name) > 0), click: ({ currentTarget }) => choosePart(name, false, currentTarget) }, capitalised(partLabel(part))));
  const fields = selection.fields.map(typedField);
  return buttons.length || fields.length ? el("div", { class: "bar-row" }, buttons, fields) : null;
}

function drawTyped(only) {
  const { strange, listed, typed } = game.selection;
  const text = Object.values(typed).filter(Boolean).join(" · ");
  if (!text || only || listed.some(({ names }) => names.length)) return null;
  return el("p", { class: "quiet hint", role: "status" }, strange.length ? say("strange", { text: strange.join(" · ") }) : say("then-tap", { text }));
}

function typedField(field) {
  const { selection } = game;
  const words = new Set(selection.commands.filter(({ names }) => holds(names, selection.chosen)).map(({ fields }) => fields[field]).filter(Boolean));
  const type = ({ isComposing }) => {
    selection.typed[field] = input.value.trim();
    if (!isComposing) drawBar();
  };
  const keydown = (event) => { // backward from the letters to what was tapped
    if (event.key !== "Backspace" || input.selectionEnd > 0 || !selection.chosen.length) return;
    event.preventDefault();
    selection.drop(selection.chosen.length - 1);
    drawBar();
  };
  const input = el("input", { type: "text", id: `type-${field}`, value: selection.typed[field] || "", autocomplete: "off", autocapitalize: "off", spellcheck: "false", list: `list-${field}`, input: type, compositionend: type, keydown });
  return el("label", { class: "typing" }, label(`field-${field}`), el("span", { class: "line" }, drawChosen(), input), el("datalist", { id: `list-${field}` }, [...words].slice(0, 60).map((word) => el("option", { value: word }))));
}

function clearSelection() {
  game.selection.clear();
  drawBar();
}

function chip(name, at) {
  const [first] = game.selection.orders, part = partName(name);
  const text = first && game.observation.labels[`chosen-${first.tag}`]; // where the parts go to the seats in their order: whose it will be
  const drop = () => { game.selection.drop(at); drawBar(); };
  return el("button", { type: "button", class: "chip", "aria-label": say("drop", { part }), click: drop }, inWords(text ? piecesOf(text, { seat: at, part }) : [part]));
}

// Return the name of a part: of a thing what is printed on it, of a button its label.
function partName(name) {
  const part = JSON.parse(name);
  const thing = thingsOnTable().find((each) => each.part && JSON.stringify(each.part) === name);
  if (!thing) return partLabel(part);
  const space = game.parts.table.querySelector(`[data-space][data-part="${CSS.escape(name)}"]`);
  if (space) return space.dataset.space;
  const faces = thing.faces.map(({ text }) => text).slice(0, 6).join(" ") || (thing.count ? hiddenText(thing.back, thing.count) : say("empty-space"));
  if (thing.number === null) return faces;
  const { seat } = game.observation.scene.places.find(({ zones }) => zones.some(({ things }) => things.includes(thing))) ?? game.observation;
  return say(seat === game.observation.seat ? "numbered" : "numbered-of", { number: thing.number, part: faces, name: seatLabel(seat) });
}

function partLabel(part) {
  if (part[0] === "seat" && part.length === 2 && Number.isInteger(part[1])) return seatLabel(part[1]);
  const key = `part-${part.join("-")}`;
  return game.observation.labels[key] ?? part.slice(1).join(" ");
}

// A text of the host with the names that stand at the table.
function withSeatLabels(text) {
  return game.about.seats.reduce((said, { seat, name }) => (name ? said.replaceAll(name, () => seatLabel(seat)) : said), text);
}

function commandText({ tag, text, fields, names }) {
  if (text) return capitalised(withSeatLabels(text));
  const label = game.rules.commands.find((each) => each.tag === tag)?.label ?? tag;
  const named = names.filter((name) => !isChosen(name)).map((name) => fields[JSON.parse(name)[0]]);
  const typed = new Set([...Object.values(game.selection.typed), ...named].filter(Boolean));
  const parts = names.filter(isChosen).map(partName);
  const spelt = typed.size ? null : parts.join("");
  const made = Object.values(fields).includes(spelt) ? spelt : parts.join(parts.some((part) => /\d[:：]/.test(part)) ? say("comma") : " ");
  if (typed.size) return capitalised(say("doing-word", { what: label, text: [...typed].join(" "), how: made ? say("made-of", { what: made }) : "" }));
  return capitalised(made && made !== label ? say("doing", { what: label, how: made }) : label);
}

// A text as a button begins it: with a capital, unless it is a name.
function capitalised(text) {
  const named = game.about.seats.some(({ seat }) => text.startsWith(seatLabel(seat)));
  return named ? text : `${text.charAt(0).toLocaleUpperCase(LANGS[shown.lang])}${text.slice(1)}`;
}
