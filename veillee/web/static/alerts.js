// Tells a person who looks elsewhere that it is their turn.

const title = document.title;
const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
const calm = icon?.href ?? "";

/** @param {boolean} yours @param {string} words */
export function alertTurn(yours, words) {
  document.title = yours ? `● ${words} · ${title}` : title;
  if (icon) icon.href = yours ? calm.replace("fire.svg", "fire-lit.svg") : calm;
}

/** @param {string} words */
export function callBack(words) {
  const chosen = document.documentElement.dataset;
  if (chosen.sound !== undefined) sound();
  if (chosen.alerts !== undefined && document.hidden && Notification.permission === "granted") {
    const shown = new Notification("Veillée", { body: words, icon: calm, tag: "turn" });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  }
}

/** Two soft notes. */
function sound() {
  const audio = new AudioContext();
  [523, 784].forEach((pitch, i) => {
    const note = audio.createOscillator();
    const volume = audio.createGain();
    const from = audio.currentTime + i * 0.16;
    note.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, from);
    volume.gain.exponentialRampToValueAtTime(0.12, from + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + 0.5);
    note.connect(volume).connect(audio.destination);
    note.start(from);
    note.stop(from + 0.55);
  });
}

const wish = /** @type {HTMLInputElement | null} */ (document.querySelector("input[name=alerts]"));
wish?.addEventListener("change", () => {
  if (wish.checked && "Notification" in window) void Notification.requestPermission();
});
