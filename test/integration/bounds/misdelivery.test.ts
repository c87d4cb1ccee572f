import { afterEach, describe, expect, it } from 'vitest';
import { startRealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from '../gateway/rig.js';
import { type Forge, surplusServer } from './surplus-server.js';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Era = 'legacy' | 'modern';

const rig = async (era: Era, forge: Forge) => {
  const server = await surplusServer(era, forge);
  const hub = await startRealHub();
  open.push(server, { [Symbol.asyncDispose]: () => hub.close() });
  await addServer(hub, 'surplus', httpConfig(server.url));
  /** Every client numbers its requests from 1. */
  const call = async (who: string, tool = 'mine', id = 1): Promise<string> => {
    const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': tool };
    const params = { name: tool, arguments: { who }, ...(era === 'modern' ? { _meta: META } : {}) };
    const response = await fetch(`${hub.url}/servers/surplus/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(era === 'modern' ? modern : {}),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
    });
    return response.text();
  };
  return { server, call };
};

/** An id that is not the same number for everybody takes the full path. */
const LONG_ID = 1_234_567_890_123_456;

const FORGES: readonly (readonly [string, Forge])[] = [
  ['the id of the caller before', (last) => [last]],
  ['the id that would be next', (last) => [Number(last) + 1]],
  ['an id that every client uses', () => [1, LONG_ID]],
];

const WAYS = [
  ['on the fast path', 1],
  ['on the full path', LONG_ID],
] as const;

describe.each(['legacy', 'modern'] as const)('a surplus answer of a %s server', (era) => {
  describe.each(WAYS)('%s', (_way, id) => {
    it.each(FORGES)('with %s reaches nobody', async (_which, forge) => {
      const { server, call } = await rig(era, forge);
      expect(await call('A', 'mine', id)).toContain('private data of A');
      expect(await call('A', 'split', id)).toContain('private data of A');
      const victim = await call('B', 'mine', id);
      expect(victim).not.toContain('forged');
      expect(victim).toMatch(/private data of B|AMBIGUOUS_DELIVERY|UPSTREAM_PROTOCOL/u);
      // The answer to B's own call is still on its way there: nobody else may have it.
      for (const who of ['C', 'D', 'E']) expect(await call(who, 'mine', id)).toContain(`private data of ${who}`);
      expect(server.connections.size).toBeGreaterThan(1);
    });
  });
});
