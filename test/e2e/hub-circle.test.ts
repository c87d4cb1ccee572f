import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeServer } from '@plugboard/testing';
import { expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../support/hub-call.js';
import { type RealHub, startRealHub } from '../support/real-hub.js';
import { MAIN } from './cli-process.js';

interface Registered {
  readonly sync: { readonly error?: { readonly code: string } };
}

const register = async (hub: RealHub, server_name: string, config: object): Promise<Registered> =>
  (await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name, config })).json as Registered;

it('a hub over stdio that has its client among its servers is told so', async () => {
  const hub = await startRealHub();
  onTestFinished(() => hub.close());
  const server = fakeServer({ tools: ['echo'] });
  onTestFinished(() => server.close());
  await register(hub, 'real', { mcp_server_type: 'streamable_http', server_url: (await server.listenHttp()).url });
  const home = await mkdtemp(join(tmpdir(), 'plugboard-circle-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const declared = { back: { url: `${hub.url}/servers/real/mcp` } };
  await writeFile(join(home, 'plugboard.json'), JSON.stringify({ mcpServers: declared }), { mode: 0o600 });
  const program = {
    mcp_server_type: 'stdio',
    command: process.execPath,
    args: [MAIN, 'stdio', 'back', '--home', home, '--config', join(home, 'plugboard.json')],
  };
  const { sync } = await register(hub, 'program', program);
  expect(sync.error).toMatchObject({ code: 'LOOP_DETECTED' });
});
