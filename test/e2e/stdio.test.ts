import type { ChildProcess } from 'node:child_process';
import { fakeServerCommand, rawLineClient } from '@plugboard/testing';
import { expect, it } from 'vitest';
import { ended, run, start, temporaryDirectory, until } from './cli-process.js';

const clientOf = ({ stdin, stdout }: ChildProcess) => {
  if (stdin === null || stdout === null) throw new Error('the program has no pipes');
  return rawLineClient({ stdin, stdout });
};

const metric = async (url: string, name: string): Promise<string | undefined> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return new RegExp(`^${name} (\\d+)$`, 'mu').exec(text)?.[1];
};

it('`plugboard stdio` is a hub of its own where none runs, and uses the fast path of the one that does', async () => {
  const home = await temporaryDirectory();
  const { command, args } = fakeServerCommand({ tools: ['echo'] });
  expect((await run(['add', 'child', '--', command, ...args], { home })).code).toBe(0);
  type Echo = (text: string) => Promise<void>;
  const speak = async (text: string, meanwhile?: (echo: Echo) => Promise<void>): Promise<void> => {
    const child = start(['stdio'], { home });
    const client = clientOf(child);
    await client.initialize();
    const echo: Echo = async (said) => {
      const answer = await client.request('tools/call', { name: 'child__echo', arguments: { text: said } });
      expect(answer?.result).toMatchObject({ content: [{ text: said }] });
    };
    await echo(text);
    await meanwhile?.(echo);
    child.stdin?.end();
    expect(await ended(child)).toBe(0);
  };
  await speak('alone');
  const hub = start(['serve', '--port', '0'], { home });
  const [url] = await until(hub, /http:\/\/127\.0\.0\.1:\d+/u);
  const fast = async (): Promise<number> =>
    Number((await metric(url, 'plugboard_relay_path_total\\{path="fast",reason=""\\}')) ?? 0);
  await speak('together', async (echo) => {
    // The first calls open the connection to the server.
    await expect.poll(() => echo('again').then(fast), { timeout: 20_000 }).toBeGreaterThan(0);
    const before = await fast();
    for (const said of ['a', 'b', 'c']) await echo(said);
    expect((await fast()) - before).toBe(3);
    expect(await metric(url, 'plugboard_sessions')).toBe('1');
    expect(Number(await metric(url, 'plugboard_children'))).toBeGreaterThan(0);
  });
  await expect.poll(() => metric(url, 'plugboard_sessions')).toBe('0');
  hub.kill('SIGTERM');
  expect(await ended(hub)).toBe(0);
});

it('`plugboard stdio` shows the flow of messages on stderr, and nothing but messages on stdout', async () => {
  const home = await temporaryDirectory();
  const { command, args } = fakeServerCommand({ tools: ['echo'] });
  expect((await run(['add', 'child', '--', command, ...args], { home })).code).toBe(0);
  const child = start(['stdio', 'child', '--log-level', 'trace'], { home });
  let [log, out] = ['', ''];
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const client = clientOf(child);
  await client.initialize();
  await client.request('tools/call', { name: 'echo', arguments: { text: 'not to be seen' } });
  child.stdin?.end();
  expect(await ended(child)).toBe(0);
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ peer, method }) => peer === 'client' && method === 'tools/call')).toMatchObject([
    { direction: 'received', transport: 'stdio', endpoint: 'server child', kind: 'request' },
  ]);
  expect(lines.filter(({ server, method }) => server === 'child' && method === 'tools/call')).toMatchObject([
    { direction: 'sent', transport: 'stdio', kind: 'request' },
    { path: 'full', outcome: 'ok', transport: 'stdio' },
  ]);
  expect(log).not.toContain('not to be seen');
  for (const line of out.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
});

it('`plugboard stdio` ends when it is told to, also when its client does not read', async () => {
  const home = await temporaryDirectory();
  const { command, args } = fakeServerCommand({ tools: ['echo'] });
  expect((await run(['add', 'child', '--', command, ...args], { home })).code).toBe(0);
  const child = start(['stdio', 'child'], { home });
  const client = clientOf(child);
  await client.initialize();
  child.stdout?.pause();
  client.send('tools/call', { name: 'echo', arguments: { text: 'x'.repeat(2 * 1024 * 1024) } });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await expect.poll(() => log, { timeout: 30_000 }).toContain('"tool":"echo","outcome":"ok"');
  child.kill('SIGTERM');
  expect(await ended(child)).toBe(0);
});
