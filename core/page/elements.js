// Elements made without ever reading a text as markup.

function make(node, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (name === "click") node.addEventListener("click", value);
    else if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

function el(tag, properties, ...children) {
  return make(document.createElement(tag), properties, children);
}

function svg(tag, properties, ...children) {
  return make(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

// A list to choose from, of pairs of a value and its text.
function picker(properties, options, chosen, choose) {
  const select = el("select", properties, options.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));
  select.addEventListener("change", () => choose(select.value));
  return select;
}

function checkbox(id, text, checked, choose) {
  const input = el("input", { type: "checkbox", id: `tick-${id}`, checked });
  input.addEventListener("change", () => choose(input.checked));
  return el("label", { class: "check" }, input, text);
}
