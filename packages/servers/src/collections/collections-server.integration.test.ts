import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectTo, firstText, serveHttp, type Era, type Served } from '../sandbox/test-support/served.js';
import { collectionsProgram } from './program/collections-program.js';
import { openShop, type Shop } from './test-support/shop.js';

const fixtures = fileURLToPath(new URL('../../test/fixtures/collections/', import.meta.url));

const request = (name: string, method: string, path: string, more: object = {}) => ({
  name,
  request: { method, url: `{{baseUrl}}${path}`, ...more },
});
const withScript = (item: object, ...lines: string[]) => ({
  ...item,
  event: [{ listen: 'test', script: { exec: lines } }],
});

/** Requests that go wrong, each in its way. */
const ODD = {
  info: { name: 'Odd', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  item: [
    request('Slow', 'GET', '/slow'),
    request('Large', 'GET', '/large'),
    request('Cut', 'GET', '/cut'),
    request('Loop', 'GET', '/loop'),
    request('Away', 'GET', '/away'),
    request('To a file', 'GET', '/file'),
    request('Outside', 'GET', '', { url: 'http://example.com/' }),
    request('Not HTTP', 'GET', '', { url: 'ftp://127.0.0.1/' }),
    request('Missing', 'GET', '/{{one}}/{{two}}'),
    request('Digest', 'GET', '/echo', { auth: { type: 'digest', digest: [] } }),
    request('Upload', 'POST', '/echo', { body: { mode: 'file', file: { src: '/etc/passwd' } } }),
    request('Form file', 'POST', '/echo', {
      body: { mode: 'formdata', formdata: [{ key: 'f', type: 'file', src: '/etc/passwd' }] },
    }),
    withScript(request('Throws', 'GET', '/echo'), `pm.test('first', () => {}); throw new TypeError('of the script')`),
    withScript(request('Endless', 'GET', '/echo'), 'for (;;);'),
    withScript(
      request('Greedy', 'GET', '/echo'),
      `pm.test('reaches nothing', () => pm.expect([typeof process, typeof fetch, typeof XMLHttpRequest, typeof globalThis, typeof require('fs').readFileSync]).to.eql(Array(5).fill('undefined')));`,
      `pm.sendRequest('http://10.0.0.1/', (error) => pm.test('sends where it may', () => pm.expect(error.message).to.include('HOST_NOT_ALLOWED')));`,
      `pm.sendRequest({ url: 'http://127.0.0.1', method: 'POST', body: { mode: 'file', file: { src: '/etc/passwd' } } }, (error) => pm.test('reads no file', () => pm.expect(error.message).to.include('BODY_FILE_INVALID')));`,
      `pm.vault.get('x').catch((error) => pm.test('has no vault', () => pm.expect(error.message).to.include('not available')));`,
      `pm.globals.set('__proto__', 'x'); Object.prototype.polluted = 1;`,
    ),
    withScript(
      request('Old style', 'GET', '/echo'),
      `tests['status'] = responseCode.code === 200; tests['body'] = JSON.parse(responseBody).accept === 'wrong'; postman.setEnvironmentVariable('old', 1);`,
    ),
    request('See other', 'POST', '/see-other', {
      auth: { type: 'bearer', bearer: [{ key: 'token', value: 'tok' }] },
      body: { mode: 'raw', raw: 'x' },
    }),
    request('Form', 'POST', '/echo', {
      body: { mode: 'formdata', formdata: [{ key: 'a"b', value: '{{one}}', type: 'text' }] },
    }),
    request('GraphQL', 'POST', '/echo', {
      body: { mode: 'graphql', graphql: { query: '{ me }', variables: '{"a":1}' } },
    }),
  ],
};

let shop: Shop;
let served: Served;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'collections-'));
  await cp(fixtures, folder, { recursive: true });
  await writeFile(join(folder, 'odd.json'), JSON.stringify(ODD));
  await writeFile(join(folder, 'broken.json'), '{ "info": ');
  await writeFile(
    join(folder, 'outside.yaml'),
    `openapi: 3.1.0\ninfo: { title: X, version: '1' }\npaths: { /a: { $ref: 'file:///etc/passwd' } }`,
  );
  await writeFile(join(folder, 'package.json'), '{ "name": "unrelated" }');
  await symlink('/etc/passwd', join(folder, 'link.json'));
  await symlink('/etc', join(folder, 'linked'));
  shop = await openShop();
  const limits = ['--request-ms', '1500', '--max-body-kb', '64', '--run-ms', '60000'];
  served = await serveHttp(collectionsProgram, '--dir', folder, '--allow-target', '127.0.0.1', ...limits);
});
afterAll(async () => {
  await served?.stop();
  await shop?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => void shop.seen.splice(0));

interface Verdict {
  readonly id: string;
  readonly outcome: string;
  readonly response?: { readonly status: number; readonly body?: string; readonly redirects: number };
  readonly assertions: readonly { readonly name: string; readonly passed: boolean; readonly message?: string }[];
  readonly error?: { readonly code: string; readonly message: string };
  readonly script_requests?: readonly object[];
  readonly url: string;
}
interface Run {
  readonly ended: string;
  readonly totals: Readonly<Record<string, number>>;
  readonly requests: readonly Verdict[];
}

describe.each<Era>(['legacy', 'modern'])('collections for a %s client', (era) => {
  let client: Client;
  beforeAll(async () => {
    client = await connectTo(served.url, era);
  });
  afterAll(() => client.close());
  const call = (name: string, args: object) => client.callTool({ name, arguments: { ...args } });

  it('are listed with what cannot be used, and nothing outside the directory', async () => {
    const { structuredContent: listed } = await call('list_collections', {});
    expect(listed).toEqual({
      collections: [
        { id: 'odd.json', name: 'Odd', kind: 'postman', requests: ODD.item.length, description: '' },
        { id: 'pets.openapi.yaml', name: 'Pets', kind: 'openapi', requests: 3, description: 'A register of pets.' },
        {
          id: 'shop.postman_collection.json',
          name: 'Shop',
          kind: 'postman',
          requests: 5,
          description: 'Orders and customers of a small shop.',
        },
      ],
      environments: [
        { id: 'local.postman_environment.json', name: 'Local', variables: ['user', 'password', 'article'] },
      ],
      problems: [
        { id: 'broken.json', message: 'The file cannot be read as JSON or YAML.' },
        { id: 'outside.yaml', message: 'The document refers to other files or addresses; bundle it into one.' },
      ],
    });
    const { tools } = await client.listTools();
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name)).toEqual([
      'list_collections',
      'get_collection',
    ]);
  });

  it('are shown without their secrets', async () => {
    const { structuredContent: shown } = await call('get_collection', { collection: 'Shop' });
    expect(shown).toMatchObject({ variables: [{ key: 'baseUrl' }, { key: 'apiKey', value: '•••' }] });
    expect((shown as { requests: object[] }).requests[2]).toEqual({
      id: 'Orders / Read order',
      name: 'Read order',
      folder: ['Orders'],
      method: 'GET',
      url: '{{baseUrl}}/orders/:id?full=yes',
      auth: 'bearer',
      has_tests: true,
      description: '',
    });
  });

  it('run in order, with variables, authentication, scripts and a report', async () => {
    const progress: (number | undefined)[][] = [];
    const result = await client.callTool(
      {
        name: 'run_collection',
        arguments: { collection: 'Shop', environment: 'Local', variables: { baseUrl: shop.url } },
      },
      { onprogress: ({ progress: done, total }) => progress.push([done, total]) },
    );
    const run = result.structuredContent as Run;
    expect(run).toMatchObject({
      ended: 'complete',
      totals: { requests: 5, passed: 4, failed: 1, errors: 0, not_sent: 0, assertions: 12, assertions_failed: 1 },
    });
    expect(run.requests.flatMap(({ assertions }) => assertions).find(({ passed }) => !passed)).toEqual({
      name: 'is there',
      passed: false,
      message: 'expected response to have status code 200 but got 404',
    });
    expect(shop.seen.map(({ method, path, headers }) => [method, path, headers.authorization, headers.cookie])).toEqual(
      [
        ['POST', '/login', 'Basic YWRhOmxvdmVsYWNl', undefined],
        ['POST', '/orders', 'Bearer secret-token', 'sid=s1'],
        ['GET', '/orders/o%201?full=yes', 'Bearer secret-token', 'sid=s1'],
        ['POST', '/search?key=k-123', undefined, 'sid=s1'],
        ['GET', '/missing', undefined, 'sid=s1'],
      ],
    );
    expect(JSON.parse(shop.seen[1]?.body ?? '')).toEqual({ article: 'tea', count: 2, note: 'run-0' });
    expect(shop.seen[1]?.headers['x-request']).toMatch(/^[\da-f-]{36}$/u);
    expect(shop.seen[3]?.body).toBe('q=green%20tea%20%26%20more');
    expect(progress.at(-1)).toEqual([5, 5]);
    const said = JSON.stringify(result);
    expect(firstText(result)).toMatch(
      /^Shop: 4 passed, 1 failed, 0 with an error; 11 of 12 assertions hold; \d+ ms\n✓ Session \/ Log in: POST /u,
    );
    expect(said).toContain('[log] logged in as ada');
    expect(said).not.toMatch(/k-123|lovelace|secret-token/u);
  });

  it('of OpenAPI are held against what the document says', async () => {
    const { structuredContent } = await call('run_collection', {
      collection: 'pets.openapi.yaml',
      variables: { baseUrl: `${shop.url}/v1`, apiKey: 'K' },
    });
    const { requests } = structuredContent as Run;
    expect(
      requests.map(({ outcome, assertions }) => [
        outcome,
        assertions.filter(({ passed }) => !passed).map(({ message }) => message),
      ]),
    ).toEqual([
      ['passed', []],
      ['failed', ['/kind must be equal to one of the allowed values']],
      ['failed', ['418 is not.']],
    ]);
    expect(
      shop.seen.map(({ method, path, headers, body }) => [method, path, headers['x-key'], body.replaceAll(/\s/gu, '')]),
    ).toEqual([
      ['GET', '/v1/pets?limit=5', 'K', ''],
      ['POST', '/v1/pets?limit=5', 'K', '{"name":"text","kind":"dog"}'],
      ['GET', '/v1/pets/rex', undefined, ''],
    ]);
  });

  it('run one request against what the caller expects', async () => {
    const expected = {
      status: 200,
      max_time_ms: 20_000,
      body_contains: 'found',
      headers: { 'content-type': 'text/plain' },
      json: { '/found': 'x', '/none': 1 },
    };
    const result = await call('run_request', {
      collection: 'Shop',
      request: 'Orders / Search',
      variables: { baseUrl: shop.url },
      expect: expected,
    });
    const { assertions, outcome, response } = result.structuredContent as Verdict;
    expect([outcome, response?.body]).toEqual(['failed', '{"found":"q=green%20tea%20%26%20more"}']);
    expect(assertions.map(({ passed }) => passed)).toEqual([true, true, true, true, false, false, false]);
  });

  it('iterate over data, stop at the first failure, and run a folder alone', async () => {
    const args = { collection: 'Shop', environment: 'Local', variables: { baseUrl: shop.url } };
    const bail = (
      await call('run_collection', {
        ...args,
        variables: { ...args.variables, user: 'eve' },
        bail: true,
        data: [{ article: 1 }, { article: 2 }],
      })
    ).structuredContent as Run;
    expect(bail).toMatchObject({ ended: 'bail', totals: { requests: 1, not_sent: 9, failed: 1 } });
    const folderRun = (await call('run_collection', { ...args, folder: 'Session', data: [{}, {}] }))
      .structuredContent as Run;
    expect(folderRun.requests.map(({ id }) => id)).toEqual(['Session / Log in', 'Session / Log in']);
    expect(firstText(await call('run_collection', { ...args, folder: 'Sess' }))).toMatch(/^REQUEST_NOT_FOUND: /u);
  });

  it.each([
    [{ collection: '../../../etc/passwd' }, /^COLLECTION_NOT_FOUND: /u],
    [{ collection: 'link.json' }, /^COLLECTION_NOT_FOUND: /u],
    [{ collection: 'linked/passwd' }, /^COLLECTION_NOT_FOUND: /u],
    [{ collection: 'broken.json' }, /^COLLECTION_INVALID: /u],
    [{ collection: 'Shop', environment: 'Moon' }, /^ENVIRONMENT_NOT_FOUND: /u],
  ])('refuse %o', async (args, words) => {
    const result = await call('run_collection', args);
    expect(result.isError).toBe(true);
    expect(firstText(result)).toMatch(words);
    expect(JSON.stringify(result)).not.toContain(folder);
  });
});

describe('requests that go wrong', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connectTo(served.url, 'modern');
  });
  afterAll(() => client.close());
  const one = async (name: string, variables: object = {}): Promise<Verdict> =>
    (
      await client.callTool({
        name: 'run_request',
        arguments: { collection: 'Odd', request: name, variables: { baseUrl: shop.url, ...variables } },
      })
    ).structuredContent as Verdict;

  it.each([
    ['Slow', 'TIME_LIMIT'],
    ['Large', 'SIZE_LIMIT'],
    ['Cut', 'CONNECTION_FAILED'],
    ['Loop', 'TOO_MANY_REDIRECTS'],
    ['Away', 'HOST_NOT_ALLOWED'],
    ['To a file', 'URL_INVALID'],
    ['Outside', 'HOST_NOT_ALLOWED'],
    ['Not HTTP', 'URL_INVALID'],
    ['Missing', 'VARIABLE_MISSING'],
    ['Digest', 'AUTH_NOT_SUPPORTED'],
    ['Upload', 'BODY_FILE_INVALID'],
    ['Form file', 'BODY_FILE_INVALID'],
    ['Throws', 'SCRIPT_FAILED'],
    ['Endless', 'SCRIPT_FAILED'],
  ])('%s: %s', async (name, code) => {
    const { outcome, error } = await one(name);
    expect([outcome, error?.code]).toEqual(['error', code]);
    expect(error?.message).not.toMatch(/node:|\.js|127\.0\.0\.1:\d+:/u);
  });

  it('name what is missing, and keep what a broken script found before', async () => {
    expect((await one('Missing')).error?.message).toBe('These variables have no value: one, two.');
    expect(await one('Throws')).toMatchObject({
      assertions: [{ name: 'first', passed: true }],
      error: { message: 'TypeError: of the script' },
    });
  });

  it('have scripts that reach nothing and change only variables', async () => {
    const { assertions, script_requests: sent } = await one('Greedy');
    expect(new Set(assertions)).toEqual(
      new Set(
        ['reaches nothing', 'sends where it may', 'reads no file', 'has no vault'].map((name) => ({
          name,
          passed: true,
        })),
      ),
    );
    expect(sent).toEqual([
      { method: 'GET', url: 'http://10.0.0.1/', error: 'HOST_NOT_ALLOWED' },
      { method: 'POST', url: 'http://127.0.0.1', error: 'BODY_FILE_INVALID' },
    ]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect((await one('Old style')).assertions).toEqual([
      { name: 'status', passed: true },
      { name: 'body', passed: false, message: 'expected false to be truthy' },
    ]);
  });

  it('follow a redirect as a browser would', async () => {
    const { response } = await one('See other');
    expect(response).toMatchObject({ status: 200, redirects: 1 });
    expect(
      shop.seen.map(({ method, headers, body }) => [method, headers.authorization, headers['content-type'], body]),
    ).toEqual([
      ['POST', 'Bearer tok', 'text/plain', 'x'],
      ['GET', 'Bearer tok', undefined, ''],
    ]);
  });

  it('give no credentials to another server that they are redirected to', async () => {
    const bearer = { type: 'bearer', bearer: [{ key: 'token', value: 'for-the-first' }] };
    const headers = [
      { key: 'Cookie', value: 'c=1' },
      { key: 'X-Kept', value: 'yes' },
    ];
    const other = await openShop({
      'GET /hop': (response) => response.writeHead(307, { Location: `${shop.url}/echo` }).end(),
    });
    try {
      const item = request('Hop', 'GET', '', { url: `${other.url}/hop`, auth: bearer, header: headers });
      await writeFile(join(folder, 'hop.json'), JSON.stringify({ info: { name: 'Hop' }, item: [item] }));
      await client.callTool({ name: 'run_collection', arguments: { collection: 'Hop' } });
      const shown = [...other.seen, ...shop.seen].map(({ headers: got }) => [
        got.authorization,
        got.cookie,
        got['x-kept'],
      ]);
      expect(shown).toEqual([
        ['Bearer for-the-first', 'c=1', 'yes'],
        [undefined, undefined, 'yes'],
      ]);
    } finally {
      await rm(join(folder, 'hop.json'));
      await other.close();
    }
  });

  it('send forms and GraphQL', async () => {
    await one('Form', { one: 'value' });
    expect(shop.seen[0]?.body).toMatch(
      /^--form-\S+\r\nContent-Disposition: form-data; name="a%22b"\r\n\r\nvalue\r\n--form-\S+--\r\n$/u,
    );
    await one('GraphQL');
    expect(JSON.parse(shop.seen[1]?.body ?? '')).toEqual({ query: '{ me }', variables: { a: 1 } });
  });

  it('end when the client cancels', async () => {
    const stop = new AbortController();
    const arrived = shop.arrival('/slow');
    const running = client.callTool(
      { name: 'run_request', arguments: { collection: 'Odd', request: 'Slow', variables: { baseUrl: shop.url } } },
      { signal: stop.signal },
    );
    await arrived;
    stop.abort();
    await expect(running).rejects.toThrow(/abort/iu);
  });
});

describe('a server that nobody told of targets', () => {
  it('reaches the loopback addresses of its files, whatever a caller or a script says', async () => {
    const neighbour = await openShop();
    const own = await mkdtemp(join(tmpdir(), 'collections-own-'));
    const script = `pm.environment.set('base', '${neighbour.url}'); pm.sendRequest('${neighbour.url}/echo', () => {});`;
    const collection = {
      info: { name: 'Own' },
      variable: [{ key: 'base', value: shop.url }],
      item: [
        { ...withScript(request('First', 'GET', '', { url: '{{base}}/echo' }), script) },
        request('Second', 'GET', '', { url: '{{base}}/echo' }),
        request('Redirected', 'GET', '', { url: `${shop.url}/away` }),
      ],
    };
    await writeFile(join(own, 'own.json'), JSON.stringify(collection));
    const alone = await serveHttp(collectionsProgram, '--dir', own);
    const client = await connectTo(alone.url, 'modern');
    const run = async (args: object): Promise<Run> =>
      (await client.callTool({ name: 'run_collection', arguments: { collection: 'Own', ...args } }))
        .structuredContent as Run;
    try {
      const codes = ({ requests }: Run) => requests.map(({ error }) => error?.code);
      expect(codes(await run({ variables: { base: neighbour.url } }))).toEqual([
        'HOST_NOT_ALLOWED',
        'HOST_NOT_ALLOWED',
        'HOST_NOT_ALLOWED',
      ]);
      expect(codes(await run({}))).toEqual([undefined, 'HOST_NOT_ALLOWED', 'HOST_NOT_ALLOWED']);
      expect(neighbour.seen).toEqual([]);
    } finally {
      await client.close();
      await alone.stop();
      await neighbour.close();
      await rm(own, { recursive: true, force: true });
    }
  });
});
