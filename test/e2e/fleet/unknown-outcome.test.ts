import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientOfSdk1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpOfSdk1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { keyOf } from '../../support/hub-keys.js';
import { temporaryDirectory } from '../cli-process.js';
import type { HubProcess } from '../hub-process.js';
import { startReplicas } from './replicas.js';

const POLL = { timeout: 60_000, interval: 200 };
const HOUR_MS = 3_600_000;
const ADMIN_KEY = 'key-of-the-fleet-test-0123456789abcdef';
const TINY = fileURLToPath(new URL('../../support/tiny-stdio-server.mjs', import.meta.url));

/** An official client that can be led to another replica, and that sends an idempotency key with its calls. */
interface Traveller {
  readonly name: string;
  /** What came of it, as text: the result, or what the client was told. */
  readonly note: (key: string, args?: object) => Promise<string>;
}

interface Place {
  /** Where the requests go. */
  hub: HubProcess;
}

const told = (asking: Promise<unknown>): Promise<string> =>
  asking.then(
    (result) => JSON.stringify(result),
    (thrown: unknown) => String(thrown),
  );

/** Sends what the client sends to the replica of the moment, with the key in an HTTP field. */
const fetchAt =
  (place: Place, current: () => string | undefined): typeof fetch =>
  (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${keyOf(place.hub.url)}`);
    const key = current();
    if (init?.method === 'POST' && key !== undefined) headers.set('idempotency-key', key);
    return fetch(place.hub.url + pathname + search, { ...init, headers });
  };

const travellers = async (place: Place, path: string): Promise<readonly Traveller[]> => {
  const url = new URL(place.hub.url + path);
  const make = async (
    name: string,
    connect: (fetching: typeof fetch) => Promise<(args: Record<string, unknown>) => Promise<unknown>>,
  ): Promise<Traveller> => {
    let current: string | undefined;
    const call = await connect(fetchAt(place, () => current));
    return {
      name,
      note: (key, args = {}) => {
        current = key;
        return told(call({ key: `${key}.`, ...args }));
      },
    };
  };
  const sdk2 = (name: string, mode: 'legacy' | { readonly pin: '2026-07-28' }): Promise<Traveller> =>
    make(name, async (fetching) => {
      const client = new Client({ name, version: '1' }, { versionNegotiation: { mode } });
      client.onerror = () => undefined;
      await client.connect(new StreamableHTTPClientTransport(url, { fetch: fetching }));
      onTestFinished(() => client.close());
      return (args) => client.callTool({ name: 'note', arguments: args }, { timeout: HOUR_MS });
    });
  return [
    await make('sdk-1', async (fetching) => {
      const client = new ClientOfSdk1({ name: 'sdk-1', version: '1' });
      client.onerror = () => undefined;
      await client.connect(new HttpOfSdk1(url, { fetch: fetching }));
      onTestFinished(() => client.close());
      return (args) => client.callTool({ name: 'note', arguments: args }, undefined, { timeout: HOUR_MS });
    }),
    await sdk2('sdk-2-legacy', 'legacy'),
    await sdk2('sdk-2-modern', { pin: '2026-07-28' }),
  ];
};

const MODERN = '2026-07-28';

/** What came last in a body: the body itself, or the data of the last event of a stream. */
const lastMessage = (text: string): unknown =>
  JSON.parse(
    text.startsWith('{') ? text : (/^data: (.+)$/mu.exec(text.slice(text.lastIndexOf('\nevent: ')))?.[1] ?? ''),
  );

/** A request of the modern era as it is on the wire. */
const callPlainly = async (
  hub: HubProcess,
  args: object,
): Promise<{ readonly status: number; readonly body: unknown }> => {
  const answer = await fetch(`${hub.url}/servers/tiny/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keyOf(hub.url)}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/call',
      'mcp-name': 'note',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 'plain',
      method: 'tools/call',
      params: {
        name: 'note',
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': MODERN,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  return { status: answer.status, body: lastMessage(await answer.text()) };
};

describe('official clients whose calls are in flight when their replica is killed', () => {
  it(
    'are told that the outcome is unknown, and get the responses of what ended by its key',
    { timeout: 300_000 },
    async () => {
      const { hubs, endedBySelf } = await startReplicas(2, { PLUGBOARD_ADMIN_KEY: ADMIN_KEY });
      const [one, two] = hubs as [HubProcess, HubProcess];
      const notes = join(await temporaryDirectory(), 'notes');
      const config = { mcp_server_type: 'stdio', command: process.execPath, args: [TINY, 'legacy', notes] };
      expect((await hubCall(two.url, 'POST', '/v1/mcp-servers', { server_name: 'tiny', config })).status).toBe(200);
      const noted = async (): Promise<readonly string[]> =>
        (await readFile(notes, 'utf8'))
          .trim()
          .split('\n')
          .map((line) => line.split(' ')[1] ?? '');
      // The second replica runs the program for requests outside a session, and the sessions are opened there.
      const warm = (hub: HubProcess) => hubCall(hub.url, 'POST', '/servers/tiny/tools/note', { key: 'warm.' });
      expect((await warm(two)).status).toBe(200);
      await expect.poll(async () => (await warm(one)).status, POLL).toBe(200);
      const place: Place = { hub: two };
      const clients = await travellers(place, '/servers/tiny/mcp');

      // From now on they come to the other replica, which passes their calls on.
      place.hub = one;
      for (const { name, note } of clients) {
        expect(await note(`${name}-done`)).toContain(`noted ${name}-done.`);
        await expect.poll(() => note(`${name}-done`), POLL).toContain('"dev.plugboard/repeated":true');
      }
      const stuck: Promise<string>[] = [];
      for (const { name, note } of clients) {
        stuck.push(note(`${name}-stuck`, { ms: HOUR_MS }));
        await expect.poll(noted, POLL).toContain(`${name}-stuck.`);
      }
      const plain = callPlainly(one, { key: 'plain-stuck.', ms: HOUR_MS });
      await expect.poll(noted, POLL).toContain('plain-stuck.');
      await two.kill();
      for (const outcome of await Promise.all(stuck)) {
        expect(outcome).toMatch(/may have been executed/u);
        // It is a response to the request, not a failure of the transport.
        expect(outcome).not.toMatch(/HTTP 502|POSTing/u);
      }
      expect(await plain).toMatchObject({
        status: 200,
        body: { jsonrpc: '2.0', id: 'plain', error: { data: { code: 'AMBIGUOUS_DELIVERY' } } },
      });

      // With its key, a call can be sent again: what ended has its response, and what did not is not executed again.
      for (const { name, note } of clients) {
        await expect.poll(() => note(`${name}-done`), POLL).toContain(`noted ${name}-done.`);
        await expect.poll(() => note(`${name}-stuck`, { ms: HOUR_MS }), POLL).toContain('its outcome is unknown');
        await expect.poll(() => note(`${name}-next`), POLL).toContain(`noted ${name}-next.`);
      }
      const keys = (await noted()).filter((key) => key !== 'warm.' && key !== 'plain-stuck.');
      const expected = clients.flatMap(({ name }) => ['done', 'stuck', 'next'].map((part) => `${name}-${part}.`));
      expect(keys.toSorted()).toEqual(expected.toSorted());
      expect(endedBySelf()).toEqual([]);
    },
  );
});
