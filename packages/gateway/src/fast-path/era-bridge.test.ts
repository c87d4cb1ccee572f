import { MAX_JSON_DEPTH } from '@plugboard/contract';
import { type JsonObject, META_KEY, scanAnswer, splice } from '@plugboard/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClientFacts, ClientSession } from '../call/mcp-call.js';
import type { ServerTool } from '../call/offered-tool.js';
import type { ServerFacts } from '../connection/server-facts.js';
import { toLegacyToolResult } from '../forward/bridge/structured-output.js';
import { withModernEnvelope, withoutModernEnvelope } from '../rpc/era-members.js';
import { type EraBridge, toLegacyServer, toModernServer } from './era-bridge.js';

const serverInfo = { name: 's', version: '1' };
const facts: ServerFacts = {
  era: 'legacy',
  pinned: false,
  revision: '2025-11-25',
  transport: 'stdio',
  hasSessions: true,
  capabilities: {},
  serverInfo,
  instructions: undefined,
};

/** The result as the client gets it; undefined when the full path looks at it. */
const crossed = (bridge: EraBridge, result: unknown, indent?: number): unknown => {
  const message = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result }, undefined, indent));
  const spans = scanAnswer(message, MAX_JSON_DEPTH);
  const edits = spans && bridge.changes(message, spans);
  return edits && (JSON.parse(splice(message, edits).toString()) as { result: unknown }).result;
};

const content = [{ type: 'text', text: 'x' }];
const meta = fc.dictionary(fc.constantFrom('a', 'b', ...Object.values(META_KEY)), fc.jsonValue({ maxDepth: 1 }));
const results = fc
  .record(
    {
      _meta: meta,
      structuredContent: fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue({ maxDepth: 1 })),
      other: fc.jsonValue({ maxDepth: 1 }),
      ttlMs: fc.nat(),
      cacheScope: fc.constantFrom('public', 'private'),
    },
    { requiredKeys: [] },
  )
  .chain((rest) => fc.shuffledSubarray(Object.entries({ content, ...rest })).map((entries) => [entries, rest] as const))
  .map(
    ([entries, rest]) => JSON.parse(JSON.stringify({ ...Object.fromEntries(entries), content, ...rest })) as JsonObject,
  );
/** Results of the other methods of the fast path. */
const OTHERS = [
  ['resources/read', { contents: [{ uri: 'a', text: 'b' }], more: 1 }],
  ['prompts/get', { description: 'a', messages: [{ role: 'user', content: { type: 'text', text: 'b' } }] }],
  ['completion/complete', { completion: { values: ['a'], total: 1, hasMore: false } }],
] as const;
const indents = fc.constantFrom(undefined, 2);

describe('the bridge to a legacy server', () => {
  it('gives a result what every modern one has, as the full path does', () => {
    fc.assert(
      fc.property(results, indents, (result, indent) => {
        expect(crossed(toLegacyServer(facts, 'tools/call'), result, indent)).toEqual(
          withModernEnvelope('tools/call', result, { serverInfo }),
        );
      }),
    );
  });

  it('names no server that did not name itself', () => {
    const unnamed = toLegacyServer({ ...facts, serverInfo: undefined }, 'tools/call');
    expect(crossed(unnamed, { content })).toEqual({ resultType: 'complete', content });
  });

  it.each([
    ['a result that has a type', { content, resultType: 'complete' }],
    ['a failure, whose words may mean a missing capability', { content, isError: true }],
    ['a task', { content, task: {} }],
    ['structured content that legacy servers cannot have', { content, structuredContent: [1] }],
    ['no content', {}],
  ])('leaves %s to the full path', (_what, result) => {
    expect(crossed(toLegacyServer(facts, 'tools/call'), result)).toBeUndefined();
  });

  it.each(OTHERS)('gives a result of %s what every modern one has, as the full path does', (method, result) => {
    const expected = withModernEnvelope(method, result, { serverInfo });
    expect(crossed(toLegacyServer(facts, method), result)).toEqual(expected);
  });

  it('leaves a hint for caches, which only it would know of, to the full path', () => {
    const bridge = toLegacyServer(facts, 'resources/read');
    expect(crossed(bridge, { contents: [], ttlMs: 5 })).toBeUndefined();
    expect(crossed(bridge, { contents: [], cacheScope: 'public' })).toBeUndefined();
  });

  it.each([
    ['resources/read', { contents: [{ text: 'a' }] }],
    ['prompts/get', { messages: [], description: 1 }],
    ['completion/complete', { completion: {} }],
    ['resources/read', { content: [] }],
  ] as const)('leaves what has to be repaired of %s to the full path', (method, result) => {
    expect(crossed(toLegacyServer(facts, method), result)).toBeUndefined();
  });
});

describe('the bridge to a modern server', () => {
  const session = { logLevel: undefined } as ClientSession;
  const client = {
    capabilities: { roots: { listChanged: true } },
    clientInfo: { name: 'c', version: '1' },
  } as unknown as ClientFacts;
  const toolWith = (outputSchema?: object) =>
    ({ upstreamDefinition: { name: 'read', inputSchema: {}, outputSchema } }) as unknown as ServerTool;
  const asked = { method: 'tools/call', revision: '2026-07-28' } as const;
  const bridge = toModernServer(client, session, { ...asked, tool: toolWith() });

  it('takes away what only modern results have, as the full path does', () => {
    fc.assert(
      fc.property(results, indents, (rest, indent) => {
        const result = { resultType: 'complete', ...rest };
        expect(crossed(bridge, result, indent)).toEqual(toLegacyToolResult(withoutModernEnvelope(result), undefined));
      }),
    );
  });

  it.each(OTHERS)('takes away the same of a result of %s', (method, rest) => {
    const result = { resultType: 'complete', ttlMs: 5, cacheScope: 'public', ...rest };
    expect(crossed(toModernServer(client, session, { ...asked, method, tool: undefined }), result)).toEqual(rest);
  });

  it('says of who has no session that it cannot be asked', () => {
    const { added } = toModernServer(client, undefined, { ...asked, tool: toolWith() });
    expect(JSON.parse(`{${added.join(',')}}`)).toMatchObject({ [META_KEY.clientCapabilities]: {} });
  });

  it('says who asks', () => {
    expect(JSON.parse(`{${bridge.added.join(',')}}`)).toEqual({
      [META_KEY.clientCapabilities]: { roots: {} },
      [META_KEY.clientInfo]: { name: 'c', version: '1' },
      [META_KEY.logLevel]: 'info',
      [META_KEY.protocolVersion]: '2026-07-28',
    });
  });

  it.each([
    ['a result without a type', { content }],
    ['a question', { content, resultType: 'input_required', inputRequests: {} }],
    ['structured content that has to be wrapped', { content, resultType: 'complete', structuredContent: [1] }],
  ])('leaves %s to the full path', (_what, result) => {
    expect(crossed(bridge, result)).toBeUndefined();
  });

  it('leaves structured content to the full path when its schema is wrapped for legacy clients', () => {
    const result = { content, resultType: 'complete', structuredContent: { a: 1 } };
    const wrapping = toModernServer(client, session, { ...asked, tool: toolWith({ type: 'array' }) });
    const plain = toModernServer(client, session, { ...asked, tool: toolWith({ type: 'object' }) });
    expect(crossed(wrapping, result)).toBeUndefined();
    expect(crossed(plain, result)).toEqual({ content, structuredContent: { a: 1 } });
  });
});
