// Shows the page that another tab of this site has handed over: a match to step through.

import { openStorage } from "./kifu/storage.mjs";

const handed = new Map(await (await openStorage("handed over")).all());
const page = handed.get("page");
if (page) {
  document.open();
  document.write(new TextDecoder().decode(page));
  document.close();
} else document.body.append("There is no match to show. / 表示する対局がありません。");
