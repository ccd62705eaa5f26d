// The badge of one's turn: in the title, the icon and, where the player allows it, a notification of the system.

const ICON = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect x='6' y='2' width='20' height='28' rx='4' fill='#2b3a55'/><path d='M16 8l6 8-6 8-6-8z' fill='#fff'/>MARK</svg>";
const ICON_MARK = "<circle cx='24' cy='8' r='8' fill='#c00' stroke='#fff' stroke-width='2'/>";

let badged = null; // how many tables waited for this browser when last told, null: not told yet

// Show that so many tables wait; the page has this title, with a mark before it.
function showBadge(turns, title, mark = `(${turns}) `) {
  document.title = turns ? mark + title : title;
  const address = `data:image/svg+xml,${encodeURIComponent(ICON.replace("MARK", turns ? ICON_MARK : ""))}`;
  const link = document.querySelector("link[rel=icon]");
  if (link.getAttribute("href") !== address) link.setAttribute("href", address);
  if (badged !== null && turns > badged && document.hidden) notifyTurn(title);
  badged = turns;
}

function mayNotify() {
  return saved.notify === true && globalThis.Notification?.permission === "granted";
}

// Show a notification, which brings the page to the front. Some browsers of phones have none for a page: then there is none.
function notifyTurn(title) {
  if (!mayNotify()) return;
  try {
    const note = new Notification(title, { body: say("notification"), tag: "kifu-turn", lang: LANGS[shown.lang] });
    note.onclick = () => { window.focus(); note.close(); };
  } catch {
    save(() => ({ notify: false }));
  }
}

function drawNotifySetting() {
  if (!globalThis.Notification) return null;
  return checkbox("notify", say("notify"), mayNotify(), async (on) => {
    const notify = on && (await Notification.requestPermission()) === "granted";
    save(() => ({ notify }));
    document.getElementById("tick-notify").checked = notify;
  });
}
