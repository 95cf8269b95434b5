// Every page: gives forms a nonce of this browser, copies links, and brings tables to life.

import { kept, nonce, remember } from "./promise.js";
import { keepShape } from "./layout.js";
import { Table, say } from "./table.js";

keepShape();
document.documentElement.classList.add("script");
navigator.serviceWorker?.register("/sw.js");

for (const field of document.querySelectorAll("input[name=nonce]")) {
  /** @type {HTMLInputElement} */ (field).value = nonce();
}
for (const ticket of document.querySelectorAll("input[data-commitment]")) {
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

for (const node of document.querySelectorAll("[data-share]")) {
  const button = /** @type {HTMLElement} */ (node);
  button.hidden &&= !navigator.share;
  button.addEventListener("click", async () => {
    const link = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.share ?? ""));
    try {
      if (navigator.share) return await navigator.share({ title: button.dataset.title, url: link.value });
      await navigator.clipboard.writeText(link.value);
    } catch {
      return; // the person changed their mind
    }
    say(document.getElementById("words")?.dataset.copied ?? "");
  });
}

/** @type {HTMLDetailsElement | null} */
const menu = document.querySelector("details.menu");
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu?.open) return;
  menu.open = false;
  menu.querySelector("summary")?.focus();
  event.preventDefault();
});
addEventListener("click", ({ target }) => {
  if (menu?.open && target instanceof Node && !menu.contains(target)) menu.open = false;
});

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
