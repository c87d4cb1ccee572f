import type { AuditEntry } from '@plugboard/contract';
import { fakeServer, type FakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type * as binding from '../../../packages/registry/src/store/sqlite-binding.js';
import { hubCall, type HubAnswer } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';

// SQLite counts pages per connection, so the limit has to be set on the very one that the hub has opened.
const opened = vi.hoisted((): binding.SqliteConnection[] => []);
vi.mock('../../../packages/registry/src/store/sqlite-binding.js', async (importOriginal) => {
  const original = await importOriginal<typeof binding>();
  return {
    ...original,
    openSqliteConnection: async (path: string, busyTimeoutMs: number) => {
      const connection = await original.openSqliteConnection(path, busyTimeoutMs);
      opened.push(connection);
      return connection;
    },
  };
});

const MOST_PAGES = 1_073_741_823;
const setMaxPages = (count: number): void => {
  for (const connection of opened) connection.exec(`pragma max_page_count = ${count}`);
};
/** From now on the file cannot grow: SQLite takes the number of pages that it has for the least that is possible. */
const fillDisk = (): void => setMaxPages(1);
const makeRoom = (): void => setMaxPages(MOST_PAGES);

const NO_ROOM = 'The disk is full, so the store cannot be written. Nothing was changed.';
const REFUSED = {
  status: 503,
  json: {
    error: { code: 'STORE_UNAVAILABLE', message: NO_ROOM, hint: expect.stringContaining('Free disk space') as string },
  },
};

const CALLS = 60;
/** Too much for the pages that are there. */
const variables = { LONG: 'x'.repeat(30_000) };
const many = [
  'echo' as const,
  ...Array.from({ length: 99 }, (_, index) => ({
    name: `tool-${index}`,
    description: 'A long description. '.repeat(200),
  })),
];
const lines: string[] = [];
let hub: RealHub;
let server: FakeServer;
let serverUrl: string;
let serverId: string;

const send = (method: string, path: string, body?: unknown): Promise<HubAnswer> => hubCall(hub.url, method, path, body);
const configOf = (more: object = {}): object => ({
  mcp_server_type: 'streamable_http',
  server_url: serverUrl,
  ...more,
});
const addServer = (server_name: string, config: object): Promise<HubAnswer> =>
  send('POST', '/v1/mcp-servers', { server_name, config });
const namesOf = async (): Promise<readonly string[]> =>
  ((await send('GET', '/v1/mcp-servers')).json as { server_name: string }[]).map(({ server_name }) => server_name);
const write = (message: string, fields = {}): void => void lines.push(JSON.stringify({ message, ...fields }));

beforeAll(async () => {
  server = fakeServer({ tools: ['echo'] });
  serverUrl = (await server.listenHttp()).url;
  hub = await startRealHub({ log: { info: () => undefined, warn: write, error: write } });
  const { json } = await addServer('one', configOf());
  serverId = (json as { readonly id: string }).id;
});
afterAll(async () => {
  await hub.close();
  await server.close();
});

describe('a hub whose disk is full', () => {
  beforeAll(fillDisk);

  it('refuses what does not fit, and keeps nothing of it', async () => {
    expect(await addServer('two', configOf({ variables }))).toMatchObject(REFUSED);
    expect(await send('PATCH', `/v1/mcp-servers/${serverId}`, { config: configOf({ variables }) })).toMatchObject(
      REFUSED,
    );
    expect(await namesOf()).toEqual(['one']);
    expect((await send('GET', `/v1/mcp-servers/${serverId}`)).json).toMatchObject({
      server_name: 'one',
      tool_count: 1,
    });
  });

  it('syncs all tools of a server or none', async () => {
    server.setTools(many);
    expect(await send('POST', `/v1/mcp-servers/${serverId}/sync`)).toMatchObject(REFUSED);
    expect((await send('GET', `/v1/mcp-servers/${serverId}/tools`)).json).toHaveLength(1);
  });

  it('goes on relaying calls and answering questions', async () => {
    for (let call = 0; call < CALLS; call += 1) {
      expect((await send('POST', '/servers/one/tools/echo', { text: 'still here' })).status).toBe(200);
    }
    const audit = await send('GET', '/v1/audit?kind=call&limit=1000');
    expect(audit.status).toBe(200);
    expect((audit.json as AuditEntry[]).length).toBeLessThan(CALLS);
    expect(lines.filter((line) => line.includes('audit'))).toEqual([
      JSON.stringify({ message: 'The audit trail cannot be written.', code: 'STORE_UNAVAILABLE', reason: NO_ROOM }),
    ]);
  });

  it('is not ready until a write succeeds', async () => {
    expect(await send('GET', '/ready')).toMatchObject({ status: 503, json: { status: 'ready', store: 'failing' } });
    expect((await send('GET', '/health')).status).toBe(200);
  });

  it('writes down what waited as soon as there is room, and takes what it refused', async () => {
    makeRoom();
    expect((await addServer('two', configOf({ variables }))).status).toBe(200);
    expect((await send('POST', `/v1/mcp-servers/${serverId}/sync`)).json).toMatchObject({ status: 'ok', total: 100 });
    expect((await send('GET', '/v1/audit?kind=call&limit=1000')).json).toHaveLength(CALLS);
    expect((await namesOf()).toSorted()).toEqual(['one', 'two']);
    await expect
      .poll(() => send('GET', '/ready'), { timeout: 10_000 })
      .toMatchObject({ status: 200, json: { store: 'ok' } });
  });
});
