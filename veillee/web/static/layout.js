// Which layout of the picture fits the window, and whose panel comes first in it.

/** The choices are beside the board; else below it. As in the stylesheet. */
const beside = matchMedia("(min-width: 50rem) and (min-height: 36rem) and (min-aspect-ratio: 6/5)");

/** @returns {"wide" | "square" | "tall"} the layout that fills the window best */
export function shape() {
  const { innerWidth: width, innerHeight: height } = window;
  if (beside.matches) {
    const side = Math.min(416, Math.max(264, width * 0.24));
    return (width - side - 36) / (height - 60) > 1.2 ? "wide" : "square";
  }
  if (width < 620) return "tall";
  return width >= 900 && width > 1.2 * (height - 232) ? "wide" : "square";
}

/** Tell the server, which draws the next page. */
export const keepShape = () => {
  document.cookie = `shape=${shape()}; path=/; max-age=31536000; samesite=lax`;
};

const rules = new CSSStyleSheet();

/**
 * Put a seat's panel first, the others after it in turn order, and mark one's own. Done by a
 * stylesheet, so that it lasts while the picture changes.
 * @param {Element} root @param {number} first @param {number} own -1 for none
 */
export function arrange(root, first, own) {
  const panels = [...root.querySelectorAll("#public [data-at]")];
  const places = panels.map((panel) => (panel.getAttribute("data-at") ?? "").split(" ").map(Number));
  const n = places.length;
  let text = `#seat-${own} .you, #public [data-panel="${own}"] .you { display: inline }
    #public [data-panel="${own}"] .name { display: none }
    @media (max-width: 38.74rem) { #seat-${own} .you + .who { display: none } }`;
  for (const [seat, [x = 0, y = 0]] of places.entries()) {
    const [left = 0, top = 0] = places[(seat - first + n) % n] ?? [];
    const moved = `translate(${left - x}px, ${top - y}px)`;
    text += `#public [data-panel="${seat}"] { transform: ${moved} }`;
    if (seat < first) text += `#seat-${seat} { order: 1 }`;
  }
  rules.replaceSync(text);
  if (!document.adoptedStyleSheets.includes(rules)) document.adoptedStyleSheets.push(rules);
}
