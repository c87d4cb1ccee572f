import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShop, type Shop } from '../collections/test-support/shop.js';
import { sandboxProgram } from './program/sandbox-program.js';
import { connectTo, serveHttp, type Served } from './test-support/served.js';

let allowed: Shop;
let other: Shop;
let served: Served;
let client: Client;

beforeAll(async () => {
  other = await openShop();
  allowed = await openShop({
    'GET /to-the-other': (response) => response.writeHead(302, { Location: `${other.url}/echo` }).end(),
    'GET /moved': (response) => response.writeHead(302, { Location: '/echo' }).end(),
  });
  served = await serveHttp(sandboxProgram, '--allow-fetch', `127.0.0.1:${allowed.port}`);
  client = await connectTo(served.url, 'modern');
});
afterAll(async () => {
  await client?.close();
  await served?.stop();
  await allowed?.close();
  await other?.close();
});

const run = async (code: string) =>
  (await client.callTool({ name: 'run_code', arguments: { code } })).structuredContent as {
    readonly result?: { readonly value: unknown };
    readonly error?: { readonly name?: string; readonly message: string };
  };

describe('fetch in the sandbox', () => {
  it('reaches a host that the operator named', async () => {
    const { result } = await run(`
      const posted = await fetch('${allowed.url}/echo', { method: 'POST', headers: { 'X-A': '1' }, body: new URLSearchParams({ q: 'a b' }) });
      const sent = await posted.json();
      const missing = await fetch(new URL('/missing', '${allowed.url}'));
      const moved = await fetch('${allowed.url}/moved');
      const kept = await fetch('${allowed.url}/moved', { redirect: 'manual' });
      [posted.ok, posted.headers.get('content-type'), sent['x-a'], sent['content-type'], sent.body, missing.status, moved.redirected, kept.status]`);
    expect(result?.value).toEqual([
      true,
      'application/json',
      '1',
      'application/x-www-form-urlencoded;charset=UTF-8',
      'q=a+b',
      404,
      true,
      302,
    ]);
  });

  it('runs many requests beside each other, and waits for all', async () => {
    const { result } = await run(
      `let done = 0; for (let i = 0; i < 5; i += 1) fetch('${allowed.url}/echo').then(() => { done += 1; globalThis.done = done; }); await new Promise((r) => setTimeout(r, 0)); await Promise.all(Array.from({ length: 5 }, () => fetch('${allowed.url}/echo'))); done`,
    );
    expect(result?.value).toBe(5);
  });

  it.each([
    ['another port', () => `fetch('${other.url}/echo')`],
    ['another name of it', () => `fetch('http://localhost:${allowed.port}/echo')`],
    ['a redirect to another server', () => `fetch('${allowed.url}/to-the-other')`],
    ['the metadata of a cloud', () => `fetch('http://169.254.169.254/')`],
    ['another scheme', () => `fetch('file:///etc/passwd')`],
  ])('does not reach %s', { timeout: 30_000 }, async (_what, code) => {
    const { error } = await run(`await ${code()}`);
    expect([error?.name, error?.message]).toEqual(['TypeError', expect.stringMatching(/^fetch failed/u)]);
    expect(error?.message).not.toMatch(/node:|\.js/u);
    expect(other.seen).toEqual([]);
  });
});
