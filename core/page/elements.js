// What was exported, what is shown of it now, and elements made without ever reading a text as markup.

const match = JSON.parse(document.getElementById("match").textContent);
const words = JSON.parse(document.getElementById("words").textContent);
const STEPS = match.acted.length;

// `at`: how many steps have happened; `viewer` and `lang`: places in `match.viewers` and `match.langs`.
const shown = { at: 0, viewer: 0, lang: 0, furigana: true };

function make(node, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (name === "click") node.addEventListener("click", value);
    else if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

function el(tag, properties, ...children) {
  return make(document.createElement(tag), properties, children);
}

function svg(tag, properties, ...children) {
  return make(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

const VIEWER = () => match.viewers[shown.viewer];

// The scenes of each viewer, whole: for each number of steps done, the middle of the table and the place of each seat.
for (const viewer of match.viewers) {
  let places = [];
  viewer.scenes = viewer.changes.map((changes) => {
    places = [...places];
    for (let at = 0; at < changes.length; at += 2) places[changes[at]] = changes[at + 1];
    return places;
  });
}

function scene(at) {
  return VIEWER().scenes[at].map((place) => match.places[place]);
}

// What a step begins: ["trick", 3], or undefined.
function begins(step) {
  return VIEWER().begins[step];
}
