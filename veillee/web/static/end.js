// The end of a game: sparks rise from the fire for whoever won. Once, and not where motion is off.

import { pace } from "./motion.js";
import { play } from "./sound.js";

const SPARKS = 44;
const root = document.getElementById("play");
const key = `ended ${root?.dataset.table}`;

if (root?.dataset.place === "1" && !sessionStorage.getItem(key)) {
  sessionStorage.setItem(key, "1");
  play("win");
  const factor = pace();
  if (factor) rise(factor);
}

/** @param {number} factor */
function rise(factor) {
  const sky = document.createElement("div");
  sky.className = "sparks";
  sky.setAttribute("aria-hidden", "true");
  document.body.append(sky);
  const flights = Array.from({ length: SPARKS }, (_, i) => {
    const spark = document.createElement("i");
    sky.append(spark);
    const x = 50 + (Math.random() - 0.5) * 30;
    const size = 0.5 + Math.random();
    return spark.animate(
      [
        { transform: `translate(${x}vw, 104vh) scale(${size})`, opacity: 1 },
        { transform: `translate(${x + (Math.random() - 0.5) * 60}vw, ${Math.random() * 45}vh) scale(.1)`, opacity: 0 },
      ],
      { duration: (1600 + Math.random() * 1600) * factor, delay: i * 28 * factor, easing: "cubic-bezier(.2,.7,.4,1)", fill: "both" },
    );
  });
  void Promise.allSettled(flights.map((flight) => flight.finished)).then(() => sky.remove());
}
