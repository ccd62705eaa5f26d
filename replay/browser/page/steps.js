// Shows the page that another tab of this site has handed over: a match to step through. Its style and its script are files
// here, as a server may allow no others.

const INLINE = /<(style|script)>[^]*?<\/\1>|<meta http-equiv=[^>]*>/g;

async function showHandedOver(script) {
  const { openStorage } = await import("./kifu/storage.js");
  const page = new Map(await (await openStorage("handed over")).all()).get(new URLSearchParams(location.search).get("page"));
  if (!page) return document.body.append("There is no match to show. / 表示する対局がありません。");
  const whole = new DOMParser().parseFromString(new TextDecoder().decode(page).replace(INLINE, ""), "text/html");
  whole.querySelector("noscript").remove();
  document.title = whole.title;
  document.documentElement.lang = whole.documentElement.lang;
  document.body.replaceChildren(...whole.body.childNodes);
  return document.body.append(Object.assign(document.createElement("script"), { src: script }));
}

showHandedOver(new URL("match.js", document.currentScript.src).href);
