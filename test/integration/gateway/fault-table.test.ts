import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { deadPort, fakeServer, type FakeServer, hangingServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from './rig.js';

const connect = async (hub: RealHub): Promise<Client> => {
  const client = new Client({ name: 'probe', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', hub.url)));
  return client;
};

const textOf = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: args });
  return (content as { text: string }[])[0]?.text ?? '';
};

/** A stateful server that nothing happens to: its sessions stay what they were. */
const steadyServer = (): FakeServer => fakeServer({ tools: ['counter'] });

describe('a server that fails', () => {
  let hub: RealHub;
  let steady: FakeServer;
  let http: FakeServer;
  let url: string;
  beforeAll(async () => {
    hub = await startRealHub();
    steady = steadyServer();
    http = fakeServer({ tools: ['echo'] });
    url = (await http.listenHttp()).url;
    await addServer(hub, 'steady', httpConfig((await steady.listenHttp()).url));
  });
  afterAll(async () => {
    await hub.close();
    await steady.close();
    await http.close();
  });

  it('failures in a row open its circuit for all clients, which /ready shows; another config closes it', async () => {
    const dead = await deadPort();
    await addServer(hub, 'dead', httpConfig(dead.url));
    const target = new URL('/servers/dead/mcp', hub.url);
    const codes: unknown[] = [];
    while (!codes.includes('CIRCUIT_OPEN') && codes.length < 20) {
      const body = { jsonrpc: '2.0', id: 1, method: 'prompts/list' };
      const answer = (await hubCall(hub.url, 'POST', target.pathname, body)).json as {
        error: { data?: { code: string } };
      };
      codes.push(answer.error.data?.code);
    }
    expect(codes).toContain('UPSTREAM_REFUSED');
    expect(codes.at(-1)).toBe('CIRCUIT_OPEN');
    const ready = (await hubCall(hub.url, 'GET', '/ready')).json as { calls: Record<string, { circuit: string }> };
    expect(ready.calls['dead']).toMatchObject({ circuit: 'open', retry_after_ms: expect.any(Number) as number });
    expect(ready.calls['steady']).toMatchObject({ circuit: 'closed' });
    const { json } = await hubCall(hub.url, 'GET', '/v1/mcp-servers');
    const found = (json as { id: string; server_name: string }[]).find(({ server_name }) => server_name === 'dead');
    const config = httpConfig(url);
    await hubCall(hub.url, 'PATCH', `/v1/mcp-servers/${found?.id}`, { config });
    await hubCall(hub.url, 'POST', `/v1/mcp-servers/${found?.id}/sync`, {});
    const repaired = await hubCall(hub.url, 'POST', '/servers/dead/tools/echo', { text: 'repaired' });
    expect(repaired.json).toMatchObject({ content: [{ text: 'repaired' }] });
  });
});

describe('one dead and one hanging server at start', () => {
  it('are not waited for until the hub is ready, and cost the others nothing', async () => {
    const home = await mkdtemp(join(tmpdir(), 'plugboard-start-'));
    await using steady = steadyServer();
    const hanging = await hangingServer();
    const quick = { connectMs: 300, listMs: 300, callMs: 300 };
    // A hub that waited for the hanging one would outlast this test.
    const patient = { connectMs: 3_600_000, listMs: 3_600_000, callMs: 3_600_000 };
    try {
      const first = await startRealHub({ settings: { home, deadlines: quick } });
      await addServer(first, 'steady', httpConfig((await steady.listenHttp()).url));
      await addServer(first, 'dead', httpConfig((await deadPort()).url));
      await addServer(first, 'hanging', httpConfig(`http://127.0.0.1:${hanging.port}/mcp`));
      await first.close();
      const hub = await startRealHub({ settings: { home, deadlines: patient } });
      expect((await hubCall(hub.url, 'GET', '/ready')).status).toBe(200);
      const client = await connect(hub);
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['steady__counter']);
      expect(await textOf(client, 'steady__counter')).toBe('1');
      await client.close();
      await hub.close();
    } finally {
      await hanging.close();
      await rm(home, { recursive: true, force: true });
    }
  });
});
