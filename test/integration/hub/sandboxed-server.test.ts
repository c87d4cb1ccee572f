import { access, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { npmServerProgram } from '../../support/npm-server.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';

/** A server with one tool, which runs code: as hostile as a program can be. */
const RUNNER = `
const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') answer(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'runner', version: '1' } });
  else if (method === 'tools/list') answer(id, { tools: [{ name: 'run', inputSchema: { type: 'object' } }] });
  else if (method === 'tools/call') answer(id, { content: [{ type: 'text', text: JSON.stringify(await eval(params.arguments.code)) }] });
  else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } }));
}).on('close', () => process.exit(0));
`;

let at = '';
let hub: RealHub;
const register = async (server_name: string, config: object) => {
  const { json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name, config });
  return json as { id: string; sync: { status: string; error?: object } };
};
const call = async (server: string, tool: string, args: object): Promise<string> =>
  JSON.stringify((await hubCall(hub.url, 'POST', `/servers/${server}/tools/${tool}`, args)).json);
const program = (script: string, ...args: readonly string[]) => ({
  mcp_server_type: 'stdio',
  command: process.execPath,
  args: [script, ...args],
});
const open = async (home: string, sandbox: 'optional' | 'required'): Promise<RealHub> =>
  startRealHub({
    settings: {
      home,
      processes: { max: undefined, waitMs: 10_000, sandbox },
      environment: { PATH: '/usr/bin', HOME: join(at, 'user'), USER: 'me', ALLOWED: 'a', OTHER: 'b', PLUGBOARD_X: 'c' },
    },
  });

beforeAll(async () => {
  at = await realpath(await mkdtemp(join(tmpdir(), 'plugboard-sandboxed-')));
  await mkdir(join(at, 'hub'));
  await mkdir(join(at, 'files'));
  await writeFile(join(at, 'files/greeting.txt'), 'hello from a file');
  await mkdir(join(at, 'runner'));
  await writeFile(join(at, 'runner/runner.cjs'), RUNNER);
  hub = await open(join(at, 'hub'), 'optional');
});
afterAll(async () => {
  await hub.close();
  await rm(at, { recursive: true, force: true });
});

describe('a server that runs in a sandbox', () => {
  it('is a real one from npm, which works and sees what it was granted', async () => {
    const files = { ...program(npmServerProgram('filesystem'), at), sandbox: { read_only: [at] } };
    expect((await register('files', files)).sync).toMatchObject({ status: 'ok' });
    expect(await call('files', 'read_text_file', { path: join(at, 'files/greeting.txt') })).toContain('hello from a');
    const key = await call('files', 'read_text_file', { path: join(at, 'hub/master.key') });
    expect(key).toContain('ENOENT');
    expect(await call('files', 'list_directory', { path: join(at, 'hub') })).not.toContain('master.key');
    const written = await call('files', 'write_file', { path: join(at, 'files/x'), content: 'x' });
    expect(written).toContain('EROFS');
  });

  it('reaches neither the hub, nor its files, nor its environment', async () => {
    const sandbox = { env: ['ALLOWED', 'PLUGBOARD_X'] };
    const config = { ...program(join(at, 'runner/runner.cjs')), env: { OWN: 'mine' }, sandbox };
    expect((await register('runner', config)).sync).toMatchObject({ status: 'ok' });
    const run = (code: string): Promise<string> => call('runner', 'run', { code });
    expect(await run(`fetch('${hub.url}/health').then((r) => 'reached', (e) => e.cause.code)`)).toMatch(
      /ECONNREFUSED|ENETUNREACH/u,
    );
    expect(
      await run(`(() => { try { return require('fs').readdirSync('${at}') } catch (e) { return e.code } })()`),
    ).toContain(JSON.stringify(JSON.stringify(['runner', 'user'])).slice(1, -1));
    const names = await run('Object.keys(process.env)');
    for (const name of ['ALLOWED', 'OWN', 'PATH']) expect(names).toContain(name);
    for (const name of ['USER', 'OTHER', 'PLUGBOARD_X']) expect(names).not.toContain(`"${name}`);
  });

  it('crashes like any other, and its last words are kept', async () => {
    await writeFile(join(at, 'runner/broken.cjs'), 'console.error("no configuration"); process.exit(3);');
    const { sync } = await register('broken', { ...program(join(at, 'runner/broken.cjs')), sandbox: true });
    expect(sync.error).toMatchObject({ code: 'PROCESS_EXITED' });
    expect(JSON.stringify(sync.error)).toContain('no configuration');
  });

  it('says so, and can be changed', async () => {
    const { id } = await register('shown', { ...program(join(at, 'runner/runner.cjs')), sandbox: { network: true } });
    const path = `/v1/mcp-servers/${id}`;
    expect((await hubCall(hub.url, 'GET', path)).json).toMatchObject({ sandbox: { network: true } });
    expect(await call('shown', 'run', { code: `fetch('${hub.url}/health').then((r) => r.status)` })).toContain('200');
    const change = { config: { mcp_server_type: 'stdio', sandbox: true } };
    expect((await hubCall(hub.url, 'PATCH', path, change)).json).toMatchObject({ sandbox: true });
    const refused = await call('shown', 'run', {
      code: `fetch('${hub.url}/health').then((r) => r.status, () => 'no')`,
    });
    expect(refused).toContain('no');
  });

  it.each([
    [{ read_only: ['relative'] }, 'must be an absolute path'],
    [{ paths: [] }, 'sandbox'],
    ['yes', 'sandbox'],
  ])('is not registered with %j', async (sandbox, words) => {
    const config = { ...program('x.js'), sandbox };
    const { status, json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'wrong', config });
    expect(status).toBe(422);
    expect(JSON.stringify(json)).toContain(words);
  });

  it('is told what its sandbox lacks', async () => {
    const missing = { ...program(join(at, 'runner/runner.cjs')), sandbox: { read_only: ['/no/such/place'] } };
    expect((await register('lost', missing)).sync.error).toMatchObject({
      code: 'PROCESS_NOT_STARTED',
      message: 'The path /no/such/place of the sandbox does not exist.',
    });
    const listening = { ...program(join(at, 'runner/runner.cjs')), listen: {}, sandbox: true };
    expect((await register('listening', listening)).sync.error).toMatchObject({
      code: 'PROCESS_NOT_STARTED',
      hint: expect.stringContaining('"network": true') as string,
    });
  });

  it('is judged in its sandbox as well', async () => {
    const escaping = `try { require('node:fs').writeFileSync('${at}/files/escaped', '') } catch {}`;
    await writeFile(join(at, 'runner/escaping.cjs'), `${escaping}\n${RUNNER}`);
    await register('judged', { ...program(join(at, 'runner/escaping.cjs')), sandbox: true });
    const { json: started } = await hubCall(hub.url, 'POST', '/v1/checks', { name: 'judged', tier: 'smoke' });
    const { id } = started as { id: string };
    const events = await fetch(`${hub.url}/v1/checks/${id}/events`, {
      headers: { authorization: `Bearer ${hub.key}` },
    });
    await events.text();
    const { json: report } = await hubCall(hub.url, 'GET', `/v1/checks/${id}/report?format=json`);
    expect(report).toMatchObject({ summary: { pass: expect.any(Number) as number } });
    await expect(access(join(at, 'files/escaped'))).rejects.toThrow('ENOENT');
  });
});

describe('a hub that wants a sandbox for every program', () => {
  it('runs those that declare none in the plain one', async () => {
    const home = join(at, 'strict');
    await mkdir(home);
    const strict = await open(home, 'required');
    try {
      const config = program(join(at, 'runner/runner.cjs'));
      await hubCall(strict.url, 'POST', '/v1/mcp-servers', { server_name: 'plain', config });
      const code = `require('fs').existsSync('${home}')`;
      const { json } = await hubCall(strict.url, 'POST', '/servers/plain/tools/run', { code });
      expect(json).toMatchObject({ content: [{ text: 'false' }] });
    } finally {
      await strict.close();
    }
  });
});
