import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectInProcess, inProcessPool } from '../sandbox/test-support/in-process.js';
import { CollectionError } from './collections-error.js';
import { collectionsProgram, collectionsServer } from './program/collections-program.js';
import { CollectionLibrary } from './library/collection-library.js';
import { readDocument } from './library/read-document.js';
import { CollectionRunner } from './run/collection-runner.js';
import { encodeBody } from './run/encode-body.js';
import type { ScriptContext } from './script/script-context.js';
import { ScriptRunner } from './script/script-runner.js';
import type { Answer, OutgoingRequest } from '../send/outgoing-request.js';
import { TargetPolicy } from '../send/target-policy.js';

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
    url: outgoing.url,
    status,
    statusText: STATUS_CODES[status] ?? '',
    headers,
    body: Buffer.from(JSON.stringify(body)),
    timeMs: 3,
    redirects: 0,
  });
};

const readFile = (): Promise<Uint8Array> => Promise.resolve(Buffer.from('content'));
const scripts = new ScriptRunner(inProcessPool());
const policy = new TargetPolicy({ allowed: [], loopback: true, resolve: () => Promise.resolve([]) });
const runner = (runMs = 60_000) =>
  new CollectionRunner({ policy, scripts, sendRequest, readFile, requestMs: 1000, runMs, maxBodyBytes: 1000 });
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
  const asked: unknown[] = [];
  const answer = (question: string): Promise<string> => {
    asked.push(JSON.parse(question));
    return Promise.resolve(JSON.stringify({ values: [{ code: 201, stream: { type: 'Base64', data: 'aGk=' } }] }));
  };
  const context: ScriptContext = {
    eventName: 'test',
    scopes: { globals: {}, collection: { c: '1' }, environment: { e: '2' }, data: { d: '4' }, local: { l: '3' } },
    requestId: 'id-1',
    requestName: 'r',
    iteration: 0,
    iterations: 2,
    request: { method: 'POST', url: 'http://h/', header: [{ key: 'A', value: 'b' }], body: { mode: 'raw', raw: 'x' } },
    response: {
      code: 404,
      status: 'Not Found',
      timeMs: 5,
      headers: [{ key: 'X', value: 'y' }],
      body: Buffer.from('{"a":{"b":[1]}}'),
    },
    cookies: [{ name: 'sid', value: 's1', domain: 'h', path: '/' }],
  };
  const run = (script: string) => scripts.run(script, context, { answer });

  it('find what pm promises', async () => {
    const { assertions, problem } = await run(`
      pm.test('scopes', () => { pm.expect([pm.variables.get('c'), pm.variables.get('e'), pm.variables.get('d'), pm.environment.has('c'), pm.iterationData.get('d'), pm.variables.replaceIn('{{l}}{{x}}')]).to.eql(['1', '2', '4', false, '4', '3{{x}}']); });
      pm.test('request', () => { pm.expect([pm.request.method, pm.request.url.toString(), pm.request.headers.get('a'), pm.request.body.raw]).to.eql(['POST', 'http://h/', 'b', 'x']); });
      pm.test('response', () => { pm.response.to.be.clientError; pm.response.to.be.notFound; pm.response.to.be.json; pm.response.to.be.withBody; pm.response.to.not.be.ok; pm.response.to.have.status('Not Found'); pm.response.to.have.header('x'); pm.response.to.have.jsonBody('a.b[0]', 1); });
      pm.test('info', () => { pm.expect([pm.info.requestName, pm.info.requestId, pm.info.iterationCount, pm.info.eventName]).to.eql(['r', 'id-1', 2, 'test']); });
      pm.test('cookies', () => pm.expect(pm.cookies.get('sid')).to.equal('s1'));
      pm.test('callback', (done) => setTimeout(done, 1));
      const { skip: leaveOut } = pm.test; leaveOut('left out', () => { throw new Error('no'); });
    `);
    expect([problem, assertions.filter(({ passed }) => !passed)]).toEqual([undefined, []]);
    expect(assertions).toHaveLength(7);
    expect(assertions.filter(({ skipped }) => skipped).map(({ name }) => name)).toEqual(['left out']);
  });

  it('say why a test fails, also when it fails later', async () => {
    const { assertions } = await run(
      `pm.test('status', () => pm.response.to.be.ok); pm.test('late', (done) => done(new Error('later')));`,
    );
    expect(assertions).toMatchObject([
      { name: 'status', passed: false, message: expect.stringContaining("'OK'") as string },
      { name: 'late', passed: false, message: 'later' },
    ]);
    const { problem } = await run(`pm.test('rejected', async () => { throw new Error('no'); });`);
    expect(problem).toBe('Unhandled rejection: Error: no');
  });

  it('change variables and say what comes next', async () => {
    const { scopes, next } = await run(
      `pm.environment.set('n', 5); pm.globals.set('o', { a: 1 }); pm.collectionVariables.unset('c'); pm.variables.set('v', true); pm.environment.unset('e'); pm.execution.setNextRequest('other');`,
    );
    expect(scopes).toMatchObject({
      globals: { o: { a: 1 } },
      collection: {},
      environment: { n: 5 },
      local: { v: true },
    });
    expect(next).toBe('other');
    expect((await run('postman.setNextRequest(null)')).next).toBeNull();
    expect((await run('1')).next).toBeUndefined();
  });

  it('ask the host for requests, and change or skip their own', async () => {
    asked.length = 0;
    const { assertions } = await run(
      `pm.sendRequest('http://other/', (error, response) => pm.test('sent', () => pm.expect([error, response.code, response.text()]).to.eql([null, 201, 'hi'])));`,
    );
    expect(assertions).toEqual([{ name: 'sent', passed: true }]);
    expect(asked).toMatchObject([{ kind: 'request', request: { method: 'GET' } }]);
    const before = { ...context, eventName: 'prerequest' as const, response: undefined };
    const { response: _none, ...early } = before;
    const changed = await scripts.run(`pm.request.headers.add({ key: 'N', value: '1' })`, early, { answer });
    expect(changed.request).toMatchObject({ header: [{ key: 'A' }, { key: 'N', value: '1' }] });
    expect((await scripts.run('pm.execution.skipRequest()', early, { answer })).skipped).toBe(true);
  });

  it('that end badly are told of, and start anew each time', async () => {
    expect(await run('throw new RangeError("r")')).toMatchObject({ problem: 'RangeError: r', scopes: context.scopes });
    expect(await run('for (;;);')).toMatchObject({ problem: 'The script was stopped: CPU_LIMIT.', assertions: [] });
    expect((await run('pm.test(')).problem).toMatch(/^SyntaxError: /u);
    await run(`Array.prototype.leaked = 1; pm.environment.set('leaked', 1)`);
    expect(
      (
        await run(
          `pm.test('fresh', () => pm.expect([[].leaked, pm.environment.get('leaked')]).to.eql([undefined, undefined]))`,
        )
      ).assertions,
    ).toEqual([{ name: 'fresh', passed: true }]);
    await expect(scripts.run('1', context, { answer, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });

  it('are not told what the host ran into', async () => {
    const failing = () => Promise.reject(new Error('/secret/path'));
    const { assertions } = await scripts.run(
      `pm.sendRequest('http://other/', (error) => pm.test(error.message, () => {}));`,
      context,
      { answer: failing },
    );
    expect(assertions).toEqual([{ name: 'The request could not be made.', passed: true }]);
  });
});

describe('bodies and documents of Postman', () => {
  const same = (value: string): string => value;
  const bytesOf = async (body: Parameters<typeof encodeBody>[0]): Promise<string> =>
    Buffer.from((await encodeBody(body, { fill: same, readFile })).bytes ?? []).toString();

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
      { mode: 'formdata', fields: [{ key: 'f', file: 'x' }] },
      { mode: 'graphql', query: 'q', variables: '{"a":1}' },
      { mode: 'file', src: 'x' },
      { mode: 'none' },
    ]);
    expect(read.collection.requests[0]).toMatchObject({ method: 'POST', description: 'd' });
  });

  it('are encoded', async () => {
    expect(await bytesOf({ mode: 'urlencoded', fields: [{ key: 'a b', value: 'ü&' }] })).toBe('a%20b=%C3%BC%26');
    expect(await bytesOf({ mode: 'formdata', fields: [{ key: 'a\r\n"', value: 'v' }] })).toContain(
      'name="a%0D%0A%22"\r\n\r\nv\r\n',
    );
    expect(await bytesOf({ mode: 'formdata', fields: [{ key: 'f', file: 'a/b.txt' }] })).toContain(
      'name="f"; filename="b.txt"\r\nContent-Type: application/octet-stream\r\n\r\ncontent\r\n',
    );
    expect(await bytesOf({ mode: 'file', src: 'x' })).toBe('content');
  });
});

it('the program opens and closes what it serves', async () => {
  const nothing = () => undefined;
  const parts = await collectionsProgram.open({
    values: { dir: directory },
    env: {},
    cwd: '/',
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
