// boardgame.io as a peer: a toy game for four, in memory.
const { Server, Origins } = require("boardgame.io/server");

const game = {
  name: "toy",
  setup: () => ({ cells: Array(64).fill(0), secret: Array(32).fill(7) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    put: ({ G, playerID }, cell) => {
      G.cells[cell] = Number(playerID) + 1;
    },
  },
};

const server = Server({ games: [game], origins: [Origins.LOCALHOST] });
server.run({ port: Number(process.argv[2]), callback: () => {} }).then(({ appServer }) => {
  console.log(`port ${appServer.address().port}`);
});
