import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { FakeServer, rawHttpClient } from '@plugboard/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { temporaryDirectory } from '../cli-process.js';
import { type HubProcess, portOf } from '../hub-process.js';
import { createToolsetSoon, startReplicas } from './replicas.js';

const BUILD = fileURLToPath(new URL('../../../scripts/build-previous.mjs', import.meta.url));
const NO_HISTORY = 3;

/** The program before the last change of the schema; undefined where there is no history to build it from. */
const buildPrevious = async (): Promise<string | undefined> => {
  const build = spawn(process.execPath, [BUILD], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed, [status]] = await Promise.all([text(build.stdout), once(build, 'close')]);
  if (status === 0) return printed.trim();
  // The workflow sets this: it fetches the history, so a missing one is a mistake there.
  if (status === NO_HISTORY && process.env['PLUGBOARD_NEEDS_HISTORY'] === undefined) return undefined;
  throw new Error('The previous program cannot be built.');
};

const POLL = { timeout: 60_000, interval: 200 };
const TINY = fileURLToPath(new URL('../../support/tiny-stdio-server.mjs', import.meta.url));

const toolsetsAt = async (hub: HubProcess): Promise<string> =>
  JSON.stringify((await hubCall(hub.url, 'GET', '/v1/toolsets')).json);

describe('a replica of the previous schema beside one of this program', () => {
  it('serves the same servers, changes and sessions, and starts again', { timeout: 400_000 }, async (context) => {
    const previous = await buildPrevious();
    if (previous === undefined) return context.skip('needs the history of the repository');
    const far = new FakeServer({ tools: ['echo'] });
    onTestFinished(() => far.close());
    const { postgres, start, endedBySelf } = await startReplicas(0);
    const schema = () => postgres.query('fleet', `select value::int from store_meta where key = 'schema_version'`);
    const older = await start(undefined, {}, previous);
    const [before] = (await schema()) as { value: number }[];
    const newer = await start();
    const [after] = (await schema()) as { value: number }[];
    expect(after?.value).toBeGreaterThan(before?.value ?? Infinity);

    const notes = join(await temporaryDirectory(), 'notes');
    const tiny = { mcp_server_type: 'stdio', command: process.execPath, args: [TINY, 'legacy', notes] };
    const config = { mcp_server_type: 'streamable_http', server_url: (await far.listenHttp()).url };
    for (const [hub, server_name, given] of [
      [older, 'far', config],
      [newer, 'tiny', tiny],
    ] as const) {
      const added = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name, config: given });
      expect(added.status).toBe(200);
    }
    const note = async (hub: HubProcess, key: string) =>
      (await hubCall(hub.url, 'POST', '/servers/tiny/tools/note', { key })).status;
    const clientAt = (hub: HubProcess) => rawHttpClient(`${hub.url}/servers/far/mcp`);
    const echo = async (client: ReturnType<typeof clientAt>) =>
      (await client.request('tools/call', { name: 'echo', arguments: { text: 'x' } })).status;
    for (const hub of [older, newer]) {
      await expect.poll(() => note(hub, `${hub === older ? 'older' : 'newer'}.`), POLL).toBe(200);
    }
    for (const [hub, other, name] of [
      [older, newer, 'by-older'],
      [newer, older, 'by-newer'],
    ] as const) {
      await createToolsetSoon(hub, name);
      await expect.poll(() => toolsetsAt(other), POLL).toContain(name);
    }

    // A session of the newer one goes on at the older one after a kill; the older one starts again on the newer schema.
    const client = clientAt(newer);
    await client.initialize();
    expect(await echo(client)).toBe(200);
    // What a session needs is stored in batches, off the path of its calls.
    const kept = () => postgres.query('fleet', 'select 1 as there from client_sessions');
    await expect.poll(kept, POLL).toHaveLength(1);
    await newer.kill();
    const elsewhere = clientAt(older);
    elsewhere.sessionId = client.sessionId;
    await expect.poll(() => echo(elsewhere), POLL).toBe(200);
    await older.stop();
    const again = await start(portOf(older.url), {}, previous);
    await expect.poll(() => toolsetsAt(again), POLL).toContain('by-newer');
    await expect.poll(() => note(again, 'again.'), POLL).toBe(200);
    const noted = (await readFile(notes, 'utf8')).trim().split('\n');
    const keys = noted.map((line) => line.split(' ')[1]);
    expect(new Set(keys)).toEqual(new Set(['older.', 'newer.', 'again.']));
    expect(keys).toHaveLength(3);
    expect(endedBySelf()).toEqual([]);
  });
});
