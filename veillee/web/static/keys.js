// Keyboard shortcuts: Esc always, the others if the person wants them.

/** @param {(key: string) => void} then is told the key, in lower case */
export function listen(then) {
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (!(target instanceof Element) || target.closest("input, select, textarea, dialog")) return;
    if (key === "Escape") then(key);
    else if (key === "Enter" && target !== document.body && target.id !== "choices") return;
    else if ("keys" in document.documentElement.dataset && (key.length === 1 || key === "Enter")) {
      then(key.length === 1 ? key.toLowerCase() : key);
    }
  });
}
