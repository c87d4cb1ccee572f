import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from '../gateway/rig.js';
import { hostileServer, type HostileServer } from './hostile-server.js';
import { postMcp, rpc } from './legacy-client.js';

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Megabytes of which no two parts are the same. */
const argumentsOf = (call: number): object => ({
  call,
  lines: Array.from({ length: 100_000 }, (_, line) => `"é\\ ${call} ${line}`),
});

let hub: RealHub;
let server: HostileServer;
beforeAll(async () => {
  server = await hostileServer({
    'tools/call': ({ params }) => ({ content: [{ type: 'text', text: digestOf(params['arguments']) }] }),
  });
  hub = await startRealHub();
  await addServer(hub, 'digests', httpConfig(server.url));
});
afterAll(async () => {
  await hub.close();
  await server[Symbol.asyncDispose]();
});

const call = async (id: number, args: object): Promise<unknown> =>
  (await postMcp(`${hub.url}/servers/digests/mcp`, rpc(id, 'tools/call', { name: 'plain', arguments: args }))).json;

const digest = (id: number, args: object): object => ({
  id,
  result: { content: [{ type: 'text', text: digestOf(args) }] },
});

it('large arguments arrive as they were sent, on the full path and on the fast path', async () => {
  for (const id of [1, 2, 3]) expect(await call(id, argumentsOf(id))).toMatchObject(digest(id, argumentsOf(id)));
});

it('large and small calls at the same time get their own answers', async () => {
  const args = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? argumentsOf(index) : { index }));
  const answers = await Promise.all(args.map((each, id) => call(id, each)));
  expect(answers).toMatchObject(args.map((each, id) => digest(id, each)));
});
