// A dialog over the page, one at a time; what a file or a match is, and what can be done with it.

import { el } from "./elements.mjs";
import { say } from "./say.mjs";

let opened = null;

// Open a dialog and return its body; `closed` is called once it is closed.
export function openDialog(title, closed = () => {}) {
  opened?.close();
  const body = el("div", { class: "dialog-body" });
  const dialog = el("dialog", { class: "panel", "aria-label": title }, el("div", { class: "dialog-head" }, el("h2", {}, title),
    el("button", { type: "button", class: "plain", id: "close", click: () => dialog.close() }, say("site-close"))), body);
  dialog.addEventListener("close", () => { dialog.remove(); if (opened === dialog) opened = null; closed(); });
  document.body.append(dialog);
  dialog.showModal();
  opened = dialog;
  return body;
}

// Put these in the place of what a node has; null is nothing.
export function fill(node, ...children) {
  node.replaceChildren(...children.flat().filter(Boolean));
}

export function waiting(key) {
  return el("p", { class: "quiet", role: "status" }, say(key));
}

export function trouble(error) {
  return el("p", { class: "trouble", role: "alert" }, error.message);
}

// What an audit or a comparison has found, as lines.
export function drawFindings(verdict, fine) {
  if (verdict.ok) return el("p", { class: "fine", role: "status" }, `✓ ${fine}`);
  const lines = verdict.findings.map(({ seq, rule, kind, message }) => el("li", {}, el("strong", {}, [seq === null ? null : say("site-at-event", { seq }), rule ?? kind].filter(Boolean).join(" · ")), " ", message));
  return el("div", { class: "found", role: "status" }, el("p", { class: "trouble" }, `✗ ${say("site-wrong")}`), el("ul", {}, lines));
}
