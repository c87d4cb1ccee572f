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
const indents = fc.constantFrom(undefined, 2);

describe('the bridge to a legacy server', () => {
  it('gives a result what every modern one has, as the full path does', () => {
    fc.assert(
      fc.property(results, indents, (result, indent) => {
        expect(crossed(toLegacyServer(facts), result, indent)).toEqual(
          withModernEnvelope('tools/call', result, { serverInfo }),
        );
      }),
    );
  });

  it('names no server that did not name itself', () => {
    const unnamed = toLegacyServer({ ...facts, serverInfo: undefined });
    expect(crossed(unnamed, { content })).toEqual({ resultType: 'complete', content });
  });

  it.each([
    ['a result that has a type', { content, resultType: 'complete' }],
    ['a failure, whose words may mean a missing capability', { content, isError: true }],
    ['a task', { content, task: {} }],
    ['structured content that legacy servers cannot have', { content, structuredContent: [1] }],
    ['no content', {}],
  ])('leaves %s to the full path', (_what, result) => {
    expect(crossed(toLegacyServer(facts), result)).toBeUndefined();
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
  const bridge = toModernServer(client, session, { tool: toolWith(), revision: '2026-07-28' });

  it('takes away what only modern results have, as the full path does', () => {
    fc.assert(
      fc.property(results, indents, (rest, indent) => {
        const result = { resultType: 'complete', ...rest };
        expect(crossed(bridge, result, indent)).toEqual(toLegacyToolResult(withoutModernEnvelope(result), undefined));
      }),
    );
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
    const wrapping = toModernServer(client, session, { tool: toolWith({ type: 'array' }), revision: '2026-07-28' });
    const plain = toModernServer(client, session, { tool: toolWith({ type: 'object' }), revision: '2026-07-28' });
    expect(crossed(wrapping, result)).toBeUndefined();
    expect(crossed(plain, result)).toEqual({ content, structuredContent: { a: 1 } });
  });
});
