import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conformanceServer, fakeServerCommand, type Eras, type FakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { realClients, sseClient } from './real-client.js';

const SERVERS = ['legacy', 'modern'] as const satisfies readonly Eras[];
const TOOL = 'test_simple_text';
const ANSWER = 'This is a simple text response for testing.';

let hub: RealHub;
let home = '';
const fixtures: FakeServer[] = [];

const register = async (server_name: string, config: object): Promise<void> => {
  const { status, json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers/', { server_name, config });
  if (status >= 300) throw new Error(`${server_name} could not be registered: ${JSON.stringify(json)}`);
};

beforeAll(async () => {
  hub = await startRealHub();
  home = await mkdtemp(join(tmpdir(), 'plugboard-clients-'));
  for (const eras of SERVERS) {
    const fixture = conformanceServer({ eras });
    fixtures.push(fixture);
    const { url } = await fixture.listenHttp();
    await register(eras, { mcp_server_type: 'streamable_http', server_url: url });
  }
  const { command, args } = fakeServerCommand({ fixture: 'conformance', eras: 'both' });
  await register('process', { mcp_server_type: 'stdio', command, args });
});
afterAll(async () => {
  await hub.close();
  await Promise.all(fixtures.map((fixture) => fixture.close()));
  await rm(home, { recursive: true, force: true });
});

describe.each(realClients)('$name', ({ visit }) => {
  it.each([...SERVERS, 'process'])('lists and calls the %s server', async (server) => {
    const { tools, text } = await visit({ url: `${hub.url}/servers/${server}/mcp`, tool: TOOL, home });
    expect(tools).toContain(TOOL);
    expect(text).toBe(ANSWER);
  });

  it('lists and calls all servers at once', async () => {
    const { tools, text } = await visit({ url: `${hub.url}/mcp`, tool: `modern__${TOOL}`, home });
    expect(tools).toEqual(expect.arrayContaining([`legacy__${TOOL}`, `modern__${TOOL}`, `process__${TOOL}`]));
    expect(text).toBe(ANSWER);
  });
});

describe.each([sseClient])('$name', ({ visit }) => {
  it.each([...SERVERS, 'process'])('lists and calls the %s server', async (server) => {
    const { tools, text } = await visit({ url: `${hub.url}/servers/${server}/sse`, tool: TOOL, home });
    expect(tools).toContain(TOOL);
    expect(text).toBe(ANSWER);
  });
});
