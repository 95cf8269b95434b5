// Shows what moved: each piece glides from where it was, the nearest first.

const FACTOR = { slow: 1.8, normal: 1, fast: 0.5, instant: 0 };
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** How long things take, as a factor; 0 is at once. */
export function pace() {
  if (still.matches || document.hidden) return 0;
  const speed = document.documentElement.dataset.speed ?? "normal";
  return FACTOR[/** @type {keyof typeof FACTOR} */ (speed)] ?? 1;
}

/** @typedef {Map<string, DOMMatrix>} Places */

/** @param {Element} root @returns {Places} where each piece lies */
export function places(root) {
  /** @type {Places} */
  const found = new Map();
  for (const piece of root.querySelectorAll(".piece[id]")) {
    const matrix = /** @type {SVGGElement} */ (piece).getCTM();
    if (matrix) found.set(piece.id, DOMMatrix.fromMatrix(matrix));
  }
  return found;
}

/**
 * Let the pieces glide from where they were. Ends when all have arrived.
 * @param {Element} root @param {Places} before @param {number} hurry a factor below 1 if more waits
 */
export async function glide(root, before, hurry = 1) {
  const factor = pace() * hurry;
  if (!factor || !before.size) return;
  /** @type {{piece: SVGGElement, x: number, y: number, far: number}[]} */
  const moved = [];
  /** @type {SVGGElement[]} */
  const fresh = [];
  for (const node of root.querySelectorAll(".piece[id]")) {
    const piece = /** @type {SVGGElement} */ (node);
    const was = before.get(piece.id);
    const is = piece.getCTM();
    const around = /** @type {SVGGElement} */ (piece.parentNode).getCTM?.();
    if (!is || !around) continue;
    if (!was) fresh.push(piece);
    else if (Math.hypot(was.e - is.e, was.f - is.f) > 1) {
      const back = DOMMatrix.fromMatrix(around).inverse();
      const a = new DOMPoint(was.e, was.f).matrixTransform(back);
      const b = new DOMPoint(is.e, is.f).matrixTransform(back);
      moved.push({ piece, x: a.x - b.x, y: a.y - b.y, far: Math.hypot(a.x - b.x, a.y - b.y) });
    }
  }
  moved.sort((a, b) => a.far - b.far);
  const gap = Math.min(130, 1100 / Math.max(1, moved.length)) * factor;
  const running = moved.map(({ piece, x, y }, i) =>
    piece.animate(
      { translate: [`${x}px ${y}px`, "0px 0px"] },
      { duration: 420 * factor, delay: i * gap, fill: "backwards", easing: "cubic-bezier(.3,.7,.2,1)" },
    ),
  );
  for (const piece of fresh.slice(0, 40)) {
    running.push(piece.animate({ opacity: [0, 1] }, { duration: 300 * factor, fill: "backwards" }));
  }
  await Promise.allSettled(running.map((one) => one.finished));
}

/** @param {number} ms */
export const rest = (ms) => new Promise((done) => setTimeout(done, ms));
