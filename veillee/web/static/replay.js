// A game gone through again: fetches moments in chunks, so that each step is shown at once.

import { shape } from "./layout.js";
import { fill, renew } from "./morph.js";
import { glide, pace, places, rest } from "./motion.js";

/**
 * @typedef {{number: number, status: string, awaited?: number, overlay?: string,
 *            picture?: string[], changes?: [number, string][]}} Sent a moment as it is sent
 * @typedef {{status: string, awaited: number, overlay: string, parts: string[]}} Moment
 */

/** @param {string} id @returns {HTMLElement} */
const at = (id) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no #${id}`);
  return found;
};
const DWELL = 900; // milliseconds for which a moment is shown when the game runs by itself
const SWIPE = 40; // pixels

export class Replay {
  /** @param {HTMLElement} root @param {(first: number, seen: string, shape: string) => Promise<Sent[]>} load */
  constructor(root, load) {
    this.root = root;
    this.load = load;
    this.moment = Number(root.dataset.moment);
    this.last = Number(root.dataset.last);
    this.chunk = Number(root.dataset.chunk);
    this.turns = (root.dataset.turns ?? "").split(" ").map(Number);
    this.seen = root.dataset.seen ?? "";
    /** @type {Map<number, Promise<void>>} chunks that were asked for */
    this.asked = new Map();
    /** @type {Map<number, Moment>} */
    this.known = new Map();
    /** @type {string[]} the parts of the picture that is shown */
    this.shown = [];
    this.running = false;
    this.wanted = this.moment;
    this.busy = false;
    this.slider = /** @type {HTMLInputElement} */ (at("slider"));
    this.listen();
    this.mark();
    void this.begin();
  }

  async begin() {
    this.root.dataset.shape = shape();
    this.known.clear();
    this.asked.clear();
    this.shown = [];
    await this.show(this.wanted, 0).catch(() => undefined); // the page shows it already
  }

  /** @param {string} seen another perspective, in a file that contains all of them */
  async seeAs(seen) {
    this.seen = seen;
    const { lines } = await unpacked(seen, "wide");
    at("log").replaceChildren(
      ...lines.map(([number, text]) => {
        const line = document.createElement("li");
        line.dataset.at = String(number);
        const link = document.createElement("a");
        link.href = `#${number}`;
        link.tabIndex = -1;
        link.textContent = text;
        line.append(link);
        return line;
      }),
    );
    await this.begin();
    this.mark();
  }

  // ---------------------------------------------------------------- moments

  /** @param {number} number @returns {Promise<Moment | undefined>} */
  async get(number) {
    const first = number - (number % this.chunk);
    let asked = this.asked.get(first);
    if (!asked) {
      asked = this.load(first, this.seen, shape()).then((sent) => this.keep(sent));
      this.asked.set(first, asked);
      asked.catch(() => this.asked.delete(first));
    }
    await asked;
    return this.known.get(number);
  }

  /** @param {Sent[]} sent */
  keep(sent) {
    /** @type {string[]} */
    let parts = [];
    for (const { number, status, awaited, overlay, picture, changes } of sent) {
      parts = picture ?? [...parts];
      for (const [place, part] of changes ?? []) parts[place] = part;
      this.known.set(number, { status, awaited: awaited ?? -1, overlay: overlay ?? "", parts });
    }
  }

  /** Go to a moment; while it is drawn, the last one asked for waits.
   * @param {number} number @param {number} [hurry] factor of the motion's time; 0 is at once
   */
  async go(number, hurry = 1) {
    this.wanted = Math.max(0, Math.min(number, this.last));
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.wanted !== this.moment) {
        const next = this.wanted;
        await this.show(next, Math.abs(next - this.moment) === 1 ? hurry : 0);
      }
    } catch {
      this.say(at("words").dataset.lost ?? "");
      this.wanted = this.moment;
    } finally {
      this.busy = false;
    }
  }

  /** @param {number} number @param {number} hurry */
  async show(number, hurry) {
    const moment = await this.get(number);
    if (!moment) throw new Error(`no moment ${number}`);
    this.moment = number;
    this.mark();
    at("status").textContent = moment.status;
    for (const one of this.root.querySelectorAll(".seat")) {
      const on = /** @type {HTMLElement} */ (one).dataset.seat === String(moment.awaited);
      one.classList.toggle("on", on);
      one.toggleAttribute("aria-current", on);
    }
    const box = at("public");
    const before = hurry && pace() ? places(box) : new Map();
    const picture = box.querySelector("svg");
    const old = this.shown;
    if (picture && old.length === moment.parts.length && old[0] === moment.parts[0]) {
      // The first part begins the picture, so its first child is part 1.
      const changed = moment.parts.flatMap((part, i) => (part === old[i] ? [] : [i]));
      renew(picture, changed.map((i) => [i - 1, moment.parts[i] ?? ""]));
    } else fill(box, moment.parts.join(""));
    this.shown = moment.parts;
    fill(at("private"), moment.overlay);
    for (const ahead of [number + this.chunk, number - this.chunk]) {
      if (ahead >= 0 && ahead <= this.last) void this.get(ahead).catch(() => undefined);
    }
    await glide(box, before, hurry);
  }

  /** Mark the moment that is shown: slider, log line, address. */
  mark() {
    const { moment, last } = this;
    this.slider.value = String(moment);
    at("count").textContent = `${moment} / ${last}`;
    let current = null;
    for (const line of at("log").children) {
      const on = /** @type {HTMLElement} */ (line).dataset.at === String(moment);
      if (on) line.setAttribute("aria-current", "true");
      else line.removeAttribute("aria-current");
      if (on) current = line;
    }
    const log = at("log");
    if (current instanceof HTMLElement) log.scrollTop = current.offsetTop - log.clientHeight / 2;
    for (const field of this.root.querySelectorAll("input[data-moment]")) {
      /** @type {HTMLInputElement} */ (field).value = String(moment);
    }
    for (const link of this.root.querySelectorAll("a[data-moment]")) {
      const shown = /** @type {HTMLAnchorElement} */ (link);
      shown.href = shown.href.replace(/at=\d+/, `at=${moment}`);
    }
    if (this.root.dataset.source) {
      const { search } = location;
      history.replaceState(null, "", `${this.root.dataset.source}/${moment}${search}`);
    } else history.replaceState(null, "", `#${moment}`);
    this.root.dispatchEvent(new CustomEvent("moment", { detail: { number: moment } }));
  }

  /** Tell what happened in the moment that is shown. */
  tell() {
    const lines = at("log").querySelectorAll(`[data-at="${this.moment}"]`);
    at("live").textContent = [...lines].map((line) => line.textContent).join(" ");
  }

  /** @param {string} words */
  say(words) {
    const alarm = at("alarm");
    alarm.textContent = words;
    alarm.hidden = false;
    setTimeout(() => (alarm.hidden = true), 6000);
  }

  // ---------------------------------------------------------------- controls

  /** @param {number} number */
  step(number) {
    this.halt();
    void this.go(number).then(() => this.tell());
  }

  async run() {
    if (this.moment === this.last) await this.go(0, 0);
    this.running = true;
    this.button();
    while (this.running && this.moment < this.last) {
      await this.go(this.moment + 1);
      await rest(DWELL * Math.max(pace(), 0.6));
    }
    this.halt();
  }

  halt() {
    this.running = false;
    this.button();
  }

  button() {
    const words = at("words").dataset;
    const said = (this.running ? words.halt : words.run) ?? "";
    at("run").setAttribute("aria-pressed", String(this.running));
    at("run").setAttribute("aria-label", said);
    at("run").title = said;
  }

  listen() {
    const steps = {
      first: () => 0,
      back: () => this.wanted - 1,
      next: () => this.wanted + 1,
      last: () => this.last,
    };
    for (const [id, where] of Object.entries(steps)) {
      at(id).addEventListener("click", (event) => {
        event.preventDefault();
        this.step(where());
      });
    }
    at("run").addEventListener("click", () => (this.running ? this.halt() : void this.run()));
    this.slider.addEventListener("input", () => this.step(Number(this.slider.value)));
    at("log").addEventListener("click", (event) => {
      const line = event.target instanceof Element ? event.target.closest("li") : null;
      if (!line) return;
      event.preventDefault();
      this.step(Number(line.dataset.at));
    });
    document.getElementById("seen")?.addEventListener("change", (event) => {
      const { value } = /** @type {HTMLSelectElement} */ (event.target);
      const { source } = this.root.dataset;
      const query = new URLSearchParams(location.search);
      query.set("seen", value);
      if (source) location.assign(`${source}/${this.moment}?${query}`);
      else void this.seeAs(value);
    });
    addEventListener("resize", () => {
      if (shape() !== this.root.dataset.shape) void this.begin();
    });
    addEventListener("keydown", (event) => this.pressed(event));
    addEventListener("hashchange", () => this.hash());
    this.swipes(at("board"));
    this.hash();
  }

  /** `#42` leads to moment 42. */
  hash() {
    const number = Number(location.hash.slice(1));
    if (location.hash && Number.isInteger(number)) void this.go(number, 0);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const on = event.target instanceof Element ? event.target : document.body;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (on.closest("input:not([type=range]), select, textarea, dialog")) return;
    const keys = {
      ArrowLeft: () => this.step(this.wanted - 1),
      ArrowRight: () => this.step(this.wanted + 1),
      PageUp: () => this.step(this.turns.findLast((turn) => turn < this.wanted) ?? 0),
      PageDown: () => this.step(this.turns.find((turn) => turn > this.wanted) ?? this.last),
      Home: () => this.step(0),
      End: () => this.step(this.last),
      " ": () => (this.running ? this.halt() : void this.run()),
    };
    const act = keys[/** @type {keyof typeof keys} */ (event.key)];
    if (!act || (event.key === " " && on.closest("a, button, summary"))) return;
    event.preventDefault();
    act();
  }

  /** A finger that moves sideways over the board steps. @param {HTMLElement} board */
  swipes(board) {
    /** @type {[number, number] | null} */
    let from = null;
    board.addEventListener("touchstart", ({ touches: [one, other] }) => {
      from = one && !other ? [one.clientX, one.clientY] : null;
    }, { passive: true });
    board.addEventListener("touchend", ({ changedTouches: [one] }) => {
      if (!one || !from) return;
      const [x, y] = [one.clientX - from[0], one.clientY - from[1]];
      from = null;
      if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) {
        this.step(this.wanted + (x < 0 ? 1 : -1));
      }
    });
  }
}

/**
 * What a file contains of a perspective.
 * @param {string} seen @param {string} shape
 * @returns {Promise<{moments: Sent[], lines: [number, string][]}>}
 */
async function unpacked(seen, shape) {
  const packed = at(`packed-${seen}-${shape}`).textContent ?? "";
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const body = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(body).json();
}

/**
 * A review: the leader's moment is sent to the others, who follow it.
 * @param {Replay} replay @param {string} address
 */
function share(replay, address) {
  const { root } = replay;
  const source = new EventSource(`${address}/live`);
  let told = NaN; // the moment that the server knows
  let sending = false;
  source.onmessage = (event) => {
    const { moment, leads } = JSON.parse(event.data);
    root.toggleAttribute("data-leads", leads);
    const line = at("leading");
    line.textContent = (leads ? line.dataset.leads : line.dataset.follows) ?? "";
    at("lead").hidden = leads;
    if (leads) {
      if (Number.isNaN(told)) told = moment;
      void send(); // a link may have led here, or a click before this script ran
      return;
    }
    told = moment;
    replay.halt();
    void replay.go(moment).then(() => replay.tell());
  };
  const send = async () => {
    if (sending || told === replay.moment || !root.hasAttribute("data-leads")) return;
    sending = true;
    const { moment } = replay;
    const body = JSON.stringify({ moment: String(moment) });
    const headers = { "content-type": "application/json", "x-veillee": "1" };
    try {
      await fetch(`${address}/move`, { method: "POST", headers, body });
      told = moment;
    } catch {
      await rest(1000);
    }
    sending = false;
    void send(); // it may have moved on meanwhile, or the server was out of reach
  };
  root.addEventListener("moment", () => void send());
}

const root = document.getElementById("replay");
if (root?.dataset.source) {
  const replay = new Replay(root, async (first, seen, shape) => {
    const query = new URLSearchParams({ first: String(first), seen, shape });
    const answer = await fetch(`${root.dataset.source}/moments?${query}`);
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  });
  const { source, review } = root.dataset;
  if (review) share(replay, `${source}/review/${review}`);
} else if (root) {
  new Replay(root, async (_, seen, shape) => {
    return (await unpacked(seen, shape === "tall" ? shape : "wide")).moments;
  });
}
