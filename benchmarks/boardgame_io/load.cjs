// Four sockets a match: whoever's turn it is moves; measured is when that one and when all four
// have seen it.
const { io } = require("socket.io-client");

const [port, matches, thinking, seconds] = process.argv.slice(2).map(Number);
const answered = [];
const seen = [];
let measuring = false;
let waiting = matches * 4;

function match(id) {
  const sockets = [];
  // For each move on its way: who sent it and when, and how many have yet to see it.
  const under = new Map();
  const move = (player, stateID) => {
    under.set(stateID + 1, { player, sent: performance.now(), left: 4 });
    const payload = { type: "put", args: [stateID % 64], playerID: String(player) };
    const action = { type: "MAKE_MOVE", payload };
    sockets[player].emit("update", action, stateID, id, String(player));
  };
  const told = (player, next) => {
    const moved = under.get(next._stateID);
    if (moved) {
      const after = (performance.now() - moved.sent) / 1000;
      if (measuring && player === moved.player) answered.push(after);
      if (!--moved.left) {
        under.delete(next._stateID);
        if (measuring) seen.push(after);
      }
    }
    if (next.ctx.currentPlayer === String(player)) {
      const pause = thinking * 1000 * (0.5 + Math.random());
      const go = () => move(player, next._stateID);
      if (pause) setTimeout(go, pause);
      else go();
    }
  };
  for (let player = 0; player < 4; player++) {
    const socket = io(`http://127.0.0.1:${port}/toy`, { transports: ["websocket"], forceNew: true });
    sockets.push(socket);
    socket.once("sync", () => {
      if (--waiting === 0) setTimeout(measure, 4000);
    });
    socket.on("sync", (_, { state: now }) => told(player, now));
    socket.on("update", (_, now) => told(player, now));
    socket.on("connect", () => socket.emit("sync", id, String(player), undefined, 4));
  }
}

for (let n = 0; n < matches; n++) setTimeout(match, n * 20, `m${n}-${thinking}-${Date.now()}`);

// All sit at their tables, and have played for a while.
function measure() {
  measuring = true;
  process.stdout.write("measuring\n");
  setTimeout(() => {
    process.stdout.write(JSON.stringify({ answered, seen }) + "\n", () => process.exit(0));
  }, seconds * 1000);
}
