// Ten clients at once, each with a connection of its own, and nobody gets the answer of another.
import { step, textOf, withClient } from './hub.mjs';

const CLIENTS = 10;

const results = await Promise.all(
  Array.from({ length: CLIENTS }, (_, index) =>
    withClient('/servers/sandbox/mcp', async (client) =>
      textOf(await client.callTool({ name: 'run_code', arguments: { code: `'client ' + ${index} * 2` } })),
    ),
  ),
);
const right = results.filter((text, index) => text.includes(`client ${index * 2}`));
step(`${CLIENTS} of ${CLIENTS} clients got their own answer`, right.length === CLIENTS, results);
