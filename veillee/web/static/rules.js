// The rules over the table, so that nobody has to leave it; and their button for printing.

const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector(".table .barlink"));

/** @type {HTMLDialogElement | null} */
let dialog = null;

/** @param {string} address @returns {Promise<HTMLDialogElement | null>} */
async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) return null;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const article = page.querySelector("article.rules");
  if (!article || !link) return null;
  const made = document.createElement("dialog");
  made.className = "over-table";
  made.setAttribute("aria-label", article.querySelector("h1")?.textContent?.trim() ?? "");
  const close = document.createElement("button");
  close.className = "close";
  close.textContent = link.dataset.close ?? "×";
  close.addEventListener("click", () => made.close());
  made.append(close, document.importNode(article, true));
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close();
  });
  document.body.append(made);
  return made;
}

link?.addEventListener("click", async (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  dialog ??= await load(link.href).catch(() => null);
  if (dialog) dialog.showModal();
  else location.assign(link.href);
});

for (const one of document.querySelectorAll(".print")) {
  one.addEventListener("click", () => window.print());
}
