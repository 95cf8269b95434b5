// boardgame.io as a peer: toy rules, in memory, on the state that is given (see games.json).
const { Server, Origins } = require("boardgame.io/server");
const given = require("./games.json");

const SOWN = 3;

// A table of Nomads, as our own engine wrote it down. A pile is sown, a disc on each space that
// follows; where they fall, whoever moves takes the top tile, which comes back from below so that the
// game never ends. Of each stack people see the top tile and the height.
const nomads = {
  name: "nomads",
  setup: () => structuredClone(given.nomads),
  playerView: ({ G }) => ({
    ...G,
    spaces: G.spaces.map(({ discs, tiles }) => ({ discs, tiles: tiles.length, top: tiles.at(-1) })),
  }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    move: ({ G, playerID }, n) => {
      const from = n % G.spaces.length;
      const after = (steps) => G.spaces[(from + steps) % G.spaces.length];
      const sown = after(0).discs.splice(0);
      sown.forEach((disc, i) => after(i + 1).discs.push(disc));
      const hand = G.seats[Number(playerID)].tiles;
      for (let i = 1; i <= SOWN; i++) {
        const tiles = after(i).tiles;
        const tile = tiles.pop();
        hand[tile] = (hand[tile] ?? 0) + 1;
        tiles.unshift(tile);
      }
    },
  },
};

// The least that one could call a table: a row of numbers, of which one changes.
const numbers = {
  name: "numbers",
  setup: () => ({ cells: Array(64).fill(0), secret: Array(32).fill(7) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    move: ({ G, playerID }, n) => {
      G.cells[n % G.cells.length] = Number(playerID) + 1;
    },
  },
};

const server = Server({ games: [nomads, numbers], origins: [Origins.LOCALHOST] });
server.run({ port: Number(process.argv[2]), callback: () => {} }).then(({ appServer }) => {
  console.log(`port ${appServer.address().port}`);
});
