// A table in the browser: receives what happens, plays it step by step, and sends decisions.

import { alertTurn, callBack } from "./alerts.js";
import { Chooser, element } from "./choose.js";
import { arrange, keepShape, shape } from "./layout.js";
import { listen } from "./keys.js";
import { fill, parsed, renew } from "./morph.js";
import { glide, pace, places, rest } from "./motion.js";
import { nonce, remember } from "./promise.js";

/**
 * @typedef {import("./choose.js").Choices} Choices
 * @typedef {import("./choose.js").Choice} Choice
 * @typedef {{picture?: string[], changes?: [number, string][]}} Drawn a picture in parts; or those
 *   that changed, each with its place
 * @typedef {Drawn & {number: number, moment: number, state: string, top?: string, awaited: number, status: string,
 *            whole?: boolean, log?: Told[], lines?: Told[]}} Public
 * @typedef {{seat?: number, yours?: boolean, curtain?: number, status?: string, overlay?: string,
 *            choices?: Choices, lines?: Told[], panel?: string}} Mine
 * @typedef {{lines: string[], turn?: number, note?: boolean}} Told lines of the log: whose turn it
 *   is, and whether they are not about the game
 */

/** @param {string[]} old @param {Drawn} drawn @returns {string[]} the parts of the new picture */
function renewed(old, { picture, changes }) {
  const parts = picture ?? [...old];
  for (const [place, part] of changes ?? []) parts[place] = part;
  return parts;
}

/** @param {string} id @returns {HTMLElement} */
const at = (id) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no #${id}`);
  return found;
};

/** @param {string} words */
export function say(words) {
  const alarm = document.getElementById("alarm");
  if (!alarm) return;
  alarm.textContent = words;
  alarm.hidden = false;
  moveClear(alarm);
  clearTimeout(Number(alarm.dataset.timer));
  alarm.dataset.timer = String(setTimeout(() => (alarm.hidden = true), 6000));
}

/** Move a toast to the highest place where it covers nothing that can be chosen.
 * @param {HTMLElement} toast */
function moveClear(toast) {
  toast.style.top = toast.style.bottom = "";
  const { left, right, top, height } = toast.getBoundingClientRect();
  const choices = [...document.querySelectorAll("#board .spot.legal .halo, #choices button")]
    .map((choice) => choice.getBoundingClientRect())
    .filter((box) => box.width && box.left < right && box.right > left);
  /** @param {number} y */
  const isClear = (y) => choices.every((box) => box.top >= y + height || box.bottom <= y);
  for (let y = top; y + height <= innerHeight; y += 8) {
    if (!isClear(y)) continue;
    if (y > top) [toast.style.top, toast.style.bottom] = [`${y}px`, "auto"];
    return;
  }
}

/** @param {number} seat @returns {Element | null} its face, from its panel on the board */
function faceOf(seat) {
  const faces = `#public [data-panel="${seat}"] use:not(.coin use, .card use, #bottle use)`;
  const name = document.querySelector(faces)?.getAttribute("href");
  const symbol = name && document.querySelector(name);
  if (!symbol) return null;
  const around = symbol.nodeName === "symbol" ? "0 0 24 24" : "-13 -13 26 26";
  return parsed(
    `<svg viewBox="${around}" aria-hidden="true"><use href="${name}" width="24" height="24"/></svg>`,
  );
}

export class Table {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.id = root.dataset.table ?? "";
    this.words = at("words").dataset;
    this.moment = Number(root.dataset.moment);
    this.state = root.dataset.state ?? "";
    /** @type {string | null} the seat for which the curtain is lifted */
    this.shows = root.dataset.shows ?? null;
    /** @type {string[]} the picture, in parts */
    this.parts = [];
    /** @type {[Public, Mine][]} */
    this.queue = [];
    this.playing = false;
    this.yours = false;
    /** The moment whose decision is on its way. */
    this.sending = -1;
    /** @type {Map<string, Promise<string>>} */
    this.ghosts = new Map();
    this.wanted = "";
    this.chooser = new Chooser(at("choices"), at("board"), this.words, {
      send: (choice) => void this.send(choice),
      preview: (choice) => void this.preview(choice),
      why: (picks) => void this.explain(picks),
    });
    root.addEventListener("submit", (event) => this.submitted(event));
    root.addEventListener("click", (event) => this.clicked(event));
    listen((key) => this.key(key));
    this.outline = /** @type {HTMLDetailsElement | null} */ (document.getElementById("outline"));
    this.outline?.addEventListener("toggle", () => {
      localStorage.setItem("outline", this.outline?.open ? "1" : "");
      void this.describe();
    });
    if (this.outline && localStorage.getItem("outline")) this.outline.open = true;
    addEventListener("resize", () => {
      if (shape() === this.root.dataset.shape) return;
      keepShape();
      this.connect();
    });
    this.arrange();
    setInterval(() => this.tick(), 1000);
    this.connect();
  }

  // ---------------------------------------------------------------- receiving

  connect() {
    this.source?.close();
    if (this.root.dataset.shape !== shape()) {
      this.root.dataset.shape = shape();
      this.ghosts.clear();
      this.wanted = "";
      at("ghost").replaceChildren();
    }
    const look = this.shows === null ? "" : `&look=${this.shows}`;
    this.source = new EventSource(`/t/${this.id}/live?shape=${shape()}${look}`);
    this.source.onmessage = (event) => this.received(event.data);
    this.source.onerror = () => {
      if (this.lost) return;
      this.lost = true;
      say(this.words.lost ?? "");
      if (this.source?.readyState === EventSource.CLOSED) setTimeout(() => this.connect(), 2000);
    };
  }

  /** @param {string} data two lines: what all see, and what only this seat sees */
  received(data) {
    const [shared, own] = data.split("\n");
    if (!shared) return;
    if (this.lost) {
      this.lost = false;
      say(this.words.backAgain ?? "");
    }
    this.queue.push([JSON.parse(shared), JSON.parse(own || "{}")]);
    if (!this.playing) void this.play();
  }

  async play() {
    this.playing = true;
    for (let next; (next = this.queue.shift()); ) await this.step(...next);
    this.playing = false;
  }

  /** @param {Public} shared @param {Mine} own */
  async step(shared, own) {
    if (shared.state !== this.state && !shared.whole) {
      await this.draw(shared, 1);
      if (shared.state === "over") await rest(900 * pace());
      location.reload();
      return;
    }
    const same = shared.moment === this.moment;
    if (!same) this.chooser.offer(null, -1);
    if (shared.top) fill(at("public-top"), shared.top);
    this.mark(shared.awaited);
    at("status").textContent = own.status || shared.status;
    const lines = own.lines ?? shared.lines ?? [];
    if (shared.log) at("log").replaceChildren();
    this.tell(shared.log ? (own.lines ?? shared.log) : lines);
    await this.draw(shared, this.queue.length > 2 ? 0.3 : 1);
    this.moment = shared.moment;
    this.show(own, same);
    if (!shared.log) {
      const told = lines.flatMap((one) => one.lines);
      at("live").textContent = [...told, at("status").textContent].join(" ");
    }
    void this.describe();
  }

  /** Bring the board in words up to date, if it is read. */
  async describe() {
    if (!this.outline?.open) return;
    const look = this.shows === null ? "" : `?look=${this.shows}`;
    const answer = await fetch(`/t/${this.id}/outline${look}`).catch(() => null);
    if (answer?.ok) fill(at("position"), await answer.text());
  }

  /** @param {number} seat whose decision is awaited */
  mark(seat) {
    for (const one of this.root.querySelectorAll(".seat")) {
      const on = one.id === `seat-${seat}`;
      one.classList.toggle("on", on);
      if (on) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
  }

  /** @param {Drawn} drawn @param {number} hurry */
  async draw(drawn, hurry) {
    if (!drawn.picture && !drawn.changes?.length) return;
    const known = this.parts.length > 0 && !drawn.picture;
    this.parts = renewed(this.parts, drawn);
    await this.paint(this.parts, hurry, known ? drawn.changes?.map(([place]) => place) : undefined);
  }

  /** @param {string[]} parts @param {number} hurry @param {number[]} [changed] only these changed */
  async paint(parts, hurry, changed) {
    const box = at("public");
    const picture = box.querySelector("svg");
    const size = picture?.getAttribute("viewBox");
    const before = pace() ? places(box) : new Map();
    // The first part begins the picture, so its first child is part 1.
    if (picture && changed) renew(picture, changed.map((place) => [place - 1, parts[place] ?? ""]));
    else fill(box, parts.join(""));
    this.chooser.light();
    if (!changed) this.arrange();
    // In another layout everything is elsewhere, but nothing has moved.
    if (box.querySelector("svg")?.getAttribute("viewBox") === size) await glide(box, before, hurry);
  }

  arrange() {
    const { first, own } = this.root.dataset;
    arrange(this.root, Number(first), Number(own ?? -1));
  }

  /** @param {Mine} own @param {boolean} same whether it is still the same decision */
  show(own, same) {
    if (own.overlay !== undefined) fill(at("private"), own.overlay);
    if (own.panel !== undefined) {
      fill(at("own"), own.panel);
      at("own").querySelector(".notice")?.scrollIntoView({ block: "nearest" });
    }
    const curtain = own.curtain ?? -1;
    this.curtain(curtain, own.status ?? "");
    const yours = Boolean(own.yours);
    at("mine").classList.toggle("yours", yours);
    if (!same || yours !== this.yours || !this.chooser.choices) {
      this.ghosts.clear();
      this.chooser.offer(own.choices ?? null, own.seat ?? -1);
    } else this.chooser.refresh();
    const ready = document.getElementById("ready");
    if (ready) {
      remember(ready);
      void this.post("ready", { nonce: nonce() });
    }
    const turn = yours || curtain >= 0;
    if (turn && !this.turn) callBack(this.words.yours ?? "");
    this.turn = turn;
    this.yours = yours;
    alertTurn(turn, this.words.yours ?? "");
    this.announce("shown", { own, same, chooser: this.chooser });
  }

  /** @param {string} name @param {object} detail what guide.js and hint.js listen for */
  announce(name, detail) {
    this.root.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** @param {number} seat @param {string} words */
  curtain(seat, words) {
    const old = document.getElementById("curtain");
    if (seat < 0) {
      old?.remove();
      return;
    }
    this.shows = null;
    if (old?.dataset.seat === String(seat)) return;
    old?.remove();
    const made = element("div", "curtain");
    made.id = "curtain";
    made.dataset.seat = String(seat);
    const lift = element("button", "fire", this.words.lift || "✓");
    lift.addEventListener("click", () => {
      made.remove();
      this.shows = String(seat);
      this.connect();
    });
    made.append(element("p", "", words), lift);
    at("mine").prepend(made);
    lift.focus({ preventScroll: true });
  }

  /** @param {Told[]} news by turn, the last one on top; a turn is read downwards */
  tell(news) {
    for (const { lines, turn = -1, note } of news) {
      let group = /** @type {HTMLElement | null} */ (at("log").firstElementChild);
      if (!group || (!note && group.dataset.turn !== String(turn))) {
        group = this.turnOf(turn);
        at("log").prepend(group);
      }
      group.lastElementChild?.append(...lines.map((line) => element("li", note ? "note" : "", line)));
    }
  }

  /** @param {number} seat @returns {HTMLElement} an empty turn of the log, with its player's face */
  turnOf(seat) {
    const group = element("div", seat < 0 ? "turn" : `turn by-${seat}`);
    group.dataset.turn = String(seat);
    const name = document.querySelector(`#seat-${seat} .who`)?.textContent;
    if (name) {
      const title = element("h3", "", (this.words.turn ?? "").replace("{name}", name));
      const face = faceOf(seat);
      if (face) title.prepend(face);
      group.append(title);
    }
    group.append(element("ul", ""));
    return group;
  }

  tick() {
    for (const clock of this.root.querySelectorAll("time[data-runs]")) {
      const shown = /** @type {HTMLElement} */ (clock);
      const left = Math.max(0, Number(shown.dataset.seconds) - 1);
      shown.dataset.seconds = String(left);
      shown.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    }
  }

  // ---------------------------------------------------------------- sending

  /** @param {string} act @param {Record<string, string>} fields */
  async post(act, fields) {
    // A move is sent until it arrives: it has a token, so that it counts once.
    for (let attempt = 0; act === "play" || attempt < 4; attempt++) {
      try {
        const answer = await fetch(`/t/${this.id}/${act}`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-veillee": "1" },
          body: JSON.stringify(fields),
        });
        const body = await answer.json();
        if (body.refused) say(body.refused);
        return body;
      } catch {
        if (act === "play") say(this.words.unsent ?? "");
        const online = new Promise((back) => addEventListener("online", back, { once: true }));
        await Promise.race([rest(Math.min(400 * 2 ** attempt, 5000)), online]);
      }
    }
    say(this.words.lost ?? "");
    return { refused: true };
  }

  /** @param {Choice} choice */
  async send(choice) {
    if (this.sending === this.moment) return;
    this.sending = this.moment;
    const box = at("choices");
    const buttons = box.querySelectorAll("button");
    if (box.contains(document.activeElement)) box.focus({ preventScroll: true });
    for (const one of buttons) one.disabled = true;
    const token = crypto.getRandomValues(new Uint32Array(4)).join("-");
    const fields = { action: choice.action, moment: String(this.moment), token };
    const answer = await this.post("play", fields);
    if (!answer.refused) return;
    this.sending = -1;
    for (const one of buttons) one.disabled = false;
  }

  /** @param {SubmitEvent} event */
  submitted(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.classList.contains("act")) return;
    event.preventDefault();
    // Not `form.action`: a button of that name would stand in its place.
    const act = form.getAttribute("action")?.split("/").pop() ?? "";
    /** @type {Record<string, string>} */
    const fields = {};
    for (const [key, value] of new FormData(form, event.submitter)) fields[key] = String(value);
    if (act === "play") fields.moment = String(this.moment);
    void this.post(act, fields).then((answer) => {
      if (act !== "hint" || answer.refused || answer.moment !== this.moment) return;
      const choice = this.chooser.choices?.all.find((one) => one.action === answer.action);
      if (!choice) return;
      this.chooser.hint = answer.action;
      this.chooser.draw(false);
      this.announce("hint", { answer, words: this.words, play: () => void this.send(choice) });
    });
    form.closest("details")?.removeAttribute("open");
  }

  /** @param {Event} event */
  clicked(event) {
    if (event.target instanceof Element && event.target.id === "since") void this.since();
  }

  // ---------------------------------------------------------------- looking closer

  /** @param {Choice | null} choice */
  async preview(choice) {
    const box = at("ghost");
    const action = choice?.action ?? "";
    if (action === this.wanted) return;
    this.wanted = action;
    if (!action) {
      box.replaceChildren();
      return;
    }
    let drawn = this.ghosts.get(action);
    if (!drawn) {
      const query = new URLSearchParams({ action, moment: String(this.moment), shape: shape() });
      drawn = fetch(`/t/${this.id}/ghost?${query}`)
        .then((answer) => (answer.ok ? answer.text() : ""))
        .catch(() => "");
      this.ghosts.set(action, drawn);
    }
    const picture = await drawn;
    if (this.wanted !== action) return;
    fill(box, picture);
    this.chooser.light();
  }

  /** @param {import("./choose.js").Pick[]} picks */
  async explain(picks) {
    const query = new URLSearchParams(picks.map(([f, v]) => [`pick.${f}`, v]));
    const answer = await fetch(`/t/${this.id}/why?${query}`);
    if (!answer.ok) return;
    const { why, because } = await answer.json();
    say(why);
    for (const [field, value] of because ?? []) {
      const spots = `.spot[data-field="${field}"][data-value="${value}"]`;
      for (const spot of at("board").querySelectorAll(spots)) {
        spot.classList.add("why");
        setTimeout(() => spot.classList.remove("why"), 4000);
      }
    }
  }

  /** @param {string} key a shortcut */
  key(key) {
    const { chooser } = this;
    const option = /** @type {NodeListOf<HTMLElement>} */ (
      at("choices").querySelectorAll(".options button")
    )[Number(key) - 1];
    /** @param {string} found */
    const press = (found) =>
      /** @type {HTMLElement | null} */ (this.root.querySelector(found))?.click();
    if (key === "Escape") {
      if (chooser.picks.length) chooser.takeBack();
    } else if (option) option.click();
    else if (key === "Enter") press("#choices .commit");
    else if (key === "u") press("form[action$='/undo'] button");
    else if (key === "h") press(".mine.yours form[action$='/hint'] button");
    else if (key === "r") press("#since");
    else if (key === "b" && this.outline) {
      this.outline.open = !this.outline.open;
      this.outline.querySelector("summary")?.focus();
    } else if (key === "?") /** @type {HTMLDialogElement} */ (at("keys")).showModal();
  }

  /** Play what happened since the person's last decision, then come back to now. */
  async since() {
    if (this.playing) return;
    const answer = await fetch(`/t/${this.id}/since?shape=${shape()}`);
    if (!answer.ok) return;
    /** @type {(Drawn & {lines: string[]})[]} */
    const frames = await answer.json();
    this.playing = true;
    /** @type {string[]} */
    let parts = [];
    for (const { lines, ...drawn } of frames) {
      parts = renewed(parts, drawn);
      at("live").textContent = lines.join(" ");
      if (lines.length) say(lines.join(" "));
      await this.paint(parts, 1);
      await rest(500 * pace());
    }
    if (this.parts.length) await this.paint(this.parts, 0);
    this.playing = false;
    void this.play();
  }
}
