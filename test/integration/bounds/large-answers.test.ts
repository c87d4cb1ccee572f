import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from '../gateway/rig.js';
import { hostileServer, type HostileServer } from './hostile-server.js';
import { postMcp, rpc } from './legacy-client.js';

const MIB = 1024 * 1024;
const text = 'é"\\'.repeat(200_000);
const RESULTS: Readonly<Record<string, object>> = {
  plain: { content: [{ type: 'text', text }], structuredContent: { text, n: 1.5 }, isError: false },
  malformed: { content: text, structuredContent: [text] },
  huge: { content: [{ type: 'text', text: 'x'.repeat(18 * MIB) }] },
  linked: {
    content: [
      { type: 'text', text },
      { type: 'resource_link', uri: 'a:b', name: 'b' },
    ],
  },
};

let hub: RealHub;
let server: HostileServer;
beforeAll(async () => {
  server = await hostileServer({
    'tools/list': () => ({
      tools: [...Object.keys(RESULTS), 'foreign', 'failing'].map((name) => ({ name, inputSchema: { type: 'object' } })),
    }),
    'tools/call': ({ id, params }, response) => {
      const name = String(params['name']);
      if (RESULTS[name] !== undefined) return RESULTS[name];
      const json = (message: object): void => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
      };
      const body = { content: [{ type: 'text', text }] };
      if (name === 'foreign') json({ jsonrpc: '2.0', id: Number(id) + 1, result: body });
      else json({ jsonrpc: '2.0', id, error: { code: -5, message: 'no', data: { why: 'x'.repeat(600_000) } } });
      return undefined;
    },
  });
  hub = await startRealHub();
  await addServer(hub, 'large', httpConfig(server.url));
});
afterAll(async () => {
  await hub.close();
  await server[Symbol.asyncDispose]();
});

/** The first call of a tool takes the full path, the second the fast path. */
const callTwice = async (name: string): Promise<readonly unknown[]> => {
  const url = `${hub.url}/servers/large/mcp`;
  const answers: unknown[] = [];
  for (const id of [1, 2]) answers.push((await postMcp(url, rpc(id, 'tools/call', { name }))).json);
  return answers;
};

describe('an answer that is too large for the event loop', () => {
  it('arrives as the server wrote it', async () => {
    expect(await callTwice('plain')).toEqual([
      { jsonrpc: '2.0', id: 1, result: RESULTS['plain'] },
      { jsonrpc: '2.0', id: 2, result: RESULTS['plain'] },
    ]);
  });

  it('is repaired', async () => {
    const result = { content: [{ type: 'text', text }], structuredContent: { result: [text] } };
    expect(await callTwice('malformed')).toMatchObject([{ result }, { result }]);
  });

  it('is cut, and says so', async () => {
    for (const answer of await callTwice('huge')) {
      const { result } = answer as { result: { content: readonly { text: string }[] } };
      expect(JSON.stringify(result).length).toBeLessThanOrEqual(16 * MIB);
      expect(result.content.at(-1)?.text).toContain('bytes of text were cut off here');
    }
  });

  it('keeps its links', async () => {
    expect(await callTwice('linked')).toMatchObject([{ result: RESULTS['linked'] }, { result: RESULTS['linked'] }]);
  });

  it('never answers another request', async () => {
    for (const answer of await callTwice('foreign')) {
      expect(JSON.stringify(answer).length).toBeLessThan(10_000);
      expect(answer).toMatchObject({ error: {} });
    }
  });

  it('may be an error', async () => {
    const error = { code: -5, message: 'no', data: { why: expect.any(String) as string } };
    expect(await callTwice('failing')).toMatchObject([{ error }, { error }]);
  });
});
