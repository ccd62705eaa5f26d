// The list of steps, and which of them is shown.

const AROUND = 400;
const NEAR = 20;

// List the steps around the one shown: of a long match not all, so that it stays quick; all of them on paper.
function listSteps(around = AROUND) {
  const from = Math.max(0, shown.at - around);
  const to = Math.min(STEPS, shown.at + around);
  parts.steps.replaceChildren();
  parts.items = new Map();
  for (let at = from; at <= to; at += 1) {
    const begun = at ? begins(at - 1) : undefined;
    if (begun && !begun[2] && MARKED.includes(begun[0])) parts.steps.append(el("li", { class: `heading ${begun[0]}` }, el("h3", {}, heading(begun))));
    parts.items.set(at, stepItem(at, notesAt(at)));
    parts.steps.append(parts.items.get(at));
  }
  if (to === STEPS) parts.steps.append(...lastWords());
}

function notesAt(at) {
  return at ? withHeading(begins(at - 1), VIEWER().notes[at - 1].map(noteOf)) : [el("p", { class: "note" }, say("start"))];
}

// A section that begins between the notes of a step has its heading there.
function withHeading(begun, notes) {
  const isBetween = begun && begun[2] > 0 && MARKED.includes(begun[0]);
  return isBetween ? [...notes.slice(0, begun[2]), el("h3", { class: "between" }, heading(begun)), ...notes.slice(begun[2])] : notes;
}

// What is wrong with the log, how the match broke off, and who looked again after a takeback.
function lastWords() {
  const words = match.findings.map(({ text }) => ["✗ ", inWords(text[shown.lang])]);
  if (match.ended === "abandoned") words.push(say("abandoned"));
  if (match.looked_again) words.push(inWords(match.looked_again[shown.lang]));
  return words.map((each) => el("li", { class: "finding" }, each));
}

function markStep() {
  const listed = [Math.max(0, shown.at - NEAR), Math.min(STEPS, shown.at + NEAR)].every((at) => parts.items?.has(at));
  if (!listed) listSteps();
  const old = parts.steps.querySelector(".current");
  if (old) {
    old.classList.remove("current");
    old.removeAttribute("aria-current");
  }
  const item = parts.items.get(shown.at);
  item.classList.add("current");
  item.setAttribute("aria-current", "step");
  scrollToStep();
}

// Scroll the step into the middle of the list, its beginning in view.
function scrollToStep() {
  const item = parts.items?.get(shown.at);
  if (!item?.isConnected) return;
  const room = Math.max(parts.steps.clientHeight - item.offsetHeight, 0);
  parts.steps.scrollTop = item.offsetTop - parts.steps.offsetTop - room / 2;
}

function stepItem(at, lines) {
  const link = el("a", { class: "number", href: address(at), "aria-label": at ? say("step", { step: at - 1, of: STEPS - 1 }) : say("start"),
    click: (event) => { event.preventDefault(); go(at); } }, at ? String(at - 1) : "–", at ? swingMark(remarkAt(at) ?? {}) : "");
  return el("li", { class: "step", click: (event) => { if (!event.target.closest("a, button")) go(at); } }, link, el("div", {}, lines));
}
