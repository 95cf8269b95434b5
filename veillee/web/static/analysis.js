// The analysis of a game beside its replay: asks for it, waits for it, and marks the moment shown.

import { fill } from "./morph.js";

const POLL = 700; // milliseconds between two looks at how far an analysis is

const replay = document.getElementById("replay");
const panel = () => document.getElementById("analysis");

/** @param {string} method */
async function load(method) {
  const source = panel()?.dataset.source;
  const answer = await fetch(`${source}?at=${replay?.dataset.moment ?? 0}`, {
    method,
    headers: { "x-veillee": "1" },
  });
  if (!answer.ok) throw new Error(String(answer.status));
  const holder = panel()?.parentElement;
  if (holder) fill(holder, await answer.text());
  begin();
}

/** While an analysis is under way, look again and again. */
function begin() {
  if (panel()?.hasAttribute("data-running")) {
    setTimeout(() => load("GET").catch(begin), POLL);
  }
  mark();
}

/** Move the line in the chart to the moment that is shown. */
function mark() {
  const chart = document.getElementById("analysis-chart");
  const now = document.getElementById("analysis-now");
  if (!chart || !now) return;
  const { left, right, steps } = chart.dataset;
  const part = Number(replay?.dataset.moment) / Math.max(1, Number(steps));
  const x = Number(left) + (Number(right) - Number(left)) * Math.min(1, part);
  now.setAttribute("transform", `translate(${x.toFixed(1)} 0)`);
}

replay?.addEventListener("moment", (event) => {
  replay.dataset.moment = /** @type {CustomEvent} */ (event).detail.number;
  mark();
});
replay?.addEventListener("submit", (event) => {
  if (!(event.target instanceof Element) || !event.target.closest("#analysis")) return;
  const form = /** @type {HTMLFormElement} */ (event.target);
  event.preventDefault();
  load("POST").catch(() => form.submit());
});
replay?.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[data-moment]") : null;
  if (!(link instanceof HTMLElement)) return;
  event.preventDefault();
  location.hash = link.dataset.moment ?? "";
});
begin();
