import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathSegments } from '../http/path-segments.js';
import { consoleSite } from './console-site.js';
import { docsSite } from './docs-site.js';
import { sites } from './site.js';

const SCRIPT = `export const text = '${'x'.repeat(5000)}';`;

describe('the console', () => {
  let folder: string;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plugboard-console-'));
    mkdirSync(join(folder, 'console/assets'), { recursive: true });
    writeFileSync(join(folder, 'secret.js'), 'not of the console');
    writeFileSync(join(folder, 'console/index.html'), '<h1>Console</h1>');
    writeFileSync(join(folder, 'console/assets/index-abc.js'), SCRIPT);
    const site = sites([docsSite(join(folder, 'site')), consoleSite(join(folder, 'console'))]);
    server = createServer((request, response) => {
      const segments = pathSegments(request.url ?? '/');
      if (!site.serves(segments)) response.writeHead(404).end();
      else void site.answer(segments, request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is the page at /, which may run its own script only and is never kept', async () => {
    const answer = await fetch(`${url}/?x=1`);
    expect([answer.status, await answer.text()]).toEqual([200, '<h1>Console</h1>']);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("frame-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/u);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
  });

  it('sends its files compressed, to be kept for good', async () => {
    const answer = await fetch(`${url}/console/assets/index-abc.js`);
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(1000);
    expect(await answer.text()).toBe(SCRIPT);
    expect(answer.headers.get('cache-control')).toContain('immutable');
    const plain = await fetch(`${url}/console/assets/index-abc.js`, { headers: { 'accept-encoding': 'gzip;q=0, br' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
  });

  it.each(['/console', '/console/index.html', '/console/%2e%2e/secret.js', '/console/..%2Fsecret.js', '/servers'])(
    'has nothing at %s',
    async (path) => {
      expect((await fetch(url + path)).status).toBe(404);
    },
  );

  it('is not there when it was not built', () => {
    expect(consoleSite(join(folder, 'nowhere')).serves([])).toBe(false);
  });
});
