// A table in the browser: receives what happens, plays it step by step, and sends decisions.

import { alertTurn, callBack } from "./alerts.js";
import { Chooser, element } from "./choose.js";
import { fill, renew } from "./morph.js";
import { glide, pace, places, rest } from "./motion.js";
import { nonce, remember } from "./promise.js";

/**
 * @typedef {import("./choose.js").Choices} Choices
 * @typedef {import("./choose.js").Choice} Choice
 * @typedef {{picture?: string[], changes?: [number, string][]}} Drawn a picture in parts; or those
 *   that changed, each with its place
 * @typedef {Drawn & {number: number, moment: number, state: string, top?: string, awaited: number, status: string,
 *            whole?: boolean, log?: string[], lines?: string[]}} Public
 * @typedef {{seat?: number, yours?: boolean, curtain?: number, status?: string, overlay?: string,
 *            choices?: Choices, lines?: string[], panel?: string}} Mine
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

/** Whether the screen is held upright. */
const upright = matchMedia("(max-width: 760px) and (orientation: portrait)");
const shape = () => (upright.matches ? "1" : "0");
export const keepShape = () => {
  document.cookie = `shape=${shape()}; path=/; max-age=31536000; samesite=lax`;
};

/** @param {string} words */
export function say(words) {
  const alarm = document.getElementById("alarm");
  if (!alarm) return;
  alarm.textContent = words;
  alarm.hidden = false;
  clearTimeout(Number(alarm.dataset.timer));
  alarm.dataset.timer = String(setTimeout(() => (alarm.hidden = true), 6000));
}

export class Table {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.id = root.dataset.table ?? "";
    this.csrf = root.dataset.csrf ?? "";
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
    upright.addEventListener("change", () => {
      keepShape();
      this.connect();
    });
    setInterval(() => this.tick(), 1000);
    this.connect();
  }

  // ---------------------------------------------------------------- receiving

  connect() {
    this.source?.close();
    this.root.toggleAttribute("data-tall", upright.matches);
    const look = this.shows === null ? "" : `&look=${this.shows}`;
    this.source = new EventSource(`/t/${this.id}/live?tall=${shape()}${look}`);
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
    if (shared.log) this.retell(own.lines ?? shared.log);
    else this.tell(lines);
    await this.draw(shared, this.queue.length > 2 ? 0.3 : 1);
    this.moment = shared.moment;
    this.show(own, same);
    if (!shared.log) at("live").textContent = [...lines, at("status").textContent].join(" ");
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
    const before = pace() ? places(box) : new Map();
    const picture = box.querySelector("svg");
    // The first part begins the picture, so its first child is part 1.
    if (picture && changed) renew(picture, changed.map((place) => [place - 1, parts[place] ?? ""]));
    else fill(box, parts.join(""));
    this.chooser.light();
    await glide(box, before, hurry);
  }

  /** @param {Mine} own @param {boolean} same whether it is still the same decision */
  show(own, same) {
    if (own.overlay !== undefined) fill(at("private"), own.overlay);
    if (own.panel !== undefined) fill(at("own"), own.panel);
    const curtain = own.curtain ?? -1;
    this.curtain(curtain, own.status ?? "");
    const yours = Boolean(own.yours);
    at("mine").classList.toggle("yours", yours);
    if (!same || yours !== this.yours || !this.chooser.choices) {
      this.ghosts.clear();
      this.chooser.offer(own.choices ?? null, own.seat ?? -1);
    } else this.chooser.light();
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

  /** @param {string[]} lines the news; the newest stand on top */
  tell(lines) {
    at("log").prepend(...lines.map((line) => element("li", "new", line)).reverse());
  }

  /** @param {string[]} lines all that was told */
  retell(lines) {
    at("log").replaceChildren(...lines.map((line) => element("li", "", line)).reverse());
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
    for (let attempt = 0; attempt < 4; attempt++) {
      try {
        const answer = await fetch(`/t/${this.id}/${act}`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-veillee": "1", "x-csrf": this.csrf },
          body: JSON.stringify(fields),
        });
        const body = await answer.json();
        if (body.refused) say(body.refused);
        return body;
      } catch {
        await rest(400 * 2 ** attempt);
      }
    }
    say(this.words.lost ?? "");
    return { refused: true };
  }

  /** @param {Choice} choice */
  async send(choice) {
    const buttons = at("choices").querySelectorAll("button");
    for (const one of buttons) one.disabled = true;
    const token = crypto.getRandomValues(new Uint32Array(4)).join("-");
    const fields = { action: choice.action, moment: String(this.moment), token };
    const answer = await this.post("play", fields);
    if (answer.refused) for (const one of buttons) one.disabled = false;
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
      say(`${this.words.hintSays ?? ""} ${answer.say}`);
      this.chooser.hint = answer.action;
      this.chooser.draw(false);
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
      const query = new URLSearchParams({ action, moment: String(this.moment), tall: shape() });
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
    if (answer.ok) say((await answer.json()).why);
  }

  /** Play what happened since the person's last decision, then come back to now. */
  async since() {
    if (this.playing) return;
    const answer = await fetch(`/t/${this.id}/since?tall=${shape()}`);
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
