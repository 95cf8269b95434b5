// Shows what moved: each piece glides from where it was, in the order in which it happened.

import { hear } from "./sound.js";

const FACTOR = { slow: 1.8, normal: 1, fast: 0.5, instant: 0 };
const MOST = 40;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** How long things take, as a factor; 0 is at once. */
export function pace() {
  if (still.matches || document.hidden) return 0;
  const speed = document.documentElement.dataset.speed ?? "normal";
  return FACTOR[/** @type {keyof typeof FACTOR} */ (speed)] ?? 1;
}

/** @typedef {Map<string, {piece: Element, place: DOMMatrix, face: string | null}>} Places */

/** @param {Element} piece @returns {string | null} what it shows */
const faceOf = (piece) => piece.querySelector("use")?.getAttribute("href") ?? null;

/** @param {Element} root @returns {Places} where each piece lies */
export function places(root) {
  /** @type {Places} */
  const found = new Map();
  for (const piece of root.querySelectorAll(".piece[id]")) {
    const matrix = /** @type {SVGGElement} */ (piece).getCTM();
    if (!matrix) continue;
    found.set(piece.id, { piece, place: DOMMatrix.fromMatrix(matrix), face: faceOf(piece) });
  }
  return found;
}

/** @param {Element} root @returns {Map<string, [number, string]>} the moves: when, from where */
function moves(root) {
  const told = root.querySelector("[data-moves]")?.getAttribute("data-moves") ?? "";
  return new Map(
    told.split(" ").map((move, i) => {
      const [name = "", source = ""] = move.split(":");
      return [name, [i, source]];
    }),
  );
}

/**
 * Let pieces that are gone fade where they lay; nothing knows them any more.
 * @param {Element} root @param {Places} before @param {Set<string>} kept those that are not gone
 * @param {number} factor @returns {Animation[]}
 */
function fade(root, before, kept, factor) {
  const picture = root.querySelector("svg");
  const here = picture?.querySelector("g")?.getCTM();
  if (!picture || !here) return [];
  const back = DOMMatrix.fromMatrix(here).inverse();
  const gone = [...before].filter(([id]) => !kept.has(id)).slice(0, MOST);
  return gone.map(([, { piece, place }]) => {
    const { a, b, c, d, e, f } = back.multiply(place);
    piece.removeAttribute("id");
    piece.setAttribute("transform", `matrix(${a} ${b} ${c} ${d} ${e} ${f})`);
    picture.append(piece);
    const leaving = piece.animate({ opacity: [1, 0] }, { duration: 500 * factor });
    leaving.finished.finally(() => piece.remove());
    return leaving;
  });
}

/**
 * Turn a card over: hold one's breath, then turn it.
 * @param {Element} card @param {string} back what it shows before @param {number} factor
 */
async function reveal(card, back, factor) {
  const face = card.querySelector("use");
  const front = face?.getAttribute("href");
  if (!face || !front) return;
  face.setAttribute("href", back);
  const breath = { scale: ["1 1", "1.06 1.06", "1 1", "1.1 1.1", "1 1"] };
  await card.animate(breath, { duration: 1100 * factor }).finished;
  await card.animate({ scale: ["1 1", "0 1"] }, { duration: 180 * factor }).finished;
  face.setAttribute("href", front);
  await card.animate({ scale: ["0 1", "1 1"] }, { duration: 220 * factor }).finished;
}

/**
 * Let the pieces glide from where they were, one after the other, and turn those that show another
 * face; what is gone fades. Ends when all have arrived.
 * @param {Element} root @param {Places} before @param {number} hurry a factor below 1 if more waits
 */
export async function glide(root, before, hurry = 1) {
  const factor = pace() * hurry;
  if (!factor || !before.size) return;
  const now = places(root);
  const told = moves(root);
  /** @type {{piece: SVGGElement, x: number, y: number, when: number, turns: boolean}[]} */
  const moved = [];
  /** @type {SVGGElement[]} */
  const fresh = [];
  /** @type {Promise<unknown>[]} */
  const reveals = [];
  for (const node of root.querySelectorAll(".piece[id]")) {
    const piece = /** @type {SVGGElement} */ (node);
    const [when, source] = told.get(piece.id) ?? [Infinity, ""];
    const was = before.get(piece.id) ?? before.get(source) ?? now.get(source);
    const is = now.get(piece.id);
    const around = /** @type {SVGGElement} */ (piece.parentNode).getCTM?.();
    if (!is || !around) continue;
    const back = piece.classList.contains("reveal") ? `#${piece.dataset.back}` : "";
    if (back && back !== is.face && was?.face !== is.face) {
      reveals.push(reveal(piece, back, factor));
      continue;
    }
    if (!was) {
      fresh.push(piece);
      continue;
    }
    const turns = Boolean(was.face && is.face && was.face !== is.face);
    if (turns || Math.hypot(was.place.e - is.place.e, was.place.f - is.place.f) > 1) {
      const back = DOMMatrix.fromMatrix(around).inverse();
      const a = new DOMPoint(was.place.e, was.place.f).matrixTransform(back);
      const b = new DOMPoint(is.place.e, is.place.f).matrixTransform(back);
      moved.push({ piece, x: a.x - b.x, y: a.y - b.y, when, turns });
    }
  }
  moved.sort((a, b) => a.when - b.when || Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));
  const first = moved.filter(({ when }) => when < Infinity).length || moved.length;
  const gap = Math.min(150, 1500 / Math.max(1, first)) * factor;
  const running = moved.map(({ piece, x, y, turns }, i) => {
    /** @type {PropertyIndexedKeyframes} */
    const frames = { translate: [`${x}px ${y}px`, "0px 0px"] };
    if (turns) frames.scale = ["0 1", "1 1"];
    if (i < Math.min(first, MOST)) hear(piece.id, turns, i * gap + (turns ? 0 : 300 * factor));
    return piece.animate(frames, {
      duration: 440 * factor,
      delay: i < first ? i * gap : 0, // what only makes room does so meanwhile
      fill: "backwards",
      easing: "cubic-bezier(.3,.7,.2,1)",
    });
  });
  const sources = [...told.values()].map(([, source]) => source);
  running.push(...fade(root, before, new Set([...now.keys(), ...sources]), factor));
  for (const piece of fresh.slice(0, MOST)) {
    const late = piece.classList.contains("late") && reveals.length ? 1500 * factor : 0;
    const appears = { duration: 300 * factor, delay: late, fill: /** @type {const} */ ("backwards") };
    running.push(piece.animate({ opacity: [0, 1] }, appears));
  }
  await Promise.allSettled([...reveals, ...running.map((one) => one.finished)]);
}

/** @param {number} ms */
export const rest = (ms) => new Promise((done) => setTimeout(done, ms));
