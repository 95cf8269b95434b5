// A guided first game: shows one remark after the other, points at what it speaks of, and marks the
// proposed move.

import { fill, parsed } from "./morph.js";

/**
 * @typedef {import("./choose.js").Chooser} Chooser
 * @typedef {{own: {guide?: string}, chooser: Chooser}} Shown
 */

const place = /** @type {HTMLElement} */ (document.getElementById("guide"));
const board = /** @type {HTMLElement} */ (document.getElementById("board"));
const pointer = document.createElement("div");
pointer.className = "pointer";
pointer.hidden = true;
board.append(pointer);

let page = 0;
/** @type {Chooser | null} */
let chooser = null;

/** @returns {HTMLElement[]} */
const pages = () => [...place.querySelectorAll(/** @type {"li"} */ (".pages > li"))];

/** Put the pointer around all that the present page speaks of, where what is said does not cover it. */
function point() {
  const at = pages()[page]?.dataset.at;
  const found = at ? [...board.querySelectorAll(at)] : [];
  const boxes = found.map((one) => one.getBoundingClientRect()).filter(({ width }) => width);
  pointer.hidden = !boxes.length;
  if (!boxes.length) return;
  const from = board.getBoundingClientRect();
  const left = Math.max(from.left, Math.min(...boxes.map((box) => box.left)) - 6);
  const top = Math.min(...boxes.map((box) => box.top)) - 6;
  const right = Math.min(from.right, Math.max(...boxes.map((box) => box.right)) + 6);
  const bottom = Math.max(...boxes.map((box) => box.bottom)) + 6;
  pointer.style.left = `${left - from.left}px`;
  pointer.style.top = `${top - from.top}px`;
  pointer.style.width = `${right - left}px`;
  pointer.style.height = `${bottom - top}px`;
  const said = place.parentElement?.getBoundingClientRect();
  const covered = said && said.left < right ? bottom - said.top : 0;
  if (covered > 0) scrollBy(0, Math.min(covered, top));
  else if (top < 0) scrollBy(0, top);
}

/** Show the present page; with the last one comes the proposed move. */
function turn() {
  const all = pages();
  const last = page >= all.length - 1;
  place.classList.toggle("telling", !last);
  all.forEach((one, i) => (one.hidden = i !== page));
  for (const one of place.querySelectorAll(/** @type {"p"} */ (".try"))) one.hidden = !last;
  for (const one of place.querySelectorAll("button")) {
    if (one.classList.contains("next")) one.hidden = last;
  }
  const action = place.querySelector("section")?.dataset.action;
  if (chooser && last && action && chooser.hint !== action) {
    chooser.hint = action;
    chooser.draw(false);
  }
  point();
}

place.addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || !event.target.closest(".next")) return;
  page += 1;
  turn();
  if (!place.contains(document.activeElement)) {
    document.querySelector(/** @type {"button"} */ ("#choices button"))?.focus();
  }
});

document.getElementById("play")?.addEventListener("shown", (event) => {
  const { own, chooser: known } = /** @type {CustomEvent<Shown>} */ (event).detail;
  chooser = known;
  if (own.guide === undefined) return;
  if (parsed(own.guide)?.textContent !== place.firstElementChild?.textContent) page = 0;
  fill(place, own.guide);
  turn();
});
new ResizeObserver(point).observe(board);
turn();
