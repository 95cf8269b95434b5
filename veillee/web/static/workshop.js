// The form for a variant: checked by the server while it is filled in, and boards are painted.

const form = /** @type {HTMLFormElement} */ (document.getElementById("values"));
const verdict = /** @type {HTMLElement} */ (document.getElementById("verdict"));
const made = /** @type {HTMLElement} */ (document.getElementById("made"));
/** @type {(x: number, y: number) => void} */
let pointOut = () => {};

// ------------------------------------------------------------ checking

let asked = 0;
let timer = 0;

/** Ask the server about the form as it is now; an answer to an older question is dropped. */
async function check() {
  const number = ++asked;
  let answer;
  try {
    const response = await fetch(form.action, {
      method: "POST",
      headers: { "content-type": "application/json", "x-veillee": "1" },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    });
    answer = await response.json();
  } catch {
    return; // no connection: the next change asks again
  }
  if (number !== asked) return;
  verdict.textContent = answer.said;
  made.hidden = !answer.ok;
  for (const node of form.querySelectorAll(".wrong")) node.classList.remove("wrong");
  if (!answer.ok) {
    document.getElementById(`field-${answer.name}`)?.classList.add("wrong");
    if (answer.line) pointOut(answer.line - 1, answer.column - 1);
    return;
  }
  const field = (/** @type {string} */ css) => /** @type {HTMLInputElement} */ (made.querySelector(css));
  field("input[name=variant]").value = answer.text;
  field("#link").value = answer.share;
  made.querySelector("#table")?.setAttribute("href", answer.table);
  field("#report").hidden = !answer.report;
  made.querySelector("#report a")?.setAttribute("href", answer.report || "/variants");
  const { pathname, search } = new URL(answer.share); // the host's own address may be another
  history.replaceState(null, "", pathname + search);
}

form.addEventListener("input", ({ target }) => {
  const field = /** @type {HTMLInputElement} */ (target);
  if (field.dataset.printed) field.classList.toggle("changed", field.value !== field.dataset.printed);
  clearTimeout(timer);
  timer = window.setTimeout(check, 250);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  check().then(() => verdict.scrollIntoView({ block: "nearest" }));
});

for (const node of document.querySelectorAll("input[data-into]")) {
  const input = /** @type {HTMLInputElement} */ (node);
  input.addEventListener("change", async () => {
    const into = /** @type {HTMLTextAreaElement} */ (input.form?.elements.namedItem(input.dataset.into ?? ""));
    into.value = (await input.files?.[0]?.text()) ?? "";
  });
}

// ------------------------------------------------------------ a board

const board = /** @type {HTMLElement | null} */ (form.querySelector("[data-board]"));
if (board) draw(board);

/** @param {HTMLElement} place */
function draw(place) {
  const { printed, starts } = JSON.parse(place.dataset.board ?? "{}");
  const text = /** @type {HTMLTextAreaElement} */ (place.querySelector("textarea"));
  const grid = /** @type {HTMLElement} */ (place.querySelector(".grid"));
  const words = JSON.parse(grid.dataset.words ?? "{}");
  const side = /** @type {HTMLSelectElement} */ (place.querySelector("[data-side]"));
  const players = /** @type {HTMLSelectElement} */ (place.querySelector("[data-players]"));
  const palette = /** @type {HTMLElement} */ (place.querySelector(".palette"));
  /** @type {string[][]} */
  let rows = [];
  /** @type {string[]} */
  const past = [];
  let brush = "a";
  /** @type {[number, number]} */
  let at = [0, 0];
  let painting = false;

  const read = (/** @type {string} */ board) => board.trim().split(/\s+/).map((row) => [...row]);
  const written = () => rows.map((row) => row.join("") + "\n").join("");
  const cell = (/** @type {number} */ x, /** @type {number} */ y) =>
    /** @type {HTMLElement | undefined} */ (grid.children[x]?.children[y]);

  function keep() {
    past.push(written());
    if (past.length > 100) past.shift();
  }

  /** Write the drawing into the form and have it checked; the printed board is no value. */
  function changed() {
    const now = written();
    text.value = Object.values(printed).includes(now) && now === printed[players.value] ? "" : now;
    text.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** @param {number} x @param {number} y */
  function show(x, y) {
    const node = cell(x, y);
    if (!node) return;
    const room = rows[x]?.[y] ?? ".";
    const middle = (rows.length - 1) / 2;
    const start = starts[players.value][rows.length]?.some((/** @type {number[]} */ s) => s[0] === x && s[1] === y);
    node.dataset.room = room;
    node.textContent = room === "." ? "" : room;
    node.classList.toggle("start", Boolean(start));
    node.classList.toggle("middle", x === middle && y === middle);
    const said = [words.square.replace("{row}", x + 1).replace("{column}", y + 1)];
    said.push(room === "." ? words.passage : words.room.replace("{room}", room));
    if (start) said.push(words.start);
    if (x === middle && y === middle) said.push(words.middle);
    node.setAttribute("aria-label", said.join(", "));
  }

  function redraw() {
    side.value = String(rows.length);
    grid.replaceChildren(
      ...rows.map((row, x) => {
        const line = document.createElement("div");
        line.setAttribute("role", "row");
        line.append(
          ...row.map((_, y) => {
            const node = document.createElement("div");
            node.setAttribute("role", "gridcell");
            node.tabIndex = x === at[0] && y === at[1] ? 0 : -1;
            return node;
          }),
        );
        return line;
      }),
    );
    rows.forEach((row, x) => row.forEach((_, y) => show(x, y)));
  }

  /** @param {number} x @param {number} y @param {string} room */
  function paint(x, y, room) {
    const row = rows[x];
    if (row?.[y] === undefined || row[y] === room) return;
    row[y] = room;
    show(x, y);
    changed();
  }

  /** @param {number} x @param {number} y */
  function go(x, y) {
    const last = rows.length - 1;
    const old = cell(at[0], at[1]);
    if (old) old.tabIndex = -1;
    at = [Math.max(0, Math.min(last, x)), Math.max(0, Math.min(last, y))];
    const node = cell(at[0], at[1]);
    if (!node) return;
    node.tabIndex = 0;
    node.focus();
  }

  /** @param {string} room */
  function choose(room) {
    brush = room;
    const radio = palette.querySelector(`input[value="${room}"]`);
    if (radio) /** @type {HTMLInputElement} */ (radio).checked = true;
  }

  /** @param {Element | null | undefined} node @returns {[number, number] | null} */
  function placeOf(node) {
    const line = node?.parentElement;
    if (!node || !line || line.parentElement !== grid) return null;
    return [[...grid.children].indexOf(line), [...line.children].indexOf(node)];
  }

  /** @param {PointerEvent} event @returns {[number, number] | null} */
  function under(event) {
    return placeOf(document.elementFromPoint(event.clientX, event.clientY)?.closest("[role=gridcell]"));
  }

  for (const room of ".abcdefghijklmnopqrstuvwxyz") {
    const label = document.createElement("label");
    const radio = document.createElement("input");
    radio.type = "radio";
    radio.name = "brush";
    radio.value = room;
    radio.setAttribute("form", ""); // a tool, not a value
    radio.setAttribute("aria-label", room === "." ? words.passage : words.room.replace("{room}", room));
    radio.addEventListener("change", () => choose(room));
    const swatch = document.createElement("span");
    swatch.dataset.room = room;
    swatch.textContent = room === "." ? "·" : room;
    label.append(radio, swatch);
    palette.append(label);
  }

  grid.addEventListener("pointerdown", (event) => {
    const found = under(event);
    if (!found || event.button) return;
    event.preventDefault();
    keep();
    painting = true;
    go(found[0], found[1]);
    paint(found[0], found[1], brush);
  });
  addEventListener("pointermove", (event) => {
    const found = painting && under(event);
    if (found) paint(found[0], found[1], brush);
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (painting = false));
  grid.addEventListener("focusin", (event) => {
    at = placeOf(/** @type {Element} */ (event.target)) ?? at;
  });
  grid.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [x, y] = at;
    const down = { ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0;
    const right = { ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0;
    if (down || right) go(x + down, y + right);
    else if (event.key === "Home") go(x, 0);
    else if (event.key === "End") go(x, rows.length - 1);
    else if (/^[a-z.]$/.test(event.key) || event.key === " " || event.key === "Enter") {
      keep();
      if (event.key.length === 1 && event.key !== " ") choose(event.key);
      paint(x, y, brush);
    } else return;
    event.preventDefault();
  });
  side.addEventListener("change", () => {
    keep();
    const n = Number(side.value);
    rows = Array.from({ length: n }, (_, x) => Array.from({ length: n }, (_, y) => rows[x]?.[y] ?? "."));
    at = [0, 0];
    redraw();
    changed();
  });
  players.addEventListener("change", () => {
    if (!text.value.trim()) rows = read(printed[players.value]);
    redraw();
  });
  place.querySelector(".drawing")?.addEventListener("click", (event) => {
    const fill = /** @type {HTMLElement} */ (event.target).dataset?.fill;
    if (!fill) return;
    if (fill === "undo") {
      const before = past.pop();
      if (!before) return;
      rows = read(before);
    } else {
      keep();
      rows = read(printed[players.value]);
      if (fill === "empty") rows = rows.map((row, x) => row.map((_, y) => (x === y && x * 2 === rows.length - 1 ? "a" : ".")));
    }
    at = [0, 0];
    redraw();
    changed();
  });

  pointOut = (x, y) => {
    cell(x, y)?.classList.add("wrong");
  };
  text.addEventListener("change", () => {
    if (!text.value.trim()) rows = read(printed[players.value]);
    else if (read(text.value).every((row, _, all) => row.length === all.length)) rows = read(text.value);
    redraw();
  });
  rows = read(text.value.trim() || printed[players.value]);
  choose("a");
  redraw();
  /** @type {HTMLElement} */ (place.querySelector(".drawing")).hidden = false;
  /** @type {HTMLElement} */ (place.querySelector(".typed")).hidden = true;
}

export {};
