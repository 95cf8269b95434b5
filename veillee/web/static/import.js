// A saved game that is dropped anywhere on the page is imported.

const form = /** @type {HTMLFormElement} */ (document.getElementById("import"));
const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("record"));

addEventListener("dragover", (event) => {
  event.preventDefault();
  form.classList.add("over");
});
addEventListener("dragleave", () => form.classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  form.classList.remove("over");
  const files = event.dataTransfer?.files;
  if (!files?.length) return;
  field.files = files;
  form.requestSubmit();
});
