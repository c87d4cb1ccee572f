import type { DirectMessage } from '@plugboard/client';
import { afterEach, describe, expect, it } from 'vitest';
import type { RelayPath } from '../../call/relay-path.js';
import type { Gateway } from '../../gateway.js';
import type { CallRecord } from '../../pipeline/observe/call-record.js';
import { FakeLine, type LineAnswer } from '../../test-support/fake-line.js';
import { memoryHttp } from '../../test-support/memory-http.js';
import { openEndpoints } from '../../test-support/open-endpoints.js';
import type { Recorded } from '../../test-support/recording-client.js';

let gateway: Gateway | undefined;
afterEach(() => gateway?.close());

const answering =
  (result: object): LineAnswer =>
  ({ id }: DirectMessage) =>
    JSON.stringify({ jsonrpc: '2.0', id, result });

const rig = (answer: LineAnswer = answering({ content: [], by: 'fast' })) => {
  const paths: RelayPath[] = [];
  const told: CallRecord[] = [];
  const asked: Recorded[] = [];
  const line = new FakeLine(answer);
  const full = (request: Recorded) => {
    asked.push(request);
    return { content: [], by: 'full' };
  };
  const steps = {
    sinks: [(record: CallRecord) => told.push(record)],
    limits: {},
    maxArgumentBytes: 1000,
    maxResultBytes: 1_000_000,
    onPath: (path: RelayPath) => paths.push(path),
  };
  const opened = openEndpoints(full, { direct: line }, steps);
  ({ gateway } = opened);
  const send = memoryHttp(opened.gateway.toolCalls);
  const call = (body: string, path = '/servers/files/tools/read', headers = {}) =>
    opened.ended(send(path, { body, headers }));
  return { ...opened, call, paths, told, asked, line };
};

const sent = ({ body }: DirectMessage) => JSON.parse(body.toString()) as object;

describe('a plain call of a tool', () => {
  it('opens the connection on the full path, and takes the fast path from then on', async () => {
    const { call, paths, told, line } = rig();
    expect((await call('{"a":1}')).json()).toEqual({ content: [], by: 'full' });
    const answer = await call(' {"a":1} ');
    expect(answer.json()).toEqual({ content: [], by: 'fast' });
    expect(answer.text()).toContain('application/json; charset=utf-8');
    expect(paths).toEqual(['connection', 'fast']);
    expect(line.posted.map(sent)).toEqual([
      { jsonrpc: '2.0', id: 101, method: 'tools/call', params: { name: 'read', arguments: { a: 1 } } },
    ]);
    const [first, second] = told;
    expect(second).toMatchObject({ tool: 'read', server: 'files', outcome: 'ok' });
    expect(second).toMatchObject({ scope: first?.scope, principal: first?.principal, era: first?.era });
    expect([first?.args, second?.args]).toEqual([{ a: 1 }, { a: 1 }]);
  });

  it('needs no arguments', async () => {
    const { call, line } = rig();
    await call('');
    await call('');
    expect(line.posted.map(sent)).toMatchObject([{ params: { arguments: {} } }]);
  });

  it('goes on on the full path, without being sent again', async () => {
    const { call, asked, paths } = rig(({ id }) =>
      JSON.stringify({ jsonrpc: '2.0', id, error: { code: 1, message: '' } }),
    );
    await call('{}');
    expect((await call('{}')).json()).toEqual({ content: [], by: 'full' });
    expect(paths).toEqual(['connection', 'unusual']);
    expect(asked.at(-1)?.options.underWay?.id).toBe(101);
  });

  it.each([
    ['no object', '[]', 400],
    ['no JSON', '{', 400],
    ['a member of the message', '{},"_meta":{}', 400],
    ['more than one message', '{}}},{"a":{', 400],
    ['too much', JSON.stringify({ a: 'x'.repeat(3000) }), 413],
  ])('refuses %s', async (_what, body, status) => {
    const { call, line } = rig();
    await call('{}');
    const answer = await call(body);
    expect(answer.response.statusCode).toBe(status);
    expect(answer.json()).toHaveProperty('error.hint');
    expect(line.posted).toEqual([]);
  });

  it('refuses another media type', async () => {
    const { call } = rig();
    const answer = await call('{}', undefined, { 'content-type': 'text/plain' });
    expect(answer.response.statusCode).toBe(415);
  });

  it.each(['/servers/none/tools/read', '/servers/files/tools/none', '/toolsets/none/tools/read'])(
    'says that there is no %s',
    async (path) => {
      const { call, line } = rig();
      expect((await call('{}', path)).response.statusCode).toBe(404);
      expect(line.posted).toEqual([]);
    },
  );

  it('is at no other path', () => {
    const { toolCalls } = rig().gateway;
    const find = (segments: readonly string[]) => toolCalls.find(segments);
    expect(find(['servers', 'files', 'tools', 'read', 'more'])).toBeUndefined();
    expect(find(['servers', 'files', 'tools'])).toBeUndefined();
    expect(find(['others', 'files', 'tools', 'read'])).toBeUndefined();
    expect(find(['servers', 'a', 'tools', 'b'])).toEqual({ kind: 'server', name: 'a', tool: 'b' });
  });
});
