// Sounds, made here: wood, a card, coins, a win. Off until the person turns them on.

/** @type {AudioContext | undefined} */
let audio;

/** @param {number} pitch @param {number} from @param {number} length @param {number} loud @param {OscillatorType} [kind] */
function tone(pitch, from, length, loud, kind = "sine") {
  if (!audio) return;
  const note = new OscillatorNode(audio, { frequency: pitch, type: kind });
  note.connect(fading(from, length, loud));
  note.start(from);
  note.stop(from + length);
}

/** @param {number} pitch @param {number} to @param {number} from @param {number} length @param {number} loud */
function hiss(pitch, to, from, length, loud) {
  if (!audio) return;
  const buffer = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(audio, { buffer });
  const band = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 1.4 });
  band.frequency.exponentialRampToValueAtTime(to, from + length);
  source.connect(band).connect(fading(from, length, loud));
  source.start(from);
}

/** @param {number} from @param {number} length @param {number} loud */
function fading(from, length, loud) {
  const context = /** @type {AudioContext} */ (audio);
  const volume = new GainNode(context, { gain: 0.0001 });
  volume.gain.setValueAtTime(0.0001, from);
  volume.gain.exponentialRampToValueAtTime(loud, from + 0.006);
  volume.gain.exponentialRampToValueAtTime(0.0001, from + length);
  volume.connect(context.destination);
  return volume;
}

/** @type {Record<"wood" | "card" | "coin" | "turn" | "win", (at: number) => void>} */
const SOUNDS = {
  wood: (at) => {
    hiss(1500, 700, at, 0.05, 0.35);
    tone(210 + 40 * Math.random(), at, 0.09, 0.22, "triangle");
  },
  card: (at) => hiss(3600, 900, at, 0.13, 0.16),
  coin: (at) => {
    tone(1760, at, 0.22, 0.06);
    tone(2637, at + 0.04, 0.3, 0.05);
  },
  turn: (at) => [523, 784].forEach((pitch, i) => tone(pitch, at + i * 0.16, 0.5, 0.12)),
  win: (at) =>
    [523, 659, 784, 1047, 1319].forEach((pitch, i) => tone(pitch, at + i * 0.13, 0.7, 0.11, "triangle")),
};

/** @param {keyof typeof SOUNDS} name @param {number} [delay] milliseconds */
export function play(name, delay = 0) {
  if (document.documentElement.dataset.sound === undefined) return;
  audio ??= new AudioContext();
  SOUNDS[name](audio.currentTime + delay / 1000);
}

/** @param {string} id a piece @param {boolean} turns whether it shows another face @param {number} delay */
export function hear(id, turns, delay) {
  play(turns || id.startsWith("card") ? "card" : id.startsWith("coin") ? "coin" : "wood", delay);
}

const speaker = document.getElementById("speaker");
speaker?.addEventListener("click", () => {
  const chosen = document.documentElement.dataset;
  const on = chosen.sound === undefined;
  if (on) chosen.sound = "";
  else delete chosen.sound;
  speaker.setAttribute("aria-pressed", String(on));
  play("wood");
  const headers = { "content-type": "application/json" };
  void fetch("/settings", { method: "POST", headers, body: JSON.stringify({ only: "sound", sound: on ? "1" : "0" }) });
});
