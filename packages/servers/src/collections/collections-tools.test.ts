import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectInProcess, inProcessPool } from '../sandbox/test-support/in-process.js';
import { CollectionError } from './collections-error.js';
import { collectionsProgram, collectionsServer } from './collections-program.js';
import { CollectionLibrary } from './library/collection-library.js';
import { readDocument } from './library/read-document.js';
import { CollectionRunner } from './run/collection-runner.js';
import { encodeBody } from './run/encode-body.js';
import { ScriptRunner } from './script/script-runner.js';
import type { Answer, OutgoingRequest } from './send/outgoing-request.js';
import { TargetPolicy } from './send/target-policy.js';

const directory = fileURLToPath(new URL('../../test/fixtures/collections/', import.meta.url));
const sent: OutgoingRequest[] = [];
const ANSWERS: Readonly<Record<string, readonly [number, unknown]>> = {
  '/login': [200, { token: 'tok' }],
  '/orders': [201, { id: '7', note: 'run-0' }],
  '/orders/7': [200, { article: 'tea', query: { full: 'yes' } }],
  '/search': [200, {}],
};

const sendRequest = (outgoing: OutgoingRequest): Promise<Answer> => {
  sent.push(outgoing);
  if (outgoing.url.hostname === 'refused') return Promise.reject(new CollectionError('CONNECTION_FAILED'));
  if (outgoing.url.hostname === 'broken') return Promise.reject(new Error('/secret/path'));
  const [status, body] = ANSWERS[outgoing.url.pathname] ?? [404, {}];
  const headers = [
    { key: 'Content-Type', value: 'application/json' },
    { key: 'Set-Cookie', value: 'a=b' },
  ];
  return Promise.resolve({
    status,
    statusText: 'Word',
    headers,
    body: Buffer.from(JSON.stringify(body)),
    timeMs: 3,
    redirects: 0,
  });
};

const scripts = new ScriptRunner(inProcessPool());
const policy = new TargetPolicy({ allowed: [], loopback: true, resolve: () => Promise.resolve([]) });
const runner = (runMs = 60_000) =>
  new CollectionRunner({ policy, scripts, sendRequest, requestMs: 1000, runMs, maxBodyBytes: 1000 });
let client: Client;

beforeAll(async () => {
  client = await connectInProcess(collectionsServer({ library: new CollectionLibrary(directory), runner: runner() }));
});
afterAll(async () => {
  await client.close();
  await scripts.close();
});
beforeEach(() => void sent.splice(0));

const call = (name: string, args: object = {}) => client.callTool({ name, arguments: { ...args } });
const text = async (name: string, args: object = {}): Promise<string> =>
  ((await call(name, args)).content as { text: string }[])[0]?.text ?? '';
const local = { collection: 'Shop', environment: 'Local', variables: { baseUrl: 'http://127.0.0.1:1' } };

describe('tools of the collections server', () => {
  it('list and show', async () => {
    expect(await text('list_collections')).toBe(
      'pets.openapi.yaml: Pets (openapi, 3 requests)\nshop.postman_collection.json: Shop (postman, 5 requests)\nlocal.postman_environment.json: environment Local',
    );
    expect(await text('get_collection', { collection: 'Pets' })).toContain(
      'GET {{baseUrl}}/pets/:petId  (pets / getPet)',
    );
  });

  it('run a collection and say it in words', async () => {
    const report = await text('run_collection', local);
    expect(report.replaceAll(/\d+ ms/gu, 'n ms')).toBe(
      readFileSync(new URL('./test-support/shop-report.expected.txt', import.meta.url), 'utf8').trimEnd(),
    );
    expect(sent.map(({ url }) => url.pathname)).toEqual(['/login', '/orders', '/orders/7', '/search', '/missing']);
  });

  it('run one request', async () => {
    const result = await call('run_request', { ...local, request: 'Session / Log in', expect: { status: 200 } });
    expect(result.structuredContent).toMatchObject({
      outcome: 'passed',
      response: { headers: { 'Content-Type': 'application/json' }, body: '{"token":"tok"}', truncated: false },
    });
    expect(JSON.stringify(result)).not.toContain('a=b');
    expect(await text('run_request', { ...local, request: 'None' })).toMatch(/^REQUEST_NOT_FOUND: /u);
  });

  it('report what could not be sent, and say nothing of the host', async () => {
    const refused = await text('run_request', {
      ...local,
      variables: { baseUrl: 'http://refused' },
      request: 'Orders / Search',
    });
    expect(refused).toMatch(/^! Orders \/ Search: POST http:\/\/refused\/search\?key=•••\n {4}CONNECTION_FAILED: /u);
    const broken = await call('run_request', {
      ...local,
      variables: { baseUrl: 'http://broken' },
      request: 'Orders / Search',
    });
    expect([broken.isError, JSON.stringify(broken).includes('secret')]).toEqual([true, false]);
  });

  it('end at their time, at the first failure, and when they are cancelled', async () => {
    const collection = await new CollectionLibrary(directory).collection('Shop');
    const plan = {
      collection,
      requests: collection.requests,
      environment: undefined,
      variables: { baseUrl: 'http://refused', user: 'u', password: 'p' },
      data: [{}],
      expected: {},
      bail: true,
    };
    expect(await runner().run(plan)).toMatchObject({ ended: 'bail', left: 4 });
    expect(await runner(-1).run(plan)).toMatchObject({ ended: 'time', left: 5, requests: [] });
    await expect(runner().run({ ...plan, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('scripts', () => {
  const context = {
    scopes: { globals: {}, collection: { c: '1' }, environment: { e: '2' }, local: { l: '3' } },
    info: { requestName: 'r', iteration: 0, eventName: 'test' as const },
    request: { method: 'POST', url: 'http://h/', headers: [{ key: 'A', value: 'b' }], body: 'x' },
    response: {
      code: 404,
      status: 'Not Found',
      timeMs: 5,
      size: 2,
      headers: [{ key: 'X', value: 'y' }],
      body: '{"a":{"b":[1]}}',
    },
  };
  const run = (script: string) => scripts.run(script, context);

  it('find what pm promises', async () => {
    const { assertions, problem } = await run(`
      pm.test('scopes', () => { pm.expect([pm.variables.get('c'), pm.variables.get('e'), pm.environment.has('c'), pm.variables.replaceIn('{{l}}{{x}}')]).to.eql(['1', '2', false, '3{{x}}']); });
      pm.test('request', () => { pm.expect([pm.request.method, pm.request.url.toString(), pm.request.headers.get('a'), pm.request.body.raw]).to.eql(['POST', 'http://h/', 'b', 'x']); });
      pm.test('response', () => { pm.response.to.be.clientError; pm.response.to.be.notFound; pm.response.to.be.json; pm.response.to.be.withBody; pm.response.to.not.be.ok; pm.response.to.have.status('Not Found'); pm.response.to.have.header('x'); pm.response.to.have.jsonBody('a.b[0]', 1); pm.response.to.have.jsonBody({ a: { b: [1] } }); pm.response.to.have.body(/"b"/); pm.expect(pm.response.headers.all().length + pm.response.responseSize).to.equal(3); });
      pm.test('promise', async () => { await null; pm.expect(1).to.equal(1); });
      pm.test('callback', (done) => setTimeout(done, 1));
      const { skip: leaveOut } = pm.test; leaveOut('left out', () => { throw new Error('no'); });
      pm.test('plain ok', () => pm.expect('x').to.be.ok);
    `);
    expect([problem, assertions.filter(({ passed }) => !passed)]).toEqual([undefined, []]);
    expect(assertions).toHaveLength(6);
  });

  it('say why a test fails', async () => {
    const { assertions } =
      await run(`pm.test('status', () => pm.response.to.be.ok); pm.test('header', () => pm.response.to.have.header('X', 'z')); pm.test('thrown', () => { throw 'text' });
      pm.test('late', (done) => done(new Error('later'))); pm.test('rejected', async () => { throw new Error('async') }); pm.test('nothing');`);
    expect(assertions.map(({ name, message }) => [name, message])).toEqual([
      ['status', 'expected response to be ok but got 404'],
      ['header', 'expected response to have header X: z but got y'],
      ['thrown', 'text'],
      ['nothing', 'The test has no function.'],
      ['late', 'later'],
      ['rejected', 'async'],
    ]);
  });

  it('change variables, as texts, and nothing else', async () => {
    const { scopes } = await run(
      `pm.environment.set('n', 5); pm.globals.set('o', { a: 1 }); pm.collectionVariables.unset('c'); pm.variables.set('v', true); pm.environment.unset('e'); pm.request.method = 'DELETE';`,
    );
    expect(scopes).toEqual({
      globals: { o: '{"a":1}' },
      collection: {},
      environment: { n: '5' },
      local: { l: '3', v: 'true' },
    });
  });

  it('that end badly are told of, and start anew each time', async () => {
    expect(await run('throw new RangeError("r")')).toMatchObject({ problem: 'RangeError: r', scopes: context.scopes });
    expect(await run('for (;;);')).toMatchObject({ problem: 'The script was stopped: CPU_LIMIT.', assertions: [] });
    expect(await run(`pm.test({ toString() { throw new Error('x') } }, () => {})`)).toMatchObject({
      problem: 'Error: x',
    });
    expect(
      (await run(`pm.test('fresh', () => pm.expect(typeof leaked).to.equal('undefined')); globalThis.leaked = 1`))
        .assertions,
    ).toEqual([{ name: 'fresh', passed: true }]);
    await expect(scripts.run('1', context, AbortSignal.abort())).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('bodies and documents of Postman', () => {
  const same = (value: string): string => value;
  const bytesOf = (body: Parameters<typeof encodeBody>[0]): string =>
    Buffer.from(encodeBody(body, same).bytes ?? []).toString();

  it('are read in every mode', async () => {
    const item = (body: object) => ({
      name: 'r',
      request: { method: 'post', url: 'http://h/', description: { content: 'd' }, body },
    });
    const bodies = [
      { mode: 'raw', raw: '<a/>', options: { raw: { language: 'xml' } } },
      { mode: 'raw', raw: '' },
      {
        mode: 'urlencoded',
        urlencoded: [
          { key: 'a', value: null },
          { key: 'b', value: '1', disabled: true },
        ],
      },
      { mode: 'formdata', formdata: [{ key: 'a', value: '1', type: 'text' }] },
      { mode: 'formdata', formdata: [{ key: 'f', type: 'file', src: 'x' }] },
      { mode: 'graphql', graphql: { query: 'q', variables: { a: 1 } } },
      { mode: 'file', file: { src: 'x' } },
      { mode: 'raw', raw: 'x', disabled: true },
    ];
    const read = await readDocument(
      'a.json',
      JSON.stringify({ info: { name: 'B', description: 'text' }, item: bodies.map(item) }),
    );
    if (read.kind !== 'collection') throw new Error(read.kind);
    expect(read.collection.requests.map(({ body }) => body)).toEqual([
      { mode: 'raw', text: '<a/>', contentType: 'application/xml' },
      { mode: 'none' },
      { mode: 'urlencoded', fields: [{ key: 'a', value: '' }] },
      { mode: 'formdata', fields: [{ key: 'a', value: '1' }] },
      { mode: 'file' },
      { mode: 'graphql', query: 'q', variables: '{"a":1}' },
      { mode: 'file' },
      { mode: 'none' },
    ]);
    expect(read.collection.requests[0]).toMatchObject({ method: 'POST', description: 'd' });
  });

  it('are encoded', () => {
    expect(bytesOf({ mode: 'urlencoded', fields: [{ key: 'a b', value: 'ü&' }] })).toBe('a+b=%C3%BC%26');
    expect(bytesOf({ mode: 'formdata', fields: [{ key: 'a\r\n"', value: 'v' }] })).toContain(
      'name="a%0D%0A%22"\r\n\r\nv\r\n',
    );
    expect(() => encodeBody({ mode: 'file' }, same)).toThrow('not supported');
  });
});

it('the program opens and closes what it serves', async () => {
  const nothing = () => undefined;
  const announce = { toolsChanged: nothing, promptsChanged: nothing, resourcesChanged: nothing };
  const parts = await collectionsProgram.open({
    values: { dir: directory },
    env: {},
    cwd: '/',
    announce,
    log: nothing,
  });
  const other = await connectInProcess(parts.makeServer({ era: 'legacy' }));
  const result = await other.callTool({
    name: 'run_request',
    arguments: { collection: 'Pets', request: 'pets / getPet', variables: { baseUrl: 'http://example.com' } },
  });
  expect(result.structuredContent).toMatchObject({ error: { code: 'HOST_NOT_ALLOWED' } });
  await other.close();
  await parts.close?.();
});
