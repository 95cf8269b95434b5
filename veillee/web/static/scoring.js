// Counts the points of a printed game from what is entered. How it is scored comes as data from the
// game itself; the tests compare `evaluate` with the rules on thousands of positions.

/**
 * @typedef {{key: string, text: string, entry: string, clause: string, worth?: number, choices?: number[],
 *            shares?: number[], unshared?: boolean, tie_holder?: string}} Count
 * @typedef {{counts?: string[], kinds?: string[], holder?: string}} Tie
 * @typedef {{text: string, clause: string, without: string[], total: number, shares: number[]}} Award
 * @typedef {{counts: Count[], ties: Tie[], tie_clause: string, award?: Award, board?: string[],
 *            holders?: {key: string, text: string}[], faces?: number,
 *            clauses: Record<string, string>}} Scoring
 * @typedef {{counts: Record<string, number[]>, holders: Record<string, number>}} Entered the number
 *   of each thing by seat, and the seat of each holder, -1 for nobody
 */

/**
 * @param {Scoring} scoring @param {Entered} entered @param {number} players
 * @returns {{rows: {n: number, points: number}[][], totals: number[], places: number[], award: number[]}}
 *   the rows of each seat's score sheet, and what would be awarded in the middle of the game
 */
export function evaluate(scoring, entered, players) {
  const seats = [...Array(players).keys()];
  /** @param {string} key @param {number} seat */
  const n = (key, seat) => entered.counts[key]?.[seat] ?? 0;
  /** @param {number[]} values @param {number} seat how many have more */
  const ahead = (values, seat) => values.filter((value) => value > (values[seat] ?? 0)).length;

  /** @param {Count} count @param {number} seat */
  const points = (count, seat) => {
    const own = n(count.key, seat);
    let sum = own * (count.worth ?? 0);
    if (count.shares && own > 0) {
      const all = seats.map((each) => n(count.key, each));
      const tied = all.filter((value) => value === own).length > 1;
      const wins = count.tie_holder && entered.holders[count.tie_holder] === seat;
      if (!count.unshared || !tied || wins) sum += count.shares[ahead(all, seat)] ?? 0;
    }
    return sum;
  };
  const rows = seats.map((seat) =>
    scoring.counts.map((count) => ({ n: n(count.key, seat), points: points(count, seat) })),
  );
  const totals = rows.map((row) => row.reduce((sum, each) => sum + each.points, 0));
  /** @param {number} seat what is compared, the most important first */
  const rank = (seat) => [
    totals[seat] ?? 0,
    ...scoring.ties.map(({ counts = [], kinds = [], holder }) => {
      if (holder) return Number(entered.holders[holder] === seat);
      const sum = counts.reduce((all, key) => all + n(key, seat), 0);
      return sum + kinds.filter((key) => n(key, seat) > 0).length;
    }),
  ];
  const ranks = seats.map(rank);
  /** @param {number[]} one @param {number[]} other */
  const better = (one, other) => {
    const at = one.findIndex((value, i) => value !== other[i]);
    return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
  };
  const places = ranks.map((own) => 1 + ranks.filter((other) => better(other, own)).length);
  return { rows, totals, places, award: awarded(scoring, rows) };
}

/** @param {Scoring} scoring @param {{points: number}[][]} rows @returns {number[]} by seat */
function awarded({ award, counts }, rows) {
  if (!award) return [];
  const standing = rows.map((row) =>
    row.reduce((sum, { points }, i) => sum + (award.without.includes(counts[i]?.key ?? "") ? 0 : points), 0),
  );
  return standing.map((own) => {
    const ahead = standing.filter((other) => other > own).length;
    const tied = standing.filter((other) => other === own).length;
    if (tied === 1) return award.shares[ahead] ?? 0;
    return ahead === 0 ? Math.floor(award.total / tied) : 0;
  });
}

// ---------------------------------------------------------------- the page

/** @param {string} tag @param {Record<string, string>} [attributes] @param {(Node | string)[]} inner */
function make(tag, attributes = {}, ...inner) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...inner);
  return made;
}

/** @param {number} points */
const signed = (points) => String(points).replace("-", "−");

class Page {
  /** @param {HTMLElement} root @param {{game: string, scorings: Record<string, Scoring>, texts: Record<string, string>}} data */
  constructor(root, data) {
    this.root = root;
    this.data = data;
    this.key = `score.${data.game}`;
    const sizes = Object.keys(data.scorings);
    this.empty = { players: Number(sizes[Math.min(1, sizes.length - 1)]), names: {}, counts: {}, holders: {}, tokens: {} };
    /** @type {{players: number, names: Record<string, string>, counts: Record<string, number[]>,
     *   holders: Record<string, number>, tokens: Record<string, [number, number]>}} */
    this.state = { ...this.empty, ...JSON.parse(localStorage.getItem(this.key) ?? "{}") };
    this.seat = 0;
    this.face = 1;
    document.getElementById("clear")?.addEventListener("click", () => {
      this.state = structuredClone(this.empty);
      this.draw();
    });
    this.draw();
  }

  /** @param {string} key @param {Record<string, string | number>} [facts] */
  say(key, facts = {}) {
    let text = this.data.texts[key] ?? "";
    for (const [name, value] of Object.entries(facts)) text = text.replace(`{${name}}`, String(value));
    return text;
  }

  /** @param {number} seat */
  name(seat) {
    return this.state.names[seat] || this.say("player", { number: seat + 1 });
  }

  get scoring() {
    return /** @type {Scoring} */ (this.data.scorings[this.state.players]);
  }

  /** What is entered: tokens on the board add to the counts of their places. */
  get entered() {
    const { board } = this.scoring;
    if (!board) return this.state;
    /** @type {Record<string, number[]>} */
    const counts = {};
    for (const [square, [seat, face]] of Object.entries(this.state.tokens)) {
      const [x = 0, y = 0] = square.split(",").map(Number);
      const key = board[y]?.[x] ?? ".";
      const there = (counts[key] ??= Array(this.state.players).fill(0));
      if (seat < this.state.players) there[seat] = (there[seat] ?? 0) + face;
    }
    return { counts, holders: this.state.holders };
  }

  draw() {
    localStorage.setItem(this.key, JSON.stringify(this.state));
    const focus = document.activeElement instanceof HTMLElement ? document.activeElement.id : "";
    const { scoring } = this;
    if (this.seat >= this.state.players) this.seat = 0;
    this.root.replaceChildren(
      this.choices("players", this.say("players"), Object.keys(this.data.scorings).map((n) => [n, n]), String(this.state.players), (n) => {
        this.state.players = Number(n);
      }),
      this.choices("seat", this.say("player", { number: "" }).trim(), [...Array(this.state.players).keys()].map((seat) => [String(seat), this.name(seat)]), String(this.seat), (n) => {
        this.seat = Number(n);
      }),
      this.naming(),
      scoring.board ? this.board(scoring.board, scoring.faces ?? 0) : this.counts(),
      ...(scoring.holders ?? []).map(({ key, text }) =>
        this.choices(key, text, [["-1", this.say("nobody")], ...[...Array(this.state.players).keys()].map((seat) => /** @type {[string, string]} */ ([String(seat), this.name(seat)]))], String(this.state.holders[key] ?? -1), (n) => {
          this.state.holders[key] = Number(n);
        }),
      ),
      this.result(),
    );
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  }

  /**
   * One of several values, as a row of buttons.
   * @param {string} id @param {string} text @param {string[][]} values @param {string} chosen
   * @param {(value: string) => void} choose
   */
  choices(id, text, values, chosen, choose) {
    const row = make("div", { class: "choice" });
    for (const [value = "", shown = ""] of values) {
      const on = value === chosen;
      const button = make("button", { type: "button", id: `${id}-${value}`, "aria-pressed": String(on) }, shown);
      button.addEventListener("click", () => {
        choose(value);
        this.draw();
      });
      row.append(button);
    }
    return make("div", { class: `entry ${id}-entry`, role: "group", "aria-label": text }, make("span", {}, text), row);
  }

  naming() {
    const field = /** @type {HTMLInputElement} */ (
      make("input", { id: "name-field", maxlength: "24", value: this.state.names[this.seat] ?? "", placeholder: this.say("player", { number: this.seat + 1 }) })
    );
    field.addEventListener("change", () => {
      this.state.names[this.seat] = field.value.trim();
      this.draw();
    });
    return make("label", { class: "entry" }, make("span", {}, this.say("name")), field);
  }

  counts() {
    const rows = this.scoring.counts.map((count) => {
      const n = this.state.counts[count.key]?.[this.seat] ?? 0;
      /** @param {number} value */
      const set = (value) => {
        const all = (this.state.counts[count.key] ??= []);
        all[this.seat] = value;
      };
      if (count.choices) {
        const values = [0, ...count.choices].map((value) => [String(value), value ? String(value) : "–"]);
        return this.choices(count.key, count.entry, values, String(n), (value) => set(Number(value)));
      }
      /** @param {number} by @param {string} said @param {string} sign */
      const step = (by, said, sign) => {
        const label = this.say(said, { what: count.entry });
        const button = /** @type {HTMLButtonElement} */ (make("button", { type: "button", id: `${count.key}-${said}`, "aria-label": label }, sign));
        button.disabled = n + by < 0;
        button.addEventListener("click", () => {
          set(n + by);
          this.draw();
        });
        return button;
      };
      const shown = make("output", {}, String(n));
      const row = make("div", { class: "stepper" }, step(-1, "less", "−"), shown, step(1, "more", "+"));
      return make("div", { class: "entry", role: "group", "aria-label": count.entry }, make("span", {}, count.entry), row);
    });
    return make("div", { class: "entries" }, ...rows);
  }

  /** @param {string[]} rows @param {number} faces */
  board(rows, faces) {
    const side = rows.length;
    const grid = make("div", { class: "squares", "data-side": String(side) });
    const named = new Set(["."]);
    for (const [y, row] of rows.entries()) {
      for (const [x, room] of [...row].entries()) {
        const at = `${x},${y}`;
        const token = this.state.tokens[at];
        const square = `${String.fromCharCode(97 + x)}${y + 1}`;
        const label = this.say("square", { square }) + (room === "." ? "" : ` ${room}`) + (token ? `, ${this.name(token[0])} ${token[1]}` : "");
        const edges = [[0, -1, "n"], [1, 0, "e"], [0, 1, "s"], [-1, 0, "w"]].map(([dx, dy, edge]) => ((rows[y + Number(dy)]?.[x + Number(dx)] ?? ".") === room ? "" : edge));
        const button = make("button", { type: "button", id: `at-${x}-${y}`, "aria-label": label, tabindex: x + y ? "-1" : "0", class: (room === "." ? "passage" : `room ${edges.join(" ")}`) + (token ? ` token of-${token[0]}` : "") }, token ? String(token[1]) : "");
        if (!named.has(room)) button.dataset.room = room;
        named.add(room);
        button.addEventListener("click", () => {
          if (token && token[0] === this.seat && token[1] === this.face) delete this.state.tokens[at];
          else this.state.tokens[at] = [this.seat, this.face];
          this.draw();
        });
        button.addEventListener("keydown", (event) => {
          const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
          if (!way) return;
          event.preventDefault();
          document.getElementById(`at-${x + (way[0] ?? 0)}-${y + (way[1] ?? 0)}`)?.focus();
        });
        grid.append(button);
      }
    }
    const values = [...Array(faces).keys()].map((i) => [String(i + 1), String(i + 1)]);
    return make("div", { class: "entries" }, this.choices("face", this.say("face"), values, String(this.face), (n) => {
      this.face = Number(n);
    }), make("p", { class: "facts" }, this.say("face.how")), grid);
  }

  result() {
    const { scoring } = this;
    const players = this.state.players;
    const { rows, totals, places, award } = evaluate(scoring, this.entered, players);
    const seats = [...Array(players).keys()];
    /** @param {string} clause @param {string} text */
    const head = (clause, text) => make("th", { scope: "row" }, make("a", { href: `/rules/${this.data.game}#${clause}`, title: scoring.clauses[clause] ?? "" }, text));
    /** @param {{n: number, points: number}} cell */
    const cell = ({ n, points }) => make("td", {}, !n && !points ? "–" : n === Math.abs(points) ? signed(points) : `${signed(points)} (${n})`);
    const lines = scoring.counts.flatMap((count, i) =>
      rows.some((row) => row[i]?.n) ? [make("tr", {}, head(count.clause, count.text), ...rows.map((row) => cell(row[i] ?? { n: 0, points: 0 })))] : [],
    );
    const sum = make("tr", {}, make("th", { scope: "row" }, this.say("sum")), ...totals.map((points) => make("td", {}, signed(points))));
    const place = make("tr", {}, head(scoring.tie_clause, this.say("place")), ...places.map((n) => make("td", { class: n === 1 ? "first" : "" }, String(n))));
    const table = make("table", { class: "sheet" }, make("caption", {}, this.say("result")),
      make("thead", {}, make("tr", {}, make("td"), ...seats.map((seat) => make("th", { scope: "col" }, this.name(seat))))),
      make("tbody", {}, ...lines),
      make("tfoot", {}, sum, place, ...(scoring.award ? [make("tr", {}, head(scoring.award.clause, scoring.award.text), ...award.map((n) => make("td", {}, n ? `+${n}` : "–")))] : [])));
    const used = [...new Set(lines.map((_, i) => scoring.counts[i]?.clause))].filter(Boolean);
    const clauses = Object.entries(scoring.clauses).filter(([clause]) => used.includes(clause) || clause === scoring.tie_clause || clause === scoring.award?.clause);
    return make("section", { class: "total", "aria-live": "polite" }, table, make("ul", { class: "notes" }, ...clauses.map(([, text]) => make("li", {}, text))));
  }
}

const root = document.getElementById("scoring");
const data = document.getElementById("scorings");
if (root && data) new Page(root, JSON.parse(data.textContent ?? ""));
