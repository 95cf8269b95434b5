// Tells on a tap what something on the board is called and does: its <title>, as a pointer that
// rests shows it.

const board = document.getElementById("board");
const box = document.createElement("p");
box.className = "named";
box.setAttribute("role", "status");
box.hidden = true;
board?.append(box);

/** @param {Element} node @returns {string} the title of the nearest thing around it that has one */
function titleOf(node) {
  const thing = node.closest("g:has(> title), path:has(> title)");
  // The picture as a whole has a title too, of which everything is a part.
  const text = thing?.querySelector(":scope > title:not([id])")?.textContent ?? "";
  return /\p{L}{3}/u.test(text) ? text : "";
}

board?.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const acts = target.closest(".spot.legal, .spot.chosen");
  const text = acts ? "" : titleOf(target);
  box.hidden = !text;
  if (!text) return;
  box.textContent = text;
  const around = board.getBoundingClientRect();
  const x = event.clientX - around.left;
  const y = event.clientY - around.top;
  const { width, height } = box.getBoundingClientRect();
  box.style.left = `${Math.max(4, Math.min(x - width / 2, around.width - width - 4))}px`;
  box.style.top = `${y > height + 16 ? y - height - 12 : y + 16}px`;
});
addEventListener("keydown", ({ key }) => {
  if (key === "Escape") box.hidden = true;
});
