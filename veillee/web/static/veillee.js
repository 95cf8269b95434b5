// Every page: gives forms a nonce of this browser, copies links, and brings tables to life.

import { kept, nonce, remember } from "./promise.js";
import { Table, keepShape, say } from "./table.js";

keepShape();
document.documentElement.classList.add("script");

for (const field of document.querySelectorAll("input[name=nonce]")) {
  /** @type {HTMLInputElement} */ (field).value = nonce();
}
for (const ticket of document.querySelectorAll("input[name=ticket]")) {
  ticket.closest("form")?.addEventListener("submit", () => {
    remember(/** @type {HTMLElement} */ (ticket));
  });
}
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload(); // a ticket is for one table
});

for (const node of document.querySelectorAll("[data-copy]")) {
  const button = /** @type {HTMLElement} */ (node);
  button.addEventListener("click", async () => {
    const link = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ""));
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
    } catch {
      return; // it is selected: the person can copy it
    }
    say(document.getElementById("words")?.dataset.copied ?? "");
  });
}

const root = document.getElementById("play");
if (root?.dataset.state === "gathering") waitForOthers(root);
else if (root) new Table(root);
if (root && !kept(root)) say(document.getElementById("words")?.dataset.broken ?? "");

/** @param {HTMLElement} place */
function waitForOthers(place) {
  const source = new EventSource(`/t/${place.dataset.table}/live`);
  source.onmessage = (event) => {
    const { number } = JSON.parse(event.data.split("\n")[0]);
    if (String(number) !== place.dataset.number) location.reload();
  };
}
