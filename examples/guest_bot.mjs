// A bot that plays as a guest on a server: it accepts every invitation and plays at random.
//     node examples/guest_bot.mjs https://games.example.org TOKEN [GAMES]
// Make the token on the server's page /programs, with a name for the bot. Needs Node 18 or newer.
const [address, token, games] = process.argv.slice(2);

async function call(path, body) {
  const response = await fetch(`${address}/api/v1${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error((await response.json()).detail);
  return response;
}

async function* messages() {
  let rest = "";
  const stream = (await call("/stream.ndjson")).body.pipeThrough(new TextDecoderStream());
  for await (const text of stream) {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) yield JSON.parse(line); // an empty line is a heartbeat
  }
}

let finished = 0;
for await (const { event, table } of messages()) {
  if (event === "hello") console.log(`${(await (await call("/account")).json()).name} is ready`);
  if (event === "invited") await call(`/invitations/${table.id}/accept`, {});
  if (event === "turn") {
    const action = table.actions[Math.floor(Math.random() * table.actions.length)];
    await call(`/tables/${table.id}/play`, { action: action.text, moment: table.moment });
  }
  if (event === "over" && ++finished === Number(games)) break;
}
process.exit();
