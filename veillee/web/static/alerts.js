// Tells a person who looks elsewhere that it is their turn.

import { followWish } from "./push.js";
import { play } from "./sound.js";

const title = document.title;
const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
const calm = icon?.href ?? "";

/** @param {boolean} yours @param {string} words */
export function alertTurn(yours, words) {
  document.title = yours ? `● ${words} · ${title}` : title;
  if (icon) icon.href = yours ? calm.replace("fire.svg", "fire-lit.svg") : calm;
}

/** @param {string} words */
export function callBack(words) {
  const chosen = document.documentElement.dataset;
  play("turn");
  if (chosen.alerts !== undefined && document.hidden && Notification.permission === "granted") {
    const shown = new Notification("Veillée", { body: words, icon: calm, tag: "turn" });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  }
}

const wish = /** @type {HTMLInputElement | null} */ (document.querySelector("input[name=alerts]"));
wish?.addEventListener("change", async () => {
  if (!("Notification" in window)) return;
  if (wish.checked && (await Notification.requestPermission()) !== "granted") return;
  followWish(wish.checked).catch(() => {}); // no push service: then only while a window is open
});
