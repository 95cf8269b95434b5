// Four sockets a match: whoever's turn it is moves; measured is when that one and when all four
// have seen it.
const { io } = require("socket.io-client");

const game = process.argv[2];
const [port, matches, thinking, seconds] = process.argv.slice(3).map(Number);
const answered = [];
const seen = [];
let measuring = false;

async function post(path, body) {
  const headers = { "content-type": "application/json" };
  const asked = { method: "POST", headers, body: JSON.stringify(body) };
  return (await fetch(`http://127.0.0.1:${port}/games/${game}/${path}`, asked)).json();
}

// Four people sit down at a new table; what lets them begin.
async function match() {
  const { matchID } = await post("create", { numPlayers: 4 });
  const sockets = [];
  const tickets = [];
  // For each move on its way: who sent it and when, and how many have yet to see it.
  const under = new Map();
  let first;
  const move = (player, stateID) => {
    under.set(stateID + 1, { player, sent: performance.now(), left: 4 });
    const playerID = String(player);
    const payload = { type: "move", args: [stateID], playerID, credentials: tickets[player] };
    sockets[player].emit("update", { type: "MAKE_MOVE", payload }, stateID, matchID, playerID);
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
    const playerID = String(player);
    const joined = await post(`${matchID}/join`, { playerID, playerName: `Player ${player}` });
    tickets.push(joined.playerCredentials);
    const address = `http://127.0.0.1:${port}/${game}`;
    const socket = io(address, { transports: ["websocket"], forceNew: true });
    sockets.push(socket);
    first = await new Promise((synced) => {
      socket.once("sync", (_, { state }) => synced(state));
      socket.on("connect", () => socket.emit("sync", matchID, playerID, tickets[player], 4));
    });
    socket.on("update", (_, now) => told(player, now));
  }
  return () => told(Number(first.ctx.currentPlayer), first);
}

async function play() {
  const begin = [];
  for (let n = 0; n < matches; n++) begin.push(await match());
  for (const go of begin) go();
  setTimeout(measure, (thinking + 2) * 1000);
}

// All sit at their tables, and have played for a while.
function measure() {
  measuring = true;
  process.stdout.write("measuring\n");
  setTimeout(() => {
    process.stdout.write(JSON.stringify({ answered, seen }) + "\n", () => process.exit(0));
  }, seconds * 1000);
}

play();
