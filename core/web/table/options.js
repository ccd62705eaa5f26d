// The options of a new match, with an input for each kind; a value of several parts is typed as on the command line.

function drawOption(option) {
  const { name, label: text, kind, default: initial, choices } = option;
  const value = wanted.options[name] ?? (kind === "seat" ? null : kind === "typed" ? option.typed : initial);
  const set = (now) => { wanted.options[name] = now; };
  if (kind === "bool") return checkbox(name, text, value, set);
  if (kind === "map") return drawMap(option);
  const id = `option-${name}`;
  const input = choices ? el("select", { id }, choices.map((each, at) => el("option", { value: at, selected: each === value }, String(each))))
    : kind === "seat" ? el("select", { id }, el("option", { value: "" }, say("drawn")), wanted.players.slice(0, wanted.seats).map((_, seat) => el("option", { value: seat, selected: seat === value }, say("seat", { seat: seat + 1 }))))
    : el("input", { type: "text", id, value });
  input.addEventListener("change", () => {
    if (choices) set(choices[Number(input.value)]);
    else if (kind !== "seat") set(input.value); // as it is typed, a number too: the server says what is no value
    else if (input.value === "") delete wanted.options[name];
    else set(Number(input.value));
  });
  return el("label", { class: "option" }, text, input);
}

// A map as lines of a key and its value; `wanted.options` has them as pairs of texts, incomplete ones too.
function drawMap({ name, label: text, default: initial, key, value }) {
  const lines = el("ul", { class: "lines" });
  const pairs = wanted.options[name] ??= Object.entries(initial).map(([from, to]) => [from, String(to)]);
  const cell = (shape, pair, at) => {
    const input = el("input", { type: "text", value: pair[at] });
    input.addEventListener("input", () => { pair[at] = input.value.trim(); });
    return el("label", {}, shape.label, input);
  };
  const fill = () => lines.replaceChildren(...pairs.map((pair, at) => el("li", {}, cell(key, pair, 0), cell(value, pair, 1),
    el("button", { type: "button", class: "icon-button", "aria-label": say("remove-line"), title: say("remove-line"), click: () => { pairs.splice(at, 1); fill(); } }, "×"))));
  const add = el("button", { type: "button", class: "plain", id: `add-${name}`, click: () => { pairs.push(["", ""]); fill(); lines.lastChild.querySelector("input").focus(); } }, say("add"));
  fill();
  return el("fieldset", { class: "option map", id: `option-${name}` }, el("legend", {}, text), lines, add);
}

// The lines in which anything is typed; of half a one the server says what it lacks.
function linesOf(name) {
  return (wanted.options[name] || []).filter((pair) => pair.join("") !== "");
}

function repeatedKey(play) {
  for (const { name } of play.options.filter(({ kind }) => kind === "map")) {
    const keys = linesOf(name).map(([key]) => key);
    const twice = keys.find((key, at) => keys.indexOf(key) < at);
    if (twice !== undefined) return twice;
  }
  return undefined;
}

// The options of the request; a seat that nobody chose, or that is gone, is drawn.
function chosenOptions(play) {
  const drawn = play.options.filter(({ name, kind }) => kind === "seat" && !(wanted.options[name] < wanted.seats));
  const chosen = play.options.filter((option) => option.name in wanted.options && !drawn.includes(option));
  const seats = drawn.map(({ name }) => [name, Math.floor(Math.random() * wanted.seats)]);
  return Object.fromEntries([...seats, ...chosen.map(({ name, kind }) => [name,
    kind === "map" ? Object.fromEntries(linesOf(name)) : wanted.options[name]])]);
}
