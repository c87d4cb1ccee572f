import { PlugboardError } from '@plugboard/contract';
import { META_KEY } from '@plugboard/wire';
import { describe, expect, it } from 'vitest';
import { LOCAL_CALLER } from '../call/caller.js';
import { callOf } from '../test-support/call.js';
import { sampleServer, sampleTool } from '../test-support/catalogue.js';
import { eraOf } from './era-of.js';
import { readModernEnvelope } from './modern-envelope.js';
import { ParamHeaderCheck } from './param-headers.js';
import { readMessages } from './read-messages.js';

const META = { [META_KEY.protocolVersion]: '2026-07-28', [META_KEY.clientCapabilities]: { roots: {} } };
const HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'a' };

const read = (meta: object, headers: Record<string, string> | undefined = HEADERS, params: object = { name: 'a' }) =>
  readModernEnvelope(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: meta } },
    LOCAL_CALLER,
    headers,
  );

describe('the envelope of a modern request', () => {
  it('says who asks', () => {
    expect(read({ ...META, [META_KEY.logLevel]: 'info' })).toMatchObject({
      client: { revision: { id: '2026-07-28' }, capabilities: { roots: {} } },
      logLevel: 'info',
    });
    expect(read(META, undefined).client.clientInfo).toBeUndefined();
  });

  it.each([
    ['no version', {}, HEADERS, -32602, 400],
    ['no capabilities', { [META_KEY.protocolVersion]: '2026-07-28' }, HEADERS, -32602, 400],
    ['another version in the header', META, { ...HEADERS, 'mcp-protocol-version': '2025-11-25' }, -32020, 400],
    ['no version in the header', META, { 'mcp-method': 'tools/call', 'mcp-name': 'a' }, -32020, 400],
    ['another method in the header', META, { ...HEADERS, 'mcp-method': 'tools/list' }, -32020, 400],
    ['no name in the header', META, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }, -32020, 400],
    ['a name that claims to be base64', META, { ...HEADERS, 'mcp-name': '=?base64?!?=' }, -32020, 400],
    ['an unknown level', { ...META, [META_KEY.logLevel]: 'loud' }, HEADERS, -32602, undefined],
  ])('is refused with %s', (_, meta, headers, code, status) => {
    expect(() => read(meta, headers)).toThrow(
      expect.objectContaining({ rpc: expect.objectContaining({ code }), status }),
    );
  });

  it('is refused for a version that is not served, whatever it is', () => {
    const meta = { ...META, [META_KEY.protocolVersion]: 'v999' };
    expect(() => read(meta, { ...HEADERS, 'mcp-protocol-version': 'v999' })).toThrow(
      expect.objectContaining({
        rpc: expect.objectContaining({ code: -32022, data: { supported: ['2026-07-28'], requested: 'v999' } }),
      }),
    );
  });

  it('takes a name in base64', () => {
    expect(read(META, { ...HEADERS, 'mcp-name': '=?base64?w6Q=?=' }, { name: 'ä' }).params['name']).toBe('ä');
  });
});

describe('the era of a message', () => {
  it.each([
    [{ method: 'tools/list', params: { _meta: META } }, {}, 'modern'],
    [{ method: 'tools/list' }, { 'mcp-protocol-version': '2026-07-28' }, 'modern'],
    [{ method: 'server/discover' }, {}, 'modern'],
    [{ method: 'tools/list' }, { 'mcp-protocol-version': ['2025-11-25'] }, 'legacy'],
    [{ method: 'initialize', params: { protocolVersion: '2026-07-28' } }, {}, 'legacy'],
    [{ id: 1, result: {} }, {}, 'legacy'],
  ] as const)('%j with %j is %s', (message, headers, era) => {
    expect(eraOf(message, headers)).toBe(era);
  });
});

describe('mirrored parameters', () => {
  const server = sampleServer('s', 1);
  const definition = {
    name: 'a',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, n: { type: 'integer', 'x-mcp-header': 'N' } },
    },
  };
  const tool = {
    kind: 'server',
    name: 'a',
    definition,
    server,
    tool: sampleTool(server, 'a'),
    upstreamDefinition: definition,
  } as const;
  const check = (args: object, headers: Record<string, string>) => {
    const scope = { ...callOf('x').scope, findTool: () => tool };
    new ParamHeaderCheck().check(callOf('tools/call', { name: 'a', arguments: args }, { scope, headers }));
  };

  it.each([
    [{ region: 'eu' }, { 'mcp-param-region': 'eu' }],
    [{ region: 'ä' }, { 'mcp-param-region': '=?base64?w6Q=?=' }],
    [{ n: 42 }, { 'mcp-param-n': '42.0' }],
    [{ region: null }, {}],
    [{}, { 'mcp-param-other': 'x' }],
  ])('%j agree with %j', (args, headers) => {
    expect(() => check(args, headers as Record<string, string>)).not.toThrow();
  });

  it.each([
    [{ region: 'eu' }, {}],
    [{ region: 'eu' }, { 'mcp-param-region': 'us' }],
    [{}, { 'mcp-param-region': 'eu' }],
    [{ n: 42 }, { 'mcp-param-n': '43' }],
  ])('%j and %j do not agree', (args, headers) => {
    expect(() => check(args, headers as Record<string, string>)).toThrow('Header mismatch');
  });

  it('are nobody’s concern without such a tool', () => {
    expect(() => new ParamHeaderCheck().check(callOf('tools/call', { name: 'none' }))).not.toThrow();
    expect(() => new ParamHeaderCheck().check(callOf('tools/list'))).not.toThrow();
  });
});

describe('messages', () => {
  it('are read one by one or as a batch', () => {
    expect(readMessages('{"jsonrpc":"2.0","method":"n"}')).toMatchObject({
      isBatch: false,
      messages: [{ kind: 'notification' }],
    });
    expect(readMessages('[{"jsonrpc":"2.0","id":1,"method":"ping"}]')).toMatchObject({ isBatch: true });
  });

  it.each([
    '',
    '[]',
    '7',
    '{',
    '{"jsonrpc":"2.0","id":1.5,"method":"a"}',
    '{"jsonrpc":"2.0","id":1,"method":"a","params":[]}',
  ])('%j is none', (text) => {
    expect(() => readMessages(text)).toThrow(PlugboardError);
  });
});
