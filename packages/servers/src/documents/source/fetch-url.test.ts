import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchUrl } from './fetch-url.js';
import { checkUrl, type UrlPolicy } from './url-policy.js';

const PUBLIC: UrlPolicy = { mode: 'public', hosts: [] };
const ANY: UrlPolicy = { mode: 'any', hosts: [] };

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const get = (url: string, policy: UrlPolicy = ANY, timeoutMs = 10_000, signal = new AbortController().signal) =>
  fetchUrl(url, { policy, maxBytes: 100, timeoutMs, signal });

describe('the URL policy', () => {
  it.each([
    'file:///etc/passwd',
    'ftp://a.example/x',
    'not a url',
    'http://user:secret@a.example/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::ffff:10.0.0.1]/',
    'http://168.63.129.16/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fd00::1]/',
    'http://224.0.0.1/',
  ])('refuses %s', (url) => {
    expect(() => checkUrl(url, PUBLIC)).toThrow(expect.objectContaining({ code: 'URL_REFUSED' }));
  });

  it.each(['http://8.8.8.8/', 'http://[2606:4700::1111]/', 'http://[::ffff:8.8.8.8]/', 'http://[64:ff9b::8.8.8.8]/'])(
    'fetches %s',
    (url) => expect(checkUrl(url, PUBLIC).href).toBe(new URL(url).href),
  );

  it('refuses everything when URLs are off, except hosts that are named', () => {
    const none: UrlPolicy = { mode: 'none', hosts: ['intranet.example'] };
    expect(() => checkUrl('https://a.example/', none)).toThrow(expect.objectContaining({ code: 'URL_REFUSED' }));
    expect(checkUrl('https://intranet.example/x', none).href).toBe('https://intranet.example/x');
  });

  it('judges names by what they resolve to', async () => {
    const url = await serve((_request, response) => response.end('x'));
    const byName = url.replace('127.0.0.1', 'localhost');
    await expect(get(byName, PUBLIC)).rejects.toMatchObject({ code: 'URL_REFUSED' });
  });
});

describe('fetching', () => {
  it('gives the bytes, the name and the type', async () => {
    const url = await serve((_request, response) => response.setHeader('content-type', 'text/csv').end('a,b'));
    const { bytes, hints } = await get(`${url}/d/my%20table.csv?x=1`);
    expect(Buffer.from(bytes).toString()).toBe('a,b');
    expect(hints).toEqual({ fileName: 'my table.csv', mediaType: 'text/csv' });
  });

  it('follows redirects, each judged like the first', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/a.txt') response.end('there');
      else response.writeHead(302, { location: request.url === '/file' ? 'file:///etc/passwd' : '/a.txt' }).end();
    });
    expect((await get(`${url}/x`)).hints.fileName).toBe('a.txt');
    await expect(get(`${url}/file`)).rejects.toMatchObject({ code: 'URL_REFUSED' });
  });

  it('gives up on redirects without end', async () => {
    const url = await serve((_request, response) => response.writeHead(302, { location: '/again' }).end());
    await expect(get(url)).rejects.toMatchObject({ code: 'URL_FAILED' });
  });

  it.each<[string, string, RequestListener]>([
    ['an error', 'URL_FAILED', (_request, response) => response.writeHead(404).end()],
    [
      'a compressed answer',
      'URL_FAILED',
      (_request, response) => response.setHeader('content-encoding', 'gzip').end('x'),
    ],
    ['a body that declares too much', 'TOO_LARGE', (_request, response) => response.end('x'.repeat(101))],
    [
      'a body that grows too much',
      'TOO_LARGE',
      (_request, response) => {
        response.write('x'.repeat(60));
        response.end('x'.repeat(60));
      },
    ],
  ])('refuses %s with %s', async (_what, code, listener) => {
    await expect(get(await serve(listener))).rejects.toMatchObject({ code });
  });

  it('waits no longer than it may, and not at all once cancelled', async () => {
    const url = await serve(() => undefined);
    await expect(get(url, ANY, 50)).rejects.toMatchObject({ code: 'TIMED_OUT' });
    await expect(get(url, ANY, 10_000, AbortSignal.abort())).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(get('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'URL_FAILED' });
  });
});
