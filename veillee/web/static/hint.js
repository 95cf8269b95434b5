// A hint: what a bot would do, why, and a button that does it.

import { button, element } from "./choose.js";

/**
 * @typedef {{answer: {say: string, why: string}, words: DOMStringMap, play: () => void}} Hint
 */

const box = /** @type {HTMLElement} */ (document.getElementById("advice"));
const root = document.getElementById("play");

root?.addEventListener("hint", (event) => {
  const { answer, words, play } = /** @type {CustomEvent<Hint>} */ (event).detail;
  const what = element("p", "", `${words.hintSays ?? ""} `);
  what.append(element("b", "", answer.say));
  const acts = element("div", "pair");
  acts.append(
    button(words.hintPlay ?? "", "fire", () => {
      box.replaceChildren();
      play();
    }),
    button(words.close ?? "", "quiet", () => box.replaceChildren()),
  );
  box.replaceChildren(what, element("p", "", answer.why), acts);
});
root?.addEventListener("shown", (event) => {
  const { same } = /** @type {CustomEvent<{same: boolean}>} */ (event).detail;
  if (!same) box.replaceChildren();
});
