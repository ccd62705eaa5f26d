// How large the cards are: as large as the window allows, so that the whole table is in sight if it can be.

// From the best to the least, which a finger hits: the width of a card, how dense the table lies, the width of what one only looks at.
const LARGE = [128, 116, 104, 94, 86, 78, 72, 66, 60, 56, 52].map((width) => [width, 0, width]);
const SIZES = [...LARGE, [58, 1, 44], [52, 1, 38], [66, 1, 28], [58, 1, 28], [50, 1, 28], [44, 1, 28], [44, 2, 22]];
const SEEN_SIZES = [...LARGE, ...[60, 56, 52, 48, 44, 40, 36, 32, 28].map((width) => [width, 1, width]), ...[40, 36, 32, 28, 24].map((width) => [width, 2, 22])]; // where no card is tapped
const ROOMY = 60; // from here on a card shows as many pips as its number says
const SPARE = 48; // so many pixels must be left over before cards grow

// Let the table be no higher than `room`, and no fan of cards leave its place; returns whether it is so. Cards grow again only
// where there is much room, so that nothing wavers. `tapped`: whether cards are tapped.
function fitTable(table, room, tapped) {
  const sizes = tapped ? SIZES : SEEN_SIZES, fans = [...table.querySelectorAll(".bundle > .cards")];
  const isWithin = (fan) => fan.getBoundingClientRect().right <= fan.closest(".place").getBoundingClientRect().right;
  const fits = (at, most = room) => {
    const [width, dense, seen] = sizes[at];
    table.style.setProperty("--w", `${width}px`);
    table.style.setProperty("--w-seen", `${seen}px`);
    table.classList.toggle("roomy", width >= ROOMY && !dense);
    if (dense) table.dataset.dense = dense;
    else delete table.dataset.dense;
    return table.offsetHeight <= most && fans.every(isWithin);
  };
  const window = `${innerWidth} ${innerHeight} ${table.clientWidth} ${tapped}`;
  table.fitted ??= {};
  const known = table.fitted[window] ?? 0;
  const hasRoom = known && fits(known, room - SPARE); // else larger cards have none either
  const from = hasRoom ? Math.max(known - 2, 0) : known; // two sizes at a time
  let at = from;
  while (at < sizes.length - 1 && !fits(at, at < known ? room - SPARE : room)) at += 1;
  table.fitted[window] = at;
  return fits(at);
}
