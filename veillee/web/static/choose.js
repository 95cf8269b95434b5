// Taking a decision: things are picked one after the other, on the board or by button, in any
// order; when one action is left it is shown on the board and can be sent or taken back.

/**
 * @typedef {string | string[]} Part
 * @typedef {{action: string, say: string, parts: Record<string, Part>,
 *            label: Record<string, Part>, outcomes?: string[], details?: Record<string, string>}}
 *   Choice an action, its fields, each of them in words, what it can lead to, and what else there is
 *   to say of a field
 * @typedef {{all: Choice[], ask: Record<string, string>}} Choices
 * @typedef {[string, string]} Pick
 */

/** More values than these are asked in two steps. */
const MOST_AT_ONCE = 30;
/** Longer labels have a line of their own. */
const LONG = 34;
/** Stands for the rest of a value of which only the first letter was chosen. */
const MORE = "…";

/** @param {Choice} choice @param {Pick} pick */
const fits = (choice, [field, value]) => {
  const part = choice.parts[field] ?? "";
  if (Array.isArray(part)) return part.includes(value);
  return part === value || (value.endsWith(MORE) && part.startsWith(value.slice(0, -1)));
};

/** @param {Choice[]} left @param {string} field @param {Set<string>} had */
function asked(left, field, had) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  let listed = false;
  for (const choice of left) {
    const part = choice.parts[field] ?? "";
    listed ||= Array.isArray(part);
    for (const value of Array.isArray(part) ? part : [part]) {
      if (!had.has(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  if (listed && [...counts.values()].every((n) => n === left.length)) return [];
  const values = [...counts.keys()];
  const letters = [...new Set(values.map((value) => value.slice(0, 1) + MORE))];
  return values.length > MOST_AT_ONCE && letters.length > 1 ? letters : values;
}

/** @param {Element} spot @returns {Pick[]} what a spot and the groups around it stand for */
export function picksOf(spot) {
  /** @type {Pick[]} */
  const found = [];
  for (let node = /** @type {Element | null} */ (spot); node; node = node.parentElement) {
    const { field, value } = /** @type {SVGElement} */ (node).dataset ?? {};
    if (field !== undefined && value !== undefined) found.unshift([field, value]);
  }
  return found;
}

export class Chooser {
  /**
   * @param {HTMLElement} box where the buttons go
   * @param {HTMLElement} board where the spots are
   * @param {DOMStringMap} words
   * @param {{send: (choice: Choice) => void, preview: (choice: Choice | null) => void,
   *          why: (picks: Pick[]) => void}} then
   */
  constructor(box, board, words, then) {
    this.box = box;
    this.board = board;
    this.words = words;
    this.then = then;
    /** @type {Choices | null} */
    this.choices = null;
    /** The seat that chooses. */
    this.seat = -1;
    /** @type {Pick[]} */
    this.picks = [];
    /** @type {{field: string, values: string[], before: Pick[]} | null} what the last pick
     *  answered, if it was made by a button */
    this.asked = null;
    /** @type {string | null} */
    this.hint = null;
    board.addEventListener("dblclick", (event) => this.pressed(event));
    board.addEventListener("click", (event) => this.touched(event));
    board.addEventListener("pointerover", (event) => this.hovered(event));
    board.addEventListener("pointerleave", () => this.show());
  }

  /** @param {Choices | null} choices what may be done now @param {number} seat by whom */
  offer(choices, seat) {
    this.choices = choices;
    this.seat = seat;
    this.picks = [];
    this.asked = null;
    this.hint = null;
    this.draw(false);
  }

  /** The action that is chosen; null while more than one is left. */
  chosen() {
    return this.next() ? null : (this.left()[0] ?? null);
  }

  /** @param {Pick[]} picks */
  left(picks = this.picks) {
    return (this.choices?.all ?? []).filter((choice) => picks.every((pick) => fits(choice, pick)));
  }

  /** What to ask next: a field and its values; null when one action is left. */
  next() {
    const left = this.left();
    if (left.length < 2) return null;
    for (const field of new Set(left.flatMap((choice) => Object.keys(choice.parts)))) {
      const had = new Set(this.picks.filter(([f]) => f === field).map(([, v]) => v));
      const values = asked(left, field, had);
      if (values.length > 1) return { field, values };
    }
    return null;
  }

  /** @param {Pick[]} extra @returns {Pick[] | null} the picks with some more; null if nothing fits */
  with(extra) {
    const known = extra.filter(([f]) => this.choices?.all.some((c) => f in c.parts));
    if (!known.length) return null;
    const added = [...this.picks, ...known.filter(([f, v]) => !this.has(f, v))];
    if (added.length > this.picks.length && this.left(added).length) return added;
    const fields = new Set(known.map(([f]) => f));
    const changed = [...this.picks.filter(([f]) => !fields.has(f)), ...known];
    for (let from = 0; from <= changed.length - known.length; from++) {
      const kept = [...changed.slice(0, changed.length - known.length - from), ...known];
      if (this.left(kept).length) return kept;
    }
    return null;
  }

  /** @param {string} field @param {string} value */
  has(field, value) {
    return this.picks.some(([f, v]) => f === field && v === value);
  }

  /**
   * @param {Pick[]} picks
   * @param {Chooser["asked"]} asked the question that a button answered
   */
  choose(picks, asked = null) {
    this.picks = picks;
    this.asked = asked;
    this.draw(true);
    const chosen = picks.length ? this.chosen() : null;
    if (chosen && !("confirm" in document.documentElement.dataset)) this.then.send(chosen);
  }

  /** @param {string} field @param {string} value @returns {string | undefined} it in words */
  label(field, value) {
    if (value.endsWith(MORE)) return value;
    const choice = this.choices?.all.find((one) => fits(one, [field, value]));
    const part = choice?.parts[field];
    const label = choice?.label[field];
    if (!Array.isArray(label)) return label;
    return Array.isArray(part) ? label[part.indexOf(value)] : undefined;
  }

  takeBack() {
    this.choose([]);
  }

  // ---------------------------------------------------------------- on the board

  /** @param {Event} event */
  spotOf(event) {
    const spot = event.target instanceof Element ? event.target.closest(".spot") : null;
    return spot && this.mine(spot) ? spot : null;
  }

  /** @param {Element} spot whether it is not another seat's alone */
  mine(spot) {
    const owner = spot.closest("[data-of]")?.getAttribute("data-of");
    return owner === undefined || owner === String(this.seat);
  }

  /** @param {MouseEvent} event a double click sends what the first one chose */
  pressed(event) {
    const spot = this.spotOf(event);
    const chosen = spot && this.picks.length ? this.chosen() : null;
    const picks = spot && picksOf(spot).filter(([f]) => chosen && f in chosen.parts);
    if (chosen && picks?.length && picks.every(([f, v]) => this.has(f, v))) this.then.send(chosen);
  }

  /**
   * The spot that a touch beside it is meant for: small ones reach as far as a target of 24 pixels.
   * @param {MouseEvent} event @returns {Element | null}
   */
  near({ clientX, clientY }) {
    for (const spot of this.board.querySelectorAll(".spot.legal")) {
      const halo = /** @type {SVGGraphicsElement | null} */ (
        spot.matches(".halo") ? spot : spot.querySelector(":scope > .halo")
      );
      const matrix = halo?.getScreenCTM();
      if (!halo || !matrix) continue;
      // Not the box on the screen: that one contains the stroke, generously.
      const { x, y, width, height } = halo.getBBox();
      const at = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
      const slack = (24 / Math.hypot(matrix.a, matrix.b) - Math.min(width, height)) / 2;
      const away = Math.max(x - at.x, at.x - x - width, y - at.y, at.y - y - height);
      if (away > 0 && away <= slack) return spot;
    }
    return null;
  }

  /** @param {MouseEvent} event */
  touched(event) {
    let spot = this.spotOf(event);
    if (!spot?.classList.contains("legal")) spot = this.near(event) ?? spot;
    if (!spot) return;
    const picks = this.with(picksOf(spot));
    if (picks) this.choose(picks);
    else this.then.why(picksOf(spot));
  }

  /** @param {Event} event */
  hovered(event) {
    const spot = this.spotOf(event);
    if (!spot || !this.choices) return;
    const picks = this.with(picksOf(spot));
    if (picks) this.glimpse(picks);
  }

  /** @param {Pick[]} picks show what they would lead to, if that is clear */
  glimpse(picks) {
    const found = this.clear(picks);
    if (found) this.then.preview(found);
  }

  /** @param {Pick[]} picks @returns {Choice | null} the first action that they leave, if all that
   *    they leave are of its kind */
  clear(picks) {
    const left = this.left(picks);
    const alike = left.every((choice) => choice.parts.do === left[0]?.parts.do);
    return (picks.length || left.length === 1) && alike ? (left[0] ?? null) : null;
  }

  /** Show the chosen action again. */
  show() {
    this.then.preview(this.choices ? this.clear(this.picks) : null);
  }

  /** Show again what is chosen, on a new picture. */
  refresh() {
    this.light();
    this.show();
  }

  /** Light what can be picked. Called again after each new picture. */
  light() {
    const hinted = this.choices?.all.find((choice) => choice.action === this.hint);
    for (const spot of this.board.querySelectorAll(".spot")) {
      const picks = this.choices && this.mine(spot) ? picksOf(spot) : [];
      const known = picks.filter(([f]) => this.choices?.all.some((c) => f in c.parts));
      const chosen = known.length > 0 && known.every(([f, v]) => this.has(f, v));
      const legal = known.length > 0 && this.with(picks) !== null;
      spot.classList.toggle("legal", legal && !chosen);
      spot.classList.toggle("chosen", chosen);
      const told = hinted && known.length > 0 && known.every((pick) => fits(hinted, pick));
      spot.classList.toggle("hint", Boolean(told));
    }
  }

  // ---------------------------------------------------------------- as buttons

  /** @param {boolean} focus whether the person is at it, so that the focus goes on with them */
  draw(focus) {
    const stays = this.box.contains(document.activeElement);
    this.box.replaceChildren();
    this.light();
    this.show();
    if (!this.choices) {
      if (stays) this.box.focus({ preventScroll: true }); // until there is something to choose again
      return;
    }
    const next = this.next();
    const asked = next ? { ...next, before: this.picks } : this.asked;
    if (asked?.before.length) this.box.append(this.crumbs(asked.before));
    const list = asked ? this.options(asked) : this.commit();
    this.box.append(list);
    if (focus || stays) {
      const target = list.querySelector(".commit") ?? list.querySelector("button");
      /** @type {HTMLElement | null} */ (target)?.focus({ preventScroll: true });
      target?.scrollIntoView({ block: "nearest" });
    }
  }

  /** @param {Pick[]} picks */
  crumbs(picks) {
    const line = element("p", "picks");
    for (const [field, value] of picks) {
      const text = this.label(field, value);
      if (text) line.append(element("span", "pick", text));
    }
    line.append(this.back());
    return line;
  }

  back() {
    return button(this.words.takeback ?? "", "quiet", () => this.takeBack());
  }

  /** @param {string} field @returns {string} the answer that leaves it out, in words */
  none(field) {
    const ask = this.choices?.ask ?? {};
    return ask[`${field}.none`] ?? ask[".none"] ?? "";
  }

  /** @param {NonNullable<Chooser["asked"]>} asked the answer that leaves one action commits it */
  options(asked) {
    const { field, values, before } = asked;
    const chosen = this.picks.length > before.length ? this.chosen() : null;
    const group = element("div", "group");
    const ask = element("p", "ask", this.choices?.ask[field] ?? this.choices?.ask[""]);
    ask.id = "ask";
    const list = element("ul", "options");
    list.setAttribute("aria-labelledby", "ask");
    for (const value of values) {
      /** @type {Pick[]} */
      const picks = [...before, [field, value]];
      const left = this.left(picks);
      const label = this.label(field, value) || this.none(field);
      const now = chosen && this.has(field, value);
      const one = now
        ? button(`✓ ${label}`, "fire commit", () => this.then.send(chosen))
        : button(label, "", () => this.choose(picks, asked));
      if (left.length === 1 && left[0] && left[0].say !== label) {
        one.append(element("span", "away", ` – ${left[0].say}`));
        one.title = left[0].say;
      } else if (left[0]?.details?.[field] && left[0].parts[field] === value) {
        one.append(element("span", "away", ` – ${left[0].details[field]}`));
      }
      for (const told of (left.length === 1 && left[0]?.outcomes) || []) {
        one.classList.add("told");
        one.append(element("small", "", told));
      }
      if (label.length > LONG) one.classList.add("long");
      if (left.some((choice) => choice.action === this.hint)) one.classList.add("hinted");
      one.addEventListener("pointerenter", () => this.glimpse(picks));
      one.addEventListener("focus", () => this.glimpse(picks));
      one.addEventListener("pointerleave", () => this.show());
      const item = element("li", "");
      item.append(one);
      list.append(item);
    }
    group.append(ask, list);
    if (chosen) {
      const said = chosen.say === this.label(field, this.picks.at(-1)?.[1] ?? "") ? "" : chosen.say;
      const says = element("p", "says", said);
      if (!before.length) says.append(" ", this.back());
      group.append(says);
    }
    return group;
  }

  commit() {
    const group = element("div", "final");
    const choice = this.left()[0];
    if (choice) group.append(button(choice.say, "fire commit", () => this.then.send(choice)));
    if (this.picks.length) group.append(this.back());
    return group;
  }
}

/** @param {string} tag @param {string} name @param {string} [text] */
export function element(tag, name, text) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text) made.textContent = text;
  return made;
}

/** @param {string} text @param {string} name @param {() => void} act */
export function button(text, name, act) {
  const made = /** @type {HTMLButtonElement} */ (element("button", name, text));
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}
