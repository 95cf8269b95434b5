// Four sockets a match: whoever's turn it is moves; measured is when all four have seen it.
const { io } = require("socket.io-client");

const [port, matches, thinking, seconds] = process.argv.slice(2).map(Number);
const seen = [];
let measuring = false;

function match(id) {
  const sockets = [];
  let state = -1;
  let sent = 0;
  let left = new Set();
  const move = (player, stateID) => {
    state = stateID;
    left = new Set([0, 1, 2, 3]);
    sent = performance.now();
    const payload = { type: "put", args: [stateID % 64], playerID: String(player) };
    const action = { type: "MAKE_MOVE", payload };
    sockets[player].emit("update", action, stateID, id, String(player));
  };
  const told = (player, next) => {
    if (next._stateID > state && left.delete(player) && !left.size && measuring) {
      seen.push((performance.now() - sent) / 1000);
    }
    if (next.ctx.currentPlayer === String(player) && next._stateID > state) {
      const pause = thinking * 1000 * (0.5 + Math.random());
      const go = () => move(player, next._stateID);
      if (pause) setTimeout(go, pause);
      else go();
    }
  };
  for (let player = 0; player < 4; player++) {
    const socket = io(`http://127.0.0.1:${port}/toy`, { transports: ["websocket"], forceNew: true });
    sockets.push(socket);
    socket.on("sync", (_, { state: now }) => told(player, now));
    socket.on("update", (_, now) => told(player, now));
    socket.on("connect", () => socket.emit("sync", id, String(player), undefined, 4));
  }
}

for (let n = 0; n < matches; n++) setTimeout(match, n * 20, `m${n}-${thinking}-${Date.now()}`);
setTimeout(() => (measuring = true), matches * 20 + 4000);
setTimeout(() => {
  process.stdout.write(JSON.stringify({ seen }), () => process.exit(0));
}, matches * 20 + 4000 + seconds * 1000);
