// The badge of one's turn: in the title and the icon.

const ICON = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect x='6' y='2' width='20' height='28' rx='4' fill='#2b3a55'/><path d='M16 8l6 8-6 8-6-8z' fill='#fff'/>MARK</svg>";
const ICON_MARK = "<circle cx='24' cy='8' r='8' fill='#c00' stroke='#fff' stroke-width='2'/>";

// Show that so many tables wait; the page has this title, with a mark before it.
function showBadge(turns, title, mark = `(${turns}) `) {
  document.title = turns ? mark + title : title;
  const address = `data:image/svg+xml,${encodeURIComponent(ICON.replace("MARK", turns ? ICON_MARK : ""))}`;
  const link = document.querySelector("link[rel=icon]");
  if (link.getAttribute("href") !== address) link.setAttribute("href", address);
}
