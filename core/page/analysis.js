// The remarks of an analysis: under the step that is shown, as marks in the list, and its turning points.

// Those that the viewer may read: all at the open table, else those on the seat's own decisions.
function remarksHere() {
  const { viewer } = VIEWER();
  return (match.analysis ?? []).filter(({ seat }) => viewer === "table" || seat === viewer);
}

function remarkAt(at) {
  return remarksHere().find(({ step }) => step === at - 1);
}

function drawRemark(at) {
  const remark = remarkAt(at);
  return remark ? [el("p", { class: "remark" }, swingMark(remark), inWords(remark.text[shown.lang]))] : [];
}

function swingMark({ swing }) {
  return swing ? el("span", { class: "swing", role: "img", "aria-label": say("swing"), title: say("swing") }, "◆") : "";
}

function drawAnalysis() {
  if (!remarksHere().length) return null;
  const points = remarksHere().filter(({ turning_point: turning }) => turning);
  return el("section", { class: "analysis", "aria-label": say("analysis") }, el("h2", {}, say("turning-points")), el("p", {}, say("analysis-about")),
    points.length ? el("ol", {}, points.map(drawTurningPoint)) : el("p", {}, say("no-turning-points")));
}

function drawTurningPoint({ step, text }) {
  const link = el("a", { class: "number", href: address(step + 1), "aria-label": say("step", { step, of: STEPS - 1 }),
    click: (event) => { event.preventDefault(); go(step + 1); parts.table.scrollIntoView({ block: "nearest" }); } }, String(step));
  return el("li", {}, link, el("div", {}, VIEWER().notes[step].map(noteOf), el("p", { class: "remark" }, inWords(text[shown.lang]))));
}
