// The selection: clicks become one of the legal commands. Each command names its parts (things of the scene, buttons and
// fields), so nothing here knows a game. Parts are compared as JSON.

const MAX_LISTED = 8;
const MOST_LISTED = 2000; // of more legal commands the host lists the first ones, those of a kind together

class Selection {
  // `schemas`: the kinds of commands of the game; `openEnded`: whether there are commands that `legal` does not list.
  constructor(legal = [], schemas = [], openEnded = false) {
    this.commands = legal.map((command) => ({ ...command, names: command.parts.map((part) => JSON.stringify(part)) }));
    this.schemas = schemas;
    this.openEnded = openEnded;
    this.tags = new Map(); // the tags of the listed commands, by the kinds of parts they name
    for (const { tag, parts } of legal) for (const [kind] of parts) this.tags.set(kind, (this.tags.get(kind) || new Set()).add(tag));
    this.clear();
  }

  clear() {
    this.chosen = []; // the parts, in the order of the clicks
    this.typed = {}; // the texts typed, by field
    this.pinned = null; // the command chosen from the list, if one was
  }

  get begun() {
    return this.pinned !== null || this.chosen.length > 0 || Object.values(this.typed).some(Boolean);
  }

  count(name) {
    return this.chosen.filter((each) => each === name).length;
  }

  get candidates() {
    return this.commands.filter((command) => this.fits(command, this.chosen));
  }

  fits({ names, fields }, chosen) {
    const texts = Object.entries(this.typed).filter(([, text]) => text);
    return holds(names, chosen) && texts.every(([field, text]) => fields[field] === text);
  }

  // Whether one more of this part goes with the selection in a listed command.
  offers(name) {
    const chosen = [...this.chosen, name];
    return this.commands.some((command) => this.fits(command, chosen));
  }

  // Whether one more of this part may go with the selection in a command that is not listed: only the rules can tell.
  may(name) {
    return this.openEnded && this.composable([...this.chosen, name]).length > 0;
  }

  // The kinds of commands that could be made of such parts: their listed commands, if there are any, name such parts.
  composable(names) {
    const parts = names.map((name) => JSON.parse(name));
    return this.schemas.filter(({ tag }) => this.isComposable(tag) && !this.isListedWhole(tag) && parts.every(([kind, ...rest]) => rest.length === 1 && (this.tags.get(kind)?.has(tag) ?? true)));
  }

  // Whether a list that was cut has all commands of a kind: those of the kinds before the last.
  isListedWhole(tag) {
    const { commands } = this;
    return commands.length === MOST_LISTED && commands.some((each) => each.tag === tag) && commands.at(-1).tag !== tag;
  }

  isComposable(tag) {
    const { properties = {} } = this.schemas.find((each) => each.tag === tag)?.fields ?? {};
    const types = Object.values(properties).map(({ type }) => type);
    return types.length > 0 && types.every((type) => type === "string" || type === "array");
  }

  // The state of a part: `selectable`, `possible` (only the rules can tell), `replaces` (others of the selection), or null.
  stateOf(name) {
    if (this.offers(name)) return "selectable";
    if (this.may(name)) return "possible";
    return this.commands.some(({ names }) => names.includes(name)) ? "replaces" : null;
  }

  goesWith(name) {
    return this.offers(name) || this.may(name);
  }

  // The buttons: parts that are not in the scene. `few`, where the room is small: only of the commands that go with the
  // things of the scene that are chosen, and as long as none is, of those that name no thing. What is chosen has its button.
  buttons(onScene, few = false) {
    const things = this.chosen.filter((name) => onScene.has(name));
    const isPressed = (name) => !onScene.has(name) && this.count(name) > 0;
    const open = this.commands.filter(({ names }) => !few || names.some(isPressed) || (things.length ? holds(names, things) : !names.some((name) => onScene.has(name))));
    const parts = new Map(open.flatMap(({ parts, names }) => names.map((name, at) => [name, parts[at]])));
    const kinds = [...new Set([...parts.values()].map(([kind]) => kind))]; // those of a kind stand together: 1 die, 2 dice …, of 1, of 2 …
    return [...parts].filter(([name, part]) => part.length > 1 && !onScene.has(name)).sort(([, one], [, other]) => kinds.indexOf(one[0]) - kinds.indexOf(other[0]) || (one.length === 2 ? one[1] - other[1] : 0) || 0);
  }

  get fields() {
    const open = this.commands.filter(({ names }) => holds(names, this.chosen));
    const fields = open.flatMap(({ parts }) => parts.filter((part) => part.length === 1).map(([kind]) => kind));
    const texts = this.openEnded ? this.composable(this.chosen).flatMap(({ fields: { properties } }) => this.typable(properties)) : [];
    return [...new Set([...fields, ...texts, ...Object.keys(this.typed).filter((field) => this.typed[field])])];
  }

  // The texts typed that no listed command begins with: with them nothing can be done.
  get strange() {
    if (this.openEnded) return [];
    return Object.entries(this.typed).filter(([field, text]) => text && !this.commands.some(({ names, fields }) => holds(names, this.chosen) && String(fields[field] ?? "").startsWith(text))).map(([, text]) => text);
  }

  // A text beside a list of things is typed; one alone is composed by clicks.
  typable(properties = {}) {
    const kinds = Object.entries(properties);
    return kinds.some(([, { type }]) => type === "array") ? kinds.filter(([, { type }]) => type === "string").map(([name]) => name) : [];
  }

  // Leave out the buttons that every command names: to press them decides nothing. `onScene`: the parts on the table.
  imply(onScene) {
    const [first, ...others] = this.commands;
    const implied = new Set((first?.names ?? []).filter((name) => isChosen(name) && !onScene.has(name) && others.every(({ names }) => names.includes(name))));
    if (implied.size) this.commands = this.commands.map((command) => ({ ...command, parts: command.parts.filter((_, at) => !implied.has(command.names[at])), names: command.names.filter((name) => !implied.has(name)) }));
  }

  // Choose a part, once more if it is one of many (`again`), or drop it; returns whether it goes with what is typed, which stays.
  choose(name, again) {
    this.pinned = null;
    const at = this.chosen.lastIndexOf(name);
    if (at >= 0 && !(again && this.goesWith(name))) {
      this.chosen.splice(at, 1);
      return true;
    }
    const before = [...this.chosen];
    while (this.chosen.length && !this.goesWith(name)) this.chosen.pop();
    const goes = this.goesWith(name);
    if (goes) this.chosen.push(name);
    else this.chosen = before;
    return goes;
  }

  drop(at) {
    this.pinned = null;
    this.chosen.splice(at, 1);
  }

  // The complete commands, nearest to the order of the clicks.
  get ready() {
    if (!this.begun) return [];
    const full = this.candidates.filter(({ names }) => names.filter(isChosen).length === this.chosen.length);
    const distances = full.map(({ names }) => disorder(names.filter(isChosen), this.chosen));
    const nearest = full.filter((_, at) => distances[at] === Math.min(...distances));
    return nearest.length || !this.openEnded ? nearest : this.composed;
  }

  get typedOut() {
    const left = Object.values(this.typed).some(Boolean) ? this.candidates : [];
    return left.length > MAX_LISTED ? [] : left;
  }

  // The command that the next tap commits, or null while more than one is open.
  get settled() {
    const { ready, orders, commands } = this;
    if (this.pinned !== null) return this.pinned;
    if (commands.length === 1 && !commands[0].names.length) return commands[0]; // nothing else can be done
    if (!this.begun) return null;
    if (this.typedOut.length === 1) return this.typedOut[0];
    if (orders.length) return orders.length === 1 ? orders[0] : null;
    return ready.length === 1 ? ready[0] : null;
  }

  // The commands to choose from as texts: those that name nothing, and those between which the parts chosen do not decide.
  get listed() {
    const bare = this.commands.filter(({ names }) => !names.length);
    const open = this.typedOut.length ? this.typedOut : this.begun && this.chosen.length && !this.orders.length ? this.ready : [];
    return this.commands.length === 1 ? [] : [...bare, ...(open.length > 1 ? open.slice(0, MAX_LISTED) : [])];
  }

  // If only the order is open: the commands whose parts begin as the clicks did.
  get orders() {
    const left = this.candidates;
    const sorted = left.map(({ names }) => [...names].sort().join());
    if (left.length < 2 || !left[0].names.length || new Set(sorted).size > 1) return [];
    return left.filter(({ names }) => this.chosen.every((name, at) => names[at] === name));
  }

  // Commands that are not listed, made of what was clicked and typed.
  get composed() {
    const clicked = this.chosen.map((name) => JSON.parse(name).at(-1));
    return this.composable(this.chosen).flatMap(({ tag, fields: { properties } }) => {
      const made = {};
      for (const [name, { type }] of Object.entries(properties || {})) {
        if (type === "string" && this.typed[name]) made[name] = this.typed[name];
        else if (type === "array" && clicked.length) made[name] = clicked;
        else if (type === "string" && clicked.length && !this.typable(properties).length && clicked.every((each) => typeof each === "string")) made[name] = clicked.join("");
        else return [];
      }
      const typed = Object.values(this.typed).some(Boolean);
      return Object.keys(made).length && typed === this.typable(properties).length > 0 ? [{ tag, fields: made, names: this.chosen }] : [];
    });
  }
}

function isChosen(name) {
  return JSON.parse(name).length > 1;
}

// Whether a list has every name of another, each as often.
function holds(names, chosen) {
  const count = (list, name) => list.filter((each) => each === name).length;
  return chosen.every((name) => count(names, name) >= count(chosen, name));
}

// The number of pairs of names whose order differs between two orders of the same names.
function disorder(names, chosen) {
  const left = [...chosen];
  const places = names.map((name) => {
    const at = left.indexOf(name);
    left[at] = undefined;
    return at;
  });
  return places.reduce((sum, place, at) => sum + places.slice(at + 1).filter((later) => later < place).length, 0);
}
