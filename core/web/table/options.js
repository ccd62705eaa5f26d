// The options of a new match, with an input for each kind; a value of several parts is typed as on the command line.

function drawOption(option) {
  const { name, label: text, kind, default: initial, choices } = option;
  const value = wanted.options[name] ?? (kind === "seat" ? null : kind === "typed" ? option.typed : initial);
  const set = (now) => { wanted.options[name] = now; };
  if (kind === "bool") return checkbox(name, text, value, set);
  const id = `option-${name}`;
  const seats = wanted.players.slice(0, wanted.seats).map((_, seat) => [seat, say("seat", { seat: seat + 1 })]);
  const input = choices ? picker({ id }, choices.map((each, at) => [at, String(each)]), choices.indexOf(value), (at) => set(choices[at]))
    : kind === "seat" ? picker({ id }, [["", say("drawn")], ...seats], value ?? "", (seat) => set(seat === "" ? undefined : Number(seat)))
    : el("input", { type: "text", id, value });
  if (input.type === "text") input.addEventListener("change", () => set(input.value)); // as it is typed, a number too: the server says what is no value
  return el("label", { class: "option" }, text, input);
}

// The options of the request; a seat that nobody chose, or that is gone, is drawn.
function chosenOptions(play) {
  const drawn = play.options.filter(({ name, kind }) => kind === "seat" && !(wanted.options[name] < wanted.seats));
  const chosen = play.options.filter((option) => option.name in wanted.options && !drawn.includes(option));
  const seats = drawn.map(({ name }) => [name, Math.floor(Math.random() * wanted.seats)]);
  return Object.fromEntries([...seats, ...chosen.map(({ name }) => [name, wanted.options[name]])]);
}
