// The list of steps, and which of them is shown.

function listSteps() {
  parts.items = Array.from({ length: STEPS + 1 }, (_, at) => stepItem(at, notesAt(at)));
  const listed = parts.items.flatMap((item, at) => {
    const begun = VIEWER().begins[at - 1]; // as ["trick", 3]
    return begun && !begun[2] && MARKED.includes(begun[0]) ? [el("li", { class: `heading ${begun[0]}` }, el("h3", {}, heading(begun))), item] : [item];
  });
  parts.steps.replaceChildren(...listed, ...lastWords());
}

// The notes of a step; a section that begins between them has its heading there.
function notesAt(at) {
  if (!at) return [el("p", { class: "note" }, say("start"))];
  const notes = VIEWER().notes[at - 1].map(noteOf), begun = VIEWER().begins[at - 1];
  if (begun?.[2] > 0 && MARKED.includes(begun[0])) notes.splice(begun[2], 0, el("h3", { class: "between" }, heading(begun)));
  return notes;
}

// What is wrong with the log, how the match broke off, and who looked again after a takeback.
function lastWords() {
  const words = match.findings.map(({ text }) => ["✗ ", inWords(text[shown.lang])]);
  if (match.ended === "abandoned") words.push(say("abandoned"));
  if (match.looked_again) words.push(inWords(match.looked_again[shown.lang]));
  return words.map((each) => el("li", { class: "finding" }, each));
}

// Scroll the step into the middle of the list, its beginning in view.
function scrollToStep() {
  const item = parts.items[shown.at];
  const room = Math.max(parts.steps.clientHeight - item.offsetHeight, 0);
  parts.steps.scrollTop = item.offsetTop - parts.steps.offsetTop - room / 2;
}

function stepItem(at, lines) {
  const link = el("a", { class: "number", href: address(at), "aria-label": at ? say("step", { step: at - 1, of: STEPS - 1 }) : say("start"),
    click: (event) => { event.preventDefault(); go(at); } }, at ? String(at - 1) : "–", at ? swingMark(remarkAt(at) ?? {}) : "");
  return el("li", { class: "step", click: (event) => { if (!event.target.closest("a, button")) go(at); } }, link, el("div", {}, lines));
}
