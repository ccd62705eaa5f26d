"use strict";
{
  const { charts, light, dark, words } = JSON.parse(document.getElementById("charts").textContent);
  const places = document.querySelectorAll(".chart");
  const night = matchMedia("(prefers-color-scheme: dark)");

  const draw = () => charts.map((spec, place) => vegaEmbed(places[place], spec, {
    mode: "vega-lite",
    renderer: "svg",
    ast: true, // no evaluation of code: the page's own policy forbids it
    actions: { export: true, source: false, compiled: false, editor: false },
    config: night.matches ? dark : light,
    i18n: words,
    tooltip: { theme: night.matches ? "dark" : "light" },
  }).then(() => places[place].querySelector("summary").setAttribute("aria-label", `${words.CLICK_TO_VIEW_ACTIONS}: ${spec.title.text}`)));

  night.addEventListener("change", draw);
  window.drawn = Promise.all(draw());
}
