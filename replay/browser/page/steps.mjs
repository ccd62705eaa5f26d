// Shows the page that another tab of this site has handed over: a match to step through.

import { handedOver } from "./handed_over.mjs";

const page = await handedOver(new URLSearchParams(location.search).get("page"));
if (page) {
  document.open();
  document.write(new TextDecoder().decode(page));
  document.close();
} else document.body.append("There is no match to show. / 表示する対局がありません。");
