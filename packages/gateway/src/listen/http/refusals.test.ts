import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import type { Gateway } from '../../gateway.js';
import { greeting, openEndpoints } from '../../test-support/open-endpoints.js';

let gateway: Gateway | undefined;
afterEach(() => gateway?.close());

const endpoints = () => {
  const opened = openEndpoints();
  ({ gateway } = opened);
  return opened;
};

const JSON_TYPES = ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'];
const OTHER_TYPES = [undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16'];

describe('the Content-Type of a message', () => {
  it.each(JSON_TYPES)('may be %s', async (type) => {
    const { post, rpc, openSse } = endpoints();
    const headers = { 'content-type': type };
    expect((await post(rpc('tools/list'), headers)).response.statusCode).toBe(200);
    const { tell } = await openSse();
    expect((await tell(rpc('ping'), headers)).response.statusCode).toBe(202);
  });

  it.each(OTHER_TYPES)('may not be %s, whichever era or transport', async (type) => {
    const { post, rpc, modern, openSse } = endpoints();
    const headers = { 'content-type': type };
    const { tell, stream } = await openSse();
    const { body, headers: fields } = modern('server/discover');
    const answers = [
      await post(rpc('tools/list'), headers),
      await post(rpc('tools/call', { name: 'read' }), headers, '/servers/files/mcp'),
      await post(body, { ...fields, ...headers }),
      await tell(rpc('ping'), headers),
    ];
    for (const answer of answers) {
      expect(answer.response.statusCode).toBe(415);
      expect(answer.json()).toMatchObject({
        id: null,
        error: {
          code: -32600,
          message: expect.stringContaining(type === undefined ? 'no Content-Type' : type.slice(0, 10)),
          data: { code: 'UNSUPPORTED_MEDIA_TYPE', hint: expect.stringContaining('application/json') },
        },
      });
    }
    expect(stream.text()).not.toContain('"result"');
  });
});

const whole = greeting('2025-11-25');
const { protocolVersion: _version, ...versionless } = whole;
const { capabilities: _capabilities, ...incapable } = whole;
const { clientInfo: _info, ...nameless } = whole;
const INCOMPLETE: readonly (readonly [string, object])[] = [
  ['protocolVersion', versionless],
  ['protocolVersion', { ...whole, protocolVersion: 20251125 }],
  ['capabilities', incapable],
  ['capabilities', { ...whole, capabilities: ['roots'] }],
  ['clientInfo', nameless],
  ['clientInfo', { ...whole, clientInfo: 'c' }],
  ['clientInfo.name', { ...whole, clientInfo: { version: '1' } }],
  ['clientInfo.version', { ...whole, clientInfo: { name: 'c', version: 1 } }],
];

describe('initialize that does not say what it must', () => {
  it.each(INCOMPLETE)('is refused with the name of the member: %s, %j', async (member, params) => {
    const { post, rpc } = endpoints();
    const answer = await post(rpc('initialize', params, 'mine'));
    expect(answer.response.statusCode).toBe(200);
    expect(answer.text()).not.toContain('mcp-session-id');
    expect(answer.json()).toMatchObject({
      id: 'mine',
      error: { code: -32602, message: expect.stringContaining(`"${member}"`), data: { code: 'INVALID_ARGUMENT' } },
    });
    expect(gateway?.sessionCount()).toBe(0);
  });

  it('is refused on the stream of HTTP+SSE, and may be said again', async () => {
    const { openSse, rpc } = endpoints();
    const { stream, tell } = await openSse();
    await tell(rpc('initialize', nameless, 'first'));
    await expect.poll(() => stream.text()).toMatch(/"id":"first","error":\{"code":-32602/u);
    await tell(rpc('initialize', whole, 'second'));
    await expect.poll(() => stream.text()).toMatch(/"id":"second","result":/u);
  });

  it('is refused on a pipe, as is everything that cannot be read, with the id where there is one', async () => {
    endpoints();
    const deep = '['.repeat(200) + ']'.repeat(200);
    const [input, output] = [new PassThrough(), new PassThrough()];
    let said = '';
    output.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const serving = gateway?.serveStdio({ input, output }, AbortSignal.timeout(5000));
    const say = (message: unknown) => input.write(`${JSON.stringify(message)}\n`);
    say({ jsonrpc: '2.0', id: 'first', method: 'initialize', params: versionless });
    await expect.poll(() => said).toMatch(/"id":"first","error":\{"code":-32602/u);
    say([{ jsonrpc: '2.0', id: 'in a batch', method: 'ping' }]);
    await expect.poll(() => said).toMatch(/"id":null,"error":\{"code":-32600/u);
    say({ jsonrpc: '2.0', id: 'deep', method: 'tools/call', params: { arguments: JSON.parse(deep) as unknown } });
    await expect.poll(() => said).toMatch(/"id":"deep","error":\{"code":-32700/u);
    say({ jsonrpc: '1.0', id: 'old', method: 'ping' });
    await expect.poll(() => said).toMatch(/"id":"old","error":\{"code":-32600/u);
    input.end();
    await serving;
    expect(said).not.toContain('in a batch');
  });

  it('is refused inside the process', async () => {
    endpoints();
    const signal = AbortSignal.timeout(5000);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: incapable });
    const answer = await gateway?.answer({ method: 'POST', segments: ['mcp'], body, signal });
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('\\"capabilities\\"') });
  });
});

describe('a batch', () => {
  const batchOf = (rpc: ReturnType<typeof endpoints>['rpc']) => [rpc('ping', {}, 'a'), rpc('ping', {}, 'b')];

  it('is taken over HTTP+SSE only where the revision has batches', async () => {
    const { openSse, rpc } = endpoints();
    const { stream, tell } = await openSse();
    await tell(rpc('initialize', greeting('2025-11-25'), 'new'));
    await expect.poll(() => stream.text()).toContain('"id":"new"');
    const refused = await tell(batchOf(rpc));
    expect(refused.response.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({ error: { code: -32600, message: expect.stringContaining('2025-11-25') } });
    await tell(rpc('initialize', greeting('2025-03-26'), 'old'));
    await expect.poll(() => stream.text()).toContain('"id":"old"');
    expect((await tell(batchOf(rpc))).response.statusCode).toBe(202);
    await expect.poll(() => stream.text()).toMatch(/"id":"a","result"[\s\S]*"id":"b","result"/u);
  });
});
