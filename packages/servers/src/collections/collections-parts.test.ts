import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collectionsProgram, settingsFrom } from './program/collections-program.js';
import { COLLECTION_ERRORS } from './collections-error.js';
import { CollectionLibrary } from './library/collection-library.js';
import type { RequestModel } from './model/collection-model.js';
import { listDocuments, readDocumentText } from './library/directory-files.js';
import { readDocument } from './library/read-document.js';
import { encodeBody } from './run/encode-body.js';
import { assertExpectations, assertPromise } from './run/expectations.js';
import { ownOrigins } from './run/collection-runner.js';
import { masked } from './run/request-report.js';
import { resolveRequest } from './run/resolve-request.js';
import { merged, substitute, unresolvedIn } from './model/variable-scopes.js';
import { CookieJar } from '../send/cookie-jar.js';
import type { Answer } from '../send/outgoing-request.js';
import { TargetPolicy } from '../send/target-policy.js';

const codeOf = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
    return 'done';
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

const same = (text: string): string => text;
const noFile = (): Promise<Uint8Array> => Promise.reject(new Error('no file'));
const resolved = (request: RequestModel, values: Record<string, string>) => resolveRequest(request, values, noFile);

describe('where requests may go', () => {
  const policy = (
    allowed: readonly string[],
    loopback = true,
    resolve = (_host: string) => Promise.resolve(['93.184.216.34']),
    ownOrigins: ReadonlySet<string> = new Set(),
  ) => new TargetPolicy({ allowed, loopback, resolve }).withOwnOrigins(ownOrigins);

  it.each([
    ['http://127.0.0.1:3000/', ['127.0.0.1:3000']],
    ['http://localhost/', ['localhost']],
    ['http://api.localhost/', ['*.localhost']],
    ['http://[::1]:80/', ['::1']],
    ['http://2130706433/', ['127.0.0.1']],
    ['https://api.example.com/', ['api.example.com']],
    ['https://api.example.com/', ['API.example.com:443']],
    ['https://api.example.com/', ['*.example.com']],
    ['http://10.0.0.1/', ['10.0.0.1']],
    ['http://[2606:2800::1]:8080/', ['[2606:2800::1]:8080']],
    ['http://[2606:2800::1]/', ['2606:2800::1']],
    ['http://169.254.169.254/', ['169.254.169.254']],
    ['http://168.63.129.16/', ['168.63.129.16']],
    ['http://[64:ff9b::808:808]/', ['64:ff9b::808:808']],
  ])('%s is reached with %o', async (url, allowed) => {
    expect(await codeOf(() => policy(allowed).addressesFor(new URL(url)))).toBe('done');
  });

  it.each([
    ['http://example.com/', []],
    ['http://127.0.0.1:3000/', []],
    ['http://localhost:3000/', ['localhost:3001']],
    ['http://[::1]/', ['127.0.0.1']],
    ['http://10.0.0.1/', []],
    ['http://169.254.169.254/', []],
    ['http://0.0.0.0/', []],
    ['http://example.com/', ['*.example.com']],
    ['http://badexample.com/', ['*.example.com']],
    ['http://example.com.evil.org/', ['example.com']],
    ['http://api.example.com:8080/', ['api.example.com:443']],
  ])('%s is refused with %o', async (url, allowed) => {
    expect(await codeOf(() => policy(allowed).addressesFor(new URL(url)))).toBe('HOST_NOT_ALLOWED');
  });

  it('includes the loopback origins that the files name, and no others', async () => {
    const own = policy([], true, undefined, new Set(['http://127.0.0.1:3000', 'http://10.0.0.1']));
    expect(await own.addressesFor(new URL('http://127.0.0.1:3000/x'))).toEqual(['127.0.0.1']);
    for (const url of [
      'http://127.0.0.1:3001/',
      'http://localhost:3000/',
      'https://127.0.0.1:3000/',
      'http://10.0.0.1/',
    ]) {
      expect(await codeOf(() => own.addressesFor(new URL(url)))).toBe('HOST_NOT_ALLOWED');
    }
    const closed = policy([], false, undefined, new Set(['http://127.0.0.1:3000']));
    expect(await codeOf(() => closed.addressesFor(new URL('http://127.0.0.1:3000/')))).toBe('HOST_NOT_ALLOWED');
  });

  it('takes origins from the files alone', () => {
    const requests = ['{{base}}/a', 'http://127.0.0.1:1/{{x}}', '{{host}}:81/b', '{{unknown}}/c', '/d'].map((url) =>
      model({ url }),
    );
    const variables = [
      { key: 'base', value: 'http://localhost:3000/v1', secret: false },
      { key: 'host', value: 'h', secret: false },
    ];
    const environment = { id: 'e', name: 'e', variables: [{ key: 'host', value: 'other', secret: false }] };
    const collection = { id: 'c', kind: 'postman' as const, name: 'c', description: '', variables, requests };
    expect([...ownOrigins(collection, environment)]).toEqual([
      'http://localhost:3000',
      'http://127.0.0.1:1',
      'http://other:81',
    ]);
  });

  it('is pinned, and judged by what a name means', async () => {
    const to =
      (...addresses: string[]) =>
      () =>
        Promise.resolve(addresses);
    const url = new URL('http://api.example.com/');
    expect(await policy(['api.example.com'], true, to('10.1.1.1')).addressesFor(url)).toEqual(['10.1.1.1']);
    expect(await policy(['api.example.com'], true, to('169.254.169.254', '10.1.1.2')).addressesFor(url)).toEqual([
      '10.1.1.2',
    ]);
    for (const address of [
      '169.254.169.254',
      '::ffff:169.254.169.254',
      '64:ff9b::a9fe:a9fe',
      '168.63.129.16',
      '100.100.100.200',
      'fd00:ec2::254',
      '0.0.0.0',
      '::',
      'fe80::1',
      '224.0.0.1',
      '203.0.113.7',
      'nonsense',
    ]) {
      expect(await codeOf(() => policy(['api.example.com'], true, to(address)).addressesFor(url))).toBe(
        'HOST_NOT_ALLOWED',
      );
    }
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '64:ff9b::7f00:1']) {
      expect(await codeOf(() => policy(['api.example.com'], true, to(address)).addressesFor(url))).toBe(
        'HOST_NOT_ALLOWED',
      );
    }
    expect(await policy(['api.example.com'], true, to('64:ff9b::a01:101')).addressesFor(url)).toEqual([
      '64:ff9b::a01:101',
    ]);
    expect(await codeOf(() => policy(['api.example.com'], false, to('127.0.0.1')).addressesFor(url))).toBe(
      'HOST_NOT_ALLOWED',
    );
    expect(await codeOf(() => policy([], false).addressesFor(new URL('http://localhost/')))).toBe('HOST_NOT_ALLOWED');
    expect(
      await codeOf(() => policy(['api.example.com'], true, () => Promise.reject(new Error('x'))).addressesFor(url)),
    ).toBe('CONNECTION_FAILED');
  });

  it('never asks for the meaning of a name that nobody allowed', async () => {
    const asked: string[] = [];
    const watched = policy(['ok.example'], true, (host) => {
      asked.push(host);
      return Promise.resolve(['10.0.0.1']);
    });
    await fc.assert(
      fc.asyncProperty(fc.domain(), async (host) => {
        expect(await codeOf(() => watched.addressesFor(new URL(`http://${host}/`)))).toBe('HOST_NOT_ALLOWED');
      }),
      { numRuns: 50 },
    );
    expect(asked).toEqual([]);
  });
});

describe('variables', () => {
  it('are filled in, also within each other, and the nearer scope wins', () => {
    const values = merged({
      globals: { a: '1', b: '1' },
      collection: { b: '2', c: '{{b}}' },
      environment: { d: '4' },
      data: {},
      local: { d: '5' },
    });
    expect(substitute('{{a}}{{b}}{{c}}{{d}}{{e}}', values)).toBe('1225{{e}}');
    expect(substitute('{{$timestamp}}', {})).toMatch(/^\d{10}$/u);
    expect(unresolvedIn(['{{e}} {{f}}', '{{e}}', '{ {g} }'])).toEqual(['e', 'f']);
  });
});

const model = (more: Partial<RequestModel> = {}): RequestModel => ({
  id: 'r',
  name: 'r',
  folder: [],
  description: '',
  method: 'GET',
  url: 'http://h/',
  pathVariables: [],
  headers: [],
  body: { mode: 'none' },
  auth: undefined,
  scripts: { before: [], after: [] },
  ...more,
});

describe('a request', () => {
  it.each([
    ['h:1/a', 'http://h:1/a'],
    ['{{base}}/a b?x=y z#part', 'http://h/a%20b?x=y%20z'],
    ['HTTPS://h', 'https://h/'],
  ])('to %s goes to %s', async (url, href) => {
    expect((await resolved(model({ url }), { base: 'http://h' })).url.href).toBe(href);
  });

  it.each(['ftp://h/', 'javascript:alert(1)', 'http://', 'file:///etc/passwd'])('to %s is refused', async (url) => {
    expect(await codeOf(() => resolved(model({ url }), {}))).toBe('URL_INVALID');
  });

  it('takes path variables as one segment each', async () => {
    const values = fc
      .string({ unit: 'binary', minLength: 1 })
      .filter((text) => !/^\.{1,2}$/u.test(text) && !text.includes('{{'));
    const paths = fc.asyncProperty(values, async (value) => {
      const { url } = await resolved(model({ url: 'http://h/a/:id/b', pathVariables: [{ key: 'id', value: '' }] }), {
        id: value,
      });
      return url.host === 'h' && url.pathname.split('/').length === 4;
    });
    expect(await fc.check(paths)).toMatchObject({ failed: false });
    const climb = model({ url: 'http://h/a/:id/b', pathVariables: [{ key: 'id', value: '..' }] });
    await expect(resolved(climb, {})).rejects.toThrow('is not a valid value for :id');
    const partly = model({ url: 'http://h/:id/:idx', pathVariables: [{ key: 'id', value: '{{n}}' }] });
    expect((await resolved(partly, { n: '1' })).url.pathname).toBe('/1/:idx');
  });

  it('has its own query encoded, and defaults for what nobody gives', async () => {
    const query = [{ key: 'q', value: '{{q}}' }];
    expect((await resolved(model({ query, defaults: { q: 'a&b=#' } }), {})).url.search).toBe('?q=a%26b%3D%23');
    expect((await resolved(model({ query, defaults: { q: 'x' } }), { q: 'given' })).url.search).toBe('?q=given');
  });

  it('carries authentication, and knows what must not be shown', async () => {
    const auth = (type: string, parameters: Record<string, string>) =>
      resolved(model({ auth: { type, parameters }, headers: [{ key: 'authorization', value: 'old' }] }), {});
    expect(await auth('bearer', { token: 't0k' })).toMatchObject({
      headers: [{ key: 'Authorization', value: 'Bearer t0k' }],
      secrets: ['t0k'],
    });
    expect((await auth('basic', { username: 'u', password: 'p' })).headers).toEqual([
      { key: 'Authorization', value: 'Basic dTpw' },
    ]);
    expect((await auth('apikey', { key: 'X-K', value: 'v', in: 'header' })).headers[1]).toEqual({
      key: 'X-K',
      value: 'v',
    });
    expect((await auth('apikey', { key: 'k', value: 'v&w', in: 'query' })).url.search).toBe('?k=v%26w');
    expect(masked('http://h/?k=v%26w', (await auth('apikey', { key: 'k', value: 'v&w', in: 'query' })).secrets)).toBe(
      'http://h/?k=•••',
    );
  });

  it('keeps the content type it names', async () => {
    const body = { mode: 'raw', text: '{}', contentType: 'application/json' } as const;
    expect((await resolved(model({ body, method: 'POST' }), {})).headers).toEqual([
      { key: 'Content-Type', value: 'application/json' },
    ]);
    const headers = [{ key: 'content-type', value: 'application/vnd.api+json' }];
    expect((await resolved(model({ body, headers, method: 'POST' }), {})).headers).toEqual(headers);
    const encoded = await encodeBody(
      { mode: 'graphql', query: 'q', variables: 'no json' },
      { fill: same, readFile: noFile },
    );
    expect(encoded.bytes?.toString()).toBe('{"query":"q","variables":{}}');
  });

  it('of a method without a body has none unless it asks for it', async () => {
    const body = { mode: 'raw', text: 'x' } as const;
    expect((await resolved(model({ body }), {})).body).toBeUndefined();
    expect((await resolved(model({ body, behaviour: { disableBodyPruning: true } }), {})).body).toBeDefined();
  });
});

describe('cookies', () => {
  it('go back to where they came from, below their path, until they end', async () => {
    const jar = new CookieJar();
    const at = (path: string, origin = 'http://h:1') => jar.header(new URL(path, origin));
    await jar.keep(new URL('http://h:1/'), [
      'a=1',
      'b=2; Path=/app',
      'c=3; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
      'd=4; Domain=evil.example',
      'e=5; Secure',
    ]);
    expect(await at('/')).toBe('a=1');
    expect((await at('/app/x')).split('; ').sort()).toEqual(['a=1', 'b=2']);
    expect([await at('/apple'), await at('/', 'http://evil'), await at('/', 'http://evil.example')]).toEqual([
      'a=1',
      '',
      '',
    ]);
    await jar.keep(new URL('http://h:1/'), ['a=; Max-Age=0']);
    expect(await at('/')).toBe('');
  });

  it('can be read and changed through the methods of a store, and no others', async () => {
    const jar = new CookieJar();
    await jar.keep(new URL('http://h/'), ['a=1; Path=/']);
    expect(await jar.call('findCookie', ['h', '/', 'a'])).toMatchObject({ value: { key: 'a', value: '1' } });
    expect(await jar.call('findCookies', ['h', '/'])).toMatchObject({ value: [{ key: 'a' }] });
    await jar.call('putCookie', [{ key: 'b', value: '2', domain: 'h', path: '/', hostOnly: true }]);
    expect(await jar.list(new URL('http://h/'))).toMatchObject([
      { name: 'a' },
      { name: 'b', value: '2', domain: 'h', path: '/' },
    ]);
    await jar.call('removeCookie', ['h', '/', 'a']);
    expect(await jar.header(new URL('http://h/'))).toBe('b=2');
    expect([await jar.call('constructor', []), await jar.call('toString', [])]).toEqual([undefined, undefined]);
  });
});

describe('an answer', () => {
  const answer = (body: unknown, status = 200): Answer => ({
    url: new URL('http://h/'),
    status,
    statusText: 'OK',
    headers: [{ key: 'X-A', value: '1' }],
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    timeMs: 10,
    redirects: 0,
  });
  const failed = (assertions: readonly { passed: boolean; message?: string | undefined }[]) =>
    assertions.filter(({ passed }) => !passed).map(({ message }) => message);

  it('is compared with what is expected', () => {
    const json = { '/a/0/b~1c': 1, '/none': 1, '': { a: 2 } };
    expect(failed(assertExpectations({ json }, answer({ a: [{ 'b/c': 1 }] })))).toEqual([
      'It is absent.',
      'It is {"a":[{"b/c":1}]}.',
    ]);
    expect(
      failed(
        assertExpectations(
          { status: 201, maxTimeMs: 5, bodyContains: 'z', headers: { 'x-a': '1', 'X-B': '2' } },
          answer('text'),
        ),
      ),
    ).toEqual(['It is 200.', 'It took 10 ms.', 'It does not.', 'It is absent.']);
    expect(failed(assertExpectations({ json: { '/a': 1 } }, answer('no json')))).toEqual(['It is absent.']);
    expect(assertExpectations({}, answer(''))).toEqual([]);
  });

  it('is held against its documented statuses and schemas', () => {
    const jsonSchema = { type: 'object', required: ['a'] };
    const promise = { byStatus: { '200': { jsonSchema }, '4XX': {}, DEFAULT: {} } };
    expect(failed(assertPromise(promise, answer({ a: 1 })))).toEqual([]);
    expect(failed(assertPromise(promise, answer({})))).toEqual(["The body must have required property 'a'"]);
    expect(failed(assertPromise(promise, answer('text')))).toEqual(['It is not JSON.']);
    expect(failed(assertPromise({ byStatus: { '4XX': {} } }, answer('', 404)))).toEqual([]);
    expect(failed(assertPromise({ byStatus: { '4XX': {} } }, answer('')))).toEqual(['200 is not.']);
    expect(assertPromise({ byStatus: { '200': { jsonSchema: { $ref: '#/nowhere' } } } }, answer({}))).toHaveLength(1);
  });
});

describe('the directory', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'collection-files-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is read below, without links, hidden folders and other files', async () => {
    for (const name of ['sub', '.hidden', 'node_modules']) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'a.json'), '{}');
    }
    await writeFile(join(folder, 'b.yml'), 'a: 1');
    await writeFile(join(folder, 'c.txt'), '');
    await symlink(join(folder, 'b.yml'), join(folder, 'link.yml'));
    await symlink(tmpdir(), join(folder, 'outside'));
    expect((await listDocuments(folder)).map(({ id }) => id)).toEqual(['b.yml', 'sub/a.json']);
    expect(await listDocuments(join(folder, 'none'))).toEqual([]);
  });

  it('gives nothing of a file that was exchanged for a link', async () => {
    await symlink('/etc/passwd', join(folder, 'a.json'));
    await symlink('/etc', join(folder, 'sub'));
    expect(await readDocumentText(folder, { id: 'a.json', path: join(folder, 'a.json') })).toBeUndefined();
    expect(await readDocumentText(folder, { id: 'sub/passwd', path: join(folder, 'sub', 'passwd') })).toBeUndefined();
  });

  it('is read again when a file changes', async () => {
    const library = new CollectionLibrary(folder);
    const path = join(folder, 'a.json');
    const collection = (name: string) =>
      JSON.stringify({ info: { name }, item: [{ request: 'http://h/' }, { request: 'http://h/' }] });
    await writeFile(path, collection('One'));
    expect(await library.collection('One')).toMatchObject({
      id: 'a.json',
      requests: [{ id: 'GET' }, { id: 'GET #2' }],
    });
    expect(await library.collection('One')).toBe(await library.collection('a.json'));
    await writeFile(path, collection('Number two'));
    expect(await library.collection('a.json')).toMatchObject({ name: 'Number two' });
    await rm(path);
    expect(await codeOf(() => library.collection('a.json'))).toBe('COLLECTION_NOT_FOUND');
  });
});

describe('documents', () => {
  it.each([
    ['a.json', '[]', 'other'],
    ['a.json', '{}', 'other'],
    ['a.yaml', 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: { /a: {} }', 'collection'],
    [
      'a.json',
      '{ "name": "E", "values": [{ "key": "a", "value": 1 }, { "key": "b", "enabled": false }, 5] }',
      'environment',
    ],
  ])('%s %s is %s', async (id, text, kind) => {
    expect(await readDocument(id, text)).toMatchObject({ kind });
  });

  it.each([
    ['a.json', '{ "openapi": "2.0" }', 'The document is of a version other than OpenAPI 3.'],
    [
      'a.json',
      '{ "openapi": "3.0.0" }',
      "The document does not follow OpenAPI: REQUIRED must have required property 'info'",
    ],
    [
      'a.json',
      '{ "info": { "schema": "https://schema.getpostman.com/json/collection/v1.0.0/collection.json" }, "item": [] }',
      'The collection is of a version other than 2.0 and 2.1.',
    ],
    [
      'a.yaml',
      `a: &a [x, x]\n${Array.from({ length: 9 }, (_, i) => `b${i}: &b${i} [${i === 0 ? '*a, *a, *a, *a' : `*b${i - 1}, *b${i - 1}, *b${i - 1}, *b${i - 1}`}]`).join('\n')}`,
      'The file cannot be read as JSON or YAML.',
    ],
    [
      'a.json',
      '{ "openapi": "3.1.0", "paths": { "/": { "$ref": "http://h/x" } } }',
      'The document refers to other files or addresses; bundle it into one.',
    ],
  ])('%s %s is refused', async (id, text, message) => {
    await expect(readDocument(id, text)).rejects.toThrow(message);
  });

  it('of OpenAPI become requests with examples, bodies and the first way in that works', async () => {
    const text = readFileSync(new URL('./test-support/everything.openapi.json', import.meta.url), 'utf8');
    const read = await readDocument('everything.json', text);
    if (read.kind !== 'collection') throw new Error(read.kind);
    const { requests, variables } = read.collection;
    expect(variables).toEqual([{ key: 'baseUrl', value: 'http://127.0.0.1/v2', secret: false }]);
    const shown = requests.map(({ id, auth, body, defaults, headers }) => ({ id, auth, body, defaults, headers }));
    await expect(`${JSON.stringify(shown, null, 2)}\n`).toMatchFileSnapshot('./test-support/everything.expected.txt');
  });
});

describe('flags of the collections server', () => {
  it('have defaults', () => {
    expect(settingsFrom({}, '/home/me')).toEqual({
      directory: '/home/me/collections',
      targets: [],
      loopback: true,
      requestMs: 10_000,
      runMs: 120_000,
      maxBodyBytes: 1024 * 1024,
    });
    expect(collectionsProgram.defaultPort).toBe(3021);
  });

  it('can be given', () => {
    const targets = ['a.example', '*.b.example', 'c:80', '[::1]:80', '10.0.0.1'];
    expect(
      settingsFrom({ dir: 'x', 'allow-target': targets, 'no-loopback': true, 'max-body-kb': '1' }, '/'),
    ).toMatchObject({ directory: '/x', targets, loopback: false, maxBodyBytes: 1024 });
  });

  it.each([
    { 'allow-target': ['http://a'] },
    { 'allow-target': ['*'] },
    { 'allow-target': [''] },
    { 'request-ms': '0' },
    { 'run-ms': 'x' },
  ])('refuse %o', (values) => {
    expect(() => settingsFrom(values, '/')).toThrow(/must be/u);
  });
});

it('documents every error code and every flag', () => {
  const page = readFileSync(new URL('../../../../docs/collections.md', import.meta.url), 'utf8');
  const words = [
    ...Object.keys(COLLECTION_ERRORS),
    ...Object.keys(collectionsProgram.options ?? {}).map((name) => `--${name}`),
  ];
  expect(words.filter((word) => !page.includes(`\`${word}`))).toEqual([]);
});
