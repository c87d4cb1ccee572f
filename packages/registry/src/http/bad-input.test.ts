import { errorEnvelope, type ErrorCode } from '@plugboard/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fitsTemplate } from './endpoint/path-template.js';
import type { OpenApiDocument } from './openapi/document-types.js';
import { httpServer, openAdminFixture, type AdminFixture } from './test-support/admin-fixture.js';

interface Row {
  readonly what: string;
  readonly method?: string;
  /** `{server}` and `{tool}` stand for ids that exist. */
  readonly path?: string;
  readonly json?: unknown;
  readonly raw?: string | Uint8Array | (() => ReadableStream<Uint8Array>);
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly code: ErrorCode;
  /** A part of the sentence. */
  readonly says?: string;
}

const servers = '/v1/mcp-servers';
const named = '/v1/tools/mcp/servers';
const unknownServer = 'mcp_server-00000000-0000-4000-8000-000000000000';
const unknownTool = 'tool-00000000-0000-4000-8000-000000000000';
const stdio = (config: object = {}, rest: object = {}) => ({
  server_name: 'new',
  config: { mcp_server_type: 'stdio', command: 'node', args: [], ...config },
  ...rest,
});
const http = (config: object = {}) => ({
  server_name: 'new',
  config: { mcp_server_type: 'streamable_http', server_url: 'https://a.example/mcp', ...config },
});
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const megabytes = (count: number) => () => {
  let left = count;
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (left === 0) return controller.close();
      left -= 1;
      return controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20));
    },
  });
};

const invalid = { status: 422, code: 'VALIDATION_FAILED' } as const;
const create = (what: string, json: unknown, says?: string): Row => ({
  what,
  method: 'POST',
  path: servers,
  json,
  ...invalid,
  ...(says === undefined ? {} : { says }),
});
const change = (what: string, json: unknown, says: string): Row => ({
  what,
  method: 'PATCH',
  path: `${servers}/{server}`,
  json,
  ...invalid,
  says,
});
const get = (what: string, path: string, code: ErrorCode = 'SERVER_NOT_FOUND', status = 404): Row => ({
  what,
  path,
  status,
  code,
});
const rawBody = (what: string, raw: Row['raw'], code: ErrorCode = 'INVALID_JSON', status = 400): Row => ({
  what,
  method: 'POST',
  path: servers,
  ...(raw === undefined ? {} : { raw }),
  headers: { 'Content-Type': 'application/json' },
  status,
  code,
});
const typed = (what: string, headers: Readonly<Record<string, string>>): Row => ({
  what,
  method: 'POST',
  path: servers,
  raw: JSON.stringify(stdio()),
  headers,
  status: 415,
  code: 'UNSUPPORTED_MEDIA_TYPE',
});
const method = (verb: string, path: string): Row => ({
  what: `${verb} ${path}`,
  method: verb,
  path,
  status: 405,
  code: 'METHOD_NOT_ALLOWED',
});

const shapes: readonly Row[] = [
  create('an unknown field', stdio({}, { colour: 'red' }), '"colour"'),
  create('two unknown fields', stdio({}, { a: 1, b: 2 }), '1 more is wrong'),
  create('three unknown fields', stdio({}, { a: 1, b: 2, c: 3 }), '2 more are wrong'),
  create('an unknown field of the config', stdio({ shell: true }), '"config.shell"'),
  create('a field of another kind', stdio({ server_url: 'https://a.example' }), '"config.server_url"'),
  create('no name', { config: stdio().config }, '"server_name" in the body is required'),
  create('no config', { server_name: 'x' }, '"config" in the body is required'),
  create('an empty object', {}, 'is required'),
  create('an array', [], 'must be of type object'),
  create('null', null, 'must be of type object'),
  create('a string', 'server', 'must be of type object'),
  create('a number as name', stdio({}, { server_name: 7 }), '"server_name"'),
  create('an empty name', stdio({}, { server_name: '' }), '"server_name"'),
  create('a name of 65 characters', stdio({}, { server_name: 'x'.repeat(65) }), 'at most 64 characters long'),
  create('traversal in a name', stdio({}, { server_name: '../../etc/passwd' }), '"server_name"'),
  create('a backslash in a name', stdio({}, { server_name: String.raw`..\windows` }), '"server_name"'),
  create('a slash in a name', stdio({}, { server_name: 'a/b' }), '"server_name"'),
  create('NUL in a name', stdio({}, { server_name: 'a\u0000b' }), '"server_name"'),
  create('a line break in a name', stdio({}, { server_name: 'a\nb' }), '"server_name"'),
  create('a colon in a name', stdio({}, { server_name: 'a:b' }), '"server_name"'),
  create('an unknown kind', stdio({ mcp_server_type: 'websocket' }), 'stdio, sse, streamable_http'),
  create('no kind', { server_name: 'x', config: { command: 'node' } }, 'stdio, sse, streamable_http'),
  create('a config that is an array', { server_name: 'x', config: [] }, '"config"'),
  create('a stdio server without command', stdio({ command: undefined }), '"config.command" in the body is required'),
  create('an empty command', stdio({ command: '' }), '"config.command"'),
  create('NUL in a command', stdio({ command: 'a\u0000' }), 'NUL'),
  create('arguments that are no list', stdio({ args: '--flag' }), '"config.args"'),
  create('an argument that is no string', stdio({ args: ['a', 5] }), '"config.args[1]"'),
  create('1025 arguments', stdio({ args: Array.from({ length: 1025 }, () => 'x') }), 'at most 1024 entries'),
  create('an environment that is a list', stdio({ env: ['A=b'] }), '"config.env"'),
  create('an environment value that is a number', stdio({ env: { A: 1 } }), '"config.env.A"'),
  create('"=" in the name of a variable', stdio({ env: { 'A=B': 'c' } }), '"config.env.A=B"'),
  create('NUL in a variable', stdio({ env: { A: 'x\u0000' } }), '"config.env.A"'),
  create('no URL', http({ server_url: undefined }), '"config.server_url" in the body is required'),
  create('a URL that is none', http({ server_url: 'not a url' }), 'http:// or https://'),
  create('a file URL', http({ server_url: 'file:///etc/passwd' }), 'http:// or https://'),
  create('a script URL', http({ server_url: 'javascript:alert(1)' }), 'http:// or https://'),
  create('a password in the URL', http({ server_url: 'https://me:secret@a.example' }), 'auth_token'),
  create('a URL of 5000 characters', http({ server_url: `https://a.example/${'x'.repeat(5000)}` }), 'at most 4096'),
  create('CRLF in a token', http({ auth_token: 'a\r\nX-Evil: 1' }), 'line breaks'),
  create('CRLF in a header value', http({ custom_headers: { 'X-A': 'b\r\nX-Evil: 1' } }), 'line breaks'),
  create('CRLF in a header name', http({ custom_headers: { 'X-A\r\nX-Evil': 'b' } }), 'legal HTTP header name'),
  create('a blank in a header name', http({ auth_header: 'X Key' }), 'legal HTTP header name'),
  create('NUL in a header value', http({ custom_headers: { 'X-A': 'b\u0000' } }), 'control characters'),
  create('headers that are a string', http({ custom_headers: 'X-A: b' }), '"config.custom_headers"'),
  create('a masked token for a new server', http({ auth_token: '••••1234' }), 'masked'),
  create('a constructor key', stdio({}, { constructor: { prototype: {} } }), '"constructor"'),
  change('an unknown field in a change', { nickname: 'x' }, '"nickname"'),
  change('an empty new name', { server_name: '' }, '"server_name"'),
  change('a mask for a header that is not stored', { config: { custom_headers: { 'X-New': '••••abcd' } } }, 'masked'),
  change('enabled as text', { enabled: 'yes' }, '"enabled"'),
  {
    ...change('another kind', { config: { mcp_server_type: 'stdio', command: 'x' } }, 'type'),
    status: 400,
    code: 'INVALID_ARGUMENT',
  },
  { ...create('a name that is taken', { ...http(), server_name: 'taken' }), status: 409, code: 'CONFLICT' },
  {
    what: 'a flat server without kind',
    method: 'PUT',
    path: named,
    json: { server_name: 'x' },
    ...invalid,
    says: 'stdio',
  },
  {
    what: 'a flat server with a foreign field',
    method: 'PUT',
    path: named,
    json: { ...stdio().config, type: 'stdio', server_name: 'x' },
    ...invalid,
    says: '"mcp_server_type"',
  },
  {
    what: 'a flat change with a foreign field',
    method: 'PATCH',
    path: `${named}/taken`,
    json: { command: 'sh' },
    ...invalid,
    says: '"command"',
  },
  {
    what: 'arguments that are a list',
    method: 'POST',
    path: `${servers}/{server}/tools/{tool}/run`,
    json: { args: [1] },
    ...invalid,
    says: '"args"',
  },
  {
    what: 'arguments without args',
    method: 'POST',
    path: `${servers}/{server}/tools/{tool}/run`,
    json: { city: 'Oslo' },
    ...invalid,
    says: '"city"',
  },
  {
    what: 'tags that are no list',
    method: 'PATCH',
    path: `${servers}/{server}/tools/{tool}`,
    json: { tags: 'x' },
    ...invalid,
    says: '"tags"',
  },
  {
    what: 'a new description for a tool',
    method: 'PATCH',
    path: `${servers}/{server}/tools/{tool}`,
    json: { description: 'x' },
    ...invalid,
    says: '"description"',
  },
];

const bodies: readonly Row[] = [
  rawBody('no body', ''),
  rawBody('half an object', '{"server_name":'),
  rawBody('two documents', '{}{}'),
  rawBody('single quotes', "{'a':1}"),
  rawBody('a trailing comma', '{"a":1,}'),
  rawBody('NaN', '{"a":NaN}'),
  rawBody('NUL bytes', '\u0000\u0000'),
  rawBody('HTML', '<html></html>'),
  rawBody('invalid UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  rawBody('half a UTF-8 character', new Uint8Array([0x22, 0xe2, 0x82])),
  rawBody('UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])),
  rawBody('65 levels', nested(65)),
  rawBody('100,000 levels', nested(100_000)),
  rawBody('100,000 levels that never close', '['.repeat(100_000)),
  rawBody('more values than there may be', `[${'0,'.repeat(100_000)}0]`),
  rawBody('a __proto__ key', '{"__proto__":{"admin":true}}', 'INVALID_REQUEST'),
  rawBody('a hidden __proto__ key', '{"a":[{"\\u005f_proto__":1}]}', 'INVALID_REQUEST'),
  rawBody('10 MB that are announced', 'x'.repeat(10 * 1024 * 1024), 'PAYLOAD_TOO_LARGE', 413),
  rawBody('10 MB that come unannounced', megabytes(10), 'PAYLOAD_TOO_LARGE', 413),
  {
    ...get('10 MB that nobody wants', `${servers}/{server}/refresh`, 'PAYLOAD_TOO_LARGE', 413),
    method: 'PATCH',
    headers: { 'Content-Length': '10485760' },
  },
  typed('no content type', {}),
  typed('text', { 'Content-Type': 'text/plain' }),
  typed('a form', { 'Content-Type': 'application/x-www-form-urlencoded' }),
  typed('XML', { 'Content-Type': 'application/xml' }),
  typed('another charset', { 'Content-Type': 'application/json; charset=iso-8859-1' }),
  typed('a compressed body', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }),
];

const places: readonly Row[] = [
  get('an unknown route', '/v1/nothing', 'NOT_FOUND'),
  get('an unknown root', '/', 'NOT_FOUND'),
  get('a doubled slash', '/v1//mcp-servers', 'NOT_FOUND'),
  get('an unknown server', `${servers}/${unknownServer}`),
  get('an unknown server’s tools', `${servers}/${unknownServer}/tools`),
  get('an unknown server to connect to', `${servers}/connect/${unknownServer}`),
  { ...get('an unknown server to delete', `${servers}/${unknownServer}`), method: 'DELETE' },
  { ...get('an unknown server to refresh', `${servers}/${unknownServer}/refresh`), method: 'PATCH' },
  { ...get('an unknown server to change', `${servers}/${unknownServer}`), method: 'PATCH', json: {} },
  get('an id that is none', `${servers}/42`),
  get('an id of another kind', `${servers}/${unknownTool}`),
  get('traversal as id', `${servers}/..%2F..%2Fetc%2Fpasswd`),
  get('NUL in an id', `${servers}/a%00b`),
  get('a broken escape in an id', `${servers}/%E0%A4%A`),
  get('an id of 10,000 characters', `${servers}/${'x'.repeat(10_000)}`),
  get('__proto__ as id', `${servers}/__proto__`),
  get('an unknown tool', `${servers}/{server}/tools/${unknownTool}`, 'TOOL_NOT_FOUND'),
  get('a tool id that is none', `${servers}/{server}/tools/..%2Fx`, 'TOOL_NOT_FOUND'),
  {
    ...get('an unknown tool to run', `${servers}/{server}/tools/${unknownTool}/run`, 'TOOL_NOT_FOUND'),
    method: 'POST',
  },
  get('an unknown name', `${named}/nobody/tools`),
  get('traversal as name', `${named}/..%2F..%2Fetc/tools`),
  get('constructor as name', `${named}/constructor/tools`),
  { ...get('an unknown name to delete', `${named}/nobody`), method: 'DELETE' },
  { ...get('an unknown name to resync', `${named}/nobody/resync`), method: 'POST' },
  { ...get('an unknown tool by name', `${named}/taken/tools/none/execute`, 'TOOL_NOT_FOUND'), method: 'POST' },
  {
    ...get('an agent that is not there', `${servers}/{server}/refresh?agent_id=agent-1`, 'NOT_FOUND'),
    method: 'PATCH',
  },
];

const queries: readonly Row[] = [
  'limit=0',
  'limit=-1',
  'limit=1001',
  'limit=abc',
  'limit=1.5',
  'limit=',
  'limit=Infinity',
  'limit=1&limit=2',
  `limit=${'9'.repeat(5000)}`,
  `after=${'x'.repeat(5000)}`,
  'after=a&after=b',
  'offset=3',
  '__proto__=x',
].map((query) => ({ what: `?${query.slice(0, 40)}`, path: `${servers}?${query}`, ...invalid, says: 'in the query' }));

const moreQueries: readonly Row[] = [
  {
    what: '?dry_run=maybe',
    method: 'POST',
    path: `${servers}/{server}/sync?dry_run=maybe`,
    ...invalid,
    says: '"dry_run"',
  },
  { what: '?server_id=x', path: '/v1/tools?server_id=x', ...invalid, says: '"server_id"' },
  { what: '?order=asc', path: '/v1/tools?order=asc', ...invalid, says: '"order"' },
  { what: 'a search of 5000 characters', path: `/v1/tools?search=${'x'.repeat(5000)}`, ...invalid, says: '"search"' },
];

const methods: readonly Row[] = [
  method('PUT', servers),
  method('DELETE', servers),
  method('POST', `${servers}/{server}`),
  method('GET', `${servers}/{server}/refresh`),
  method('POST', `${servers}/{server}/tools`),
  method('GET', `${servers}/{server}/tools/{tool}/run`),
  method('POST', named),
  method('GET', `${named}/taken`),
  method('GET', `${named}/test`),
  method('POST', '/v1/health'),
  method('POST', '/v1/tools'),
  method('DELETE', '/openapi.json'),
  method('PROPFIND', servers),
];

const rows = [...shapes, ...bodies, ...places, ...queries, ...moreQueries, ...methods];

describe('bad input', () => {
  let fixture: AdminFixture;
  let document: OpenApiDocument;
  const ids = { server: '', tool: '' };

  beforeAll(async () => {
    fixture = await openAdminFixture();
    document = (await (await fixture.app.request('/openapi.json')).json()) as OpenApiDocument;
    ids.server = (await fixture.register(httpServer('taken'))).id;
    ids.tool = (await fixture.tools(ids.server))[0]?.id ?? '';
  });

  afterAll(() => fixture.close());

  const send = (row: Row): Promise<Response> | Response => {
    const path = (row.path ?? '').replace('{server}', ids.server).replace('{tool}', ids.tool);
    const raw = typeof row.raw === 'function' ? row.raw() : row.raw;
    const body = row.json === undefined ? raw : JSON.stringify(row.json);
    return fixture.app.request(path, {
      method: row.method ?? 'GET',
      headers: { ...(row.json === undefined ? {} : { 'Content-Type': 'application/json' }), ...row.headers },
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    } as RequestInit);
  };

  it.each(rows)('$what is $status $code', async (row) => {
    const answer = await send(row);
    const body: unknown = await answer.json();
    const { error, detail } = errorEnvelope.parse(body);
    expect([answer.status, error.code]).toEqual([row.status, row.code]);
    expect(error.message).toMatch(/^["A-Z].*\.$/u);
    expect(error.message).toContain(row.says ?? '');
    expect(error.hint).toMatch(/\S/u);
    expect(detail).toBe(error.message);
    expect(JSON.stringify(body)).not.toMatch(/secret@|at .*\.[jt]s:\d/u);
    expect(JSON.stringify(body).length).toBeLessThan(4000);
  });

  it('is documented: every row whose route exists is foreseen in the OpenAPI document', () => {
    const unforeseen = rows.filter((row) => {
      const path = (row.path ?? '').split('?')[0] ?? '';
      const known = Object.entries(document.paths)
        .filter(([template]) => fitsTemplate(template, path))
        .flatMap(([, methods]) => methods[(row.method ?? 'GET').toLowerCase()] ?? []);
      return (
        known.length > 0 &&
        !known.some(({ responses }) => responses[row.status]?.description.includes(`\`${row.code}\``))
      );
    });
    expect(unforeseen).toEqual([]);
  });

  it('is covered by a table worth the name, and leaves nothing behind', async () => {
    expect(rows.length).toBeGreaterThanOrEqual(100);
    expect(fixture.logged).toEqual([]);
    expect(await (await fixture.app.request(servers)).json()).toHaveLength(1);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it('stops reading a body that turns out too large', async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(1024 * 1024));
      },
    });
    const answer = await fixture.app.request(servers, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(answer.status).toBe(413);
    expect(answer.headers.get('connection')).toBe('close');
    expect(pulled).toBeLessThan(8);
  });

  it('accepts what is at the limit', async () => {
    const text = JSON.stringify({ args: { text: 'x'.repeat(4 * 1024 * 1024 - 30) } });
    const answer = await fixture.app.request(`${servers}/${ids.server}/tools/${ids.tool}/run`, {
      method: 'POST',
      body: text,
      headers: { 'Content-Type': 'application/json; charset=UTF-8' },
    });
    expect(answer.status).toBe(200);
  });
});
