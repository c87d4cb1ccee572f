import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docsSite } from './docs-site.js';
import { pathSegments } from '../http/path-segments.js';

describe('the documentation site', () => {
  let folder: string;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plugboard-site-'));
    mkdirSync(join(folder, 'site/recipes'), { recursive: true });
    writeFileSync(join(folder, 'secret.html'), 'not of the site');
    writeFileSync(join(folder, 'site/index.html'), '<h1>Home</h1>');
    writeFileSync(join(folder, 'site/recipes/ci.html'), '<h1>CI</h1>');
    writeFileSync(join(folder, 'site/search.js'), 'export {};');
    const site = docsSite(join(folder, 'site'));
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

  it.each([
    ['/docs', '<h1>Home</h1>', 'text/html; charset=utf-8'],
    ['/docs/', '<h1>Home</h1>', 'text/html; charset=utf-8'],
    ['/docs/recipes/ci', '<h1>CI</h1>', 'text/html; charset=utf-8'],
    ['/docs/search.js?v=1', 'export {};', 'text/javascript; charset=utf-8'],
  ])('serves %s', async (path, body, type) => {
    const answer = await fetch(url + path);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, type, body]);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it.each(['/docs/recipes', '/docs/nothing', '/docs/%2e%2e/secret', '/docs/..%2Fsecret', '/docs/__proto__', '/other'])(
    'has nothing at %s',
    async (path) => {
      expect((await fetch(url + path)).status).toBe(404);
    },
  );

  it('sends nothing again that a browser has', async () => {
    const etag = (await fetch(`${url}/docs`)).headers.get('etag') ?? '';
    const again = await fetch(`${url}/docs`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('answers HEAD without the page', async () => {
    const answer = await fetch(`${url}/docs`, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '13', '']);
  });

  it('serves nothing when it was not built', () => {
    expect(docsSite(join(folder, 'nowhere')).serves(['docs'])).toBe(false);
  });
});
