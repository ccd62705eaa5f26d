// Elements made without ever reading a text as markup; a property that is a function listens to the event of its name.

function make(node, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (typeof value === "function") node.addEventListener(name, value);
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
  return el("select", { ...properties, change: ({ target }) => choose(target.value) }, options.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));
}

function checkbox(id, text, checked, choose) {
  return el("label", { class: "check" }, el("input", { type: "checkbox", id: `tick-${id}`, checked, change: ({ target }) => choose(target.checked) }), text);
}
