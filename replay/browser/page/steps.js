// Shows the page that another tab of this site has handed over: a match to step through. Its style and its script are files
// here, as a server may allow no others.

import { handedOver } from "./handed_over.js";

const page = await handedOver(new URLSearchParams(location.search).get("page"));
const INLINE = /<(style|script)>[^]*?<\/\1>|<meta http-equiv=[^>]*>/g;
if (page) show(new DOMParser().parseFromString(new TextDecoder().decode(page).replace(INLINE, ""), "text/html"));
else document.body.append("There is no match to show. / 表示する対局がありません。");

function show(whole) {
  whole.querySelector("noscript").remove();
  document.title = whole.title;
  document.documentElement.lang = whole.documentElement.lang;
  document.body.replaceChildren(...whole.body.childNodes);
  document.body.append(Object.assign(document.createElement("script"), { src: new URL("match.js", import.meta.url).href }));
}
