import * as legacySchemas from '@modelcontextprotocol/sdk/types.js';
import * as modernSchemas from '@modelcontextprotocol/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOracles } from '../../../packages/check/src/oracle/schema-oracle.js';

interface Schema {
  safeParse(value: unknown): { readonly success: boolean };
}
type Json = Readonly<Record<string, unknown>>;

const text = { type: 'text', text: 'Hello.', annotations: { audience: ['user'], priority: 0.5 } };
const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
const link = { type: 'resource_link', uri: 'test://a', name: 'a', mimeType: 'text/plain', size: 3 };
const embedded = { type: 'resource', resource: { uri: 'test://a', mimeType: 'text/plain', text: 'Hello.' } };
const tool = {
  name: 'a',
  title: 'A',
  description: 'Does it.',
  inputSchema: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
  outputSchema: { type: 'object', properties: { y: { type: 'number' } } },
  annotations: { readOnlyHint: true, title: 'A' },
};
const resource = { uri: 'test://a', name: 'a', title: 'A', description: 'It.', mimeType: 'text/plain', size: 3 };
const notice = (method: string, params: Json): Json => ({ jsonrpc: '2.0', method, params });

/** One of each thing that a server says, as full as it may be, by the name that both sides give it. */
const SAMPLES: Readonly<Record<string, Json>> = {
  CallToolResult: { content: [text, image, link, embedded], structuredContent: { y: 1 }, isError: false },
  ListToolsResult: { tools: [tool], nextCursor: 'c' },
  ListResourcesResult: { resources: [resource], nextCursor: 'c' },
  ListResourceTemplatesResult: {
    resourceTemplates: [{ uriTemplate: 'test://{a}', name: 'a', mimeType: 'text/plain' }],
  },
  ReadResourceResult: { contents: [{ uri: 'test://a', mimeType: 'text/plain', text: 'Hello.' }] },
  ListPromptsResult: {
    prompts: [{ name: 'a', title: 'A', description: 'It.', arguments: [{ name: 'x', required: true }] }],
  },
  GetPromptResult: { description: 'It.', messages: [{ role: 'user', content: text }] },
  CompleteResult: { completion: { values: ['a'], total: 1, hasMore: false } },
  InitializeResult: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, logging: {} },
    serverInfo: { name: 'a', version: '1', title: 'A' },
    instructions: 'Be kind.',
  },
  ProgressNotification: notice('notifications/progress', { progressToken: 1, progress: 1, total: 2, message: 'm' }),
  LoggingMessageNotification: notice('notifications/message', { level: 'info', logger: 'l', data: { a: 1 } }),
  ResourceUpdatedNotification: notice('notifications/resources/updated', { uri: 'test://a' }),
  CancelledNotification: notice('notifications/cancelled', { requestId: 1, reason: 'r' }),
  JSONRPCErrorResponse: { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'm', data: {} } },
  JSONRPCResultResponse: { jsonrpc: '2.0', id: 1, result: {} },
};

const ENVELOPE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
/** Results that may be cached say so in the modern era. */
const CACHED = /^(?:List\w+Result|ReadResourceResult)$/u;
const ofModern = (name: string, value: Json): Json => {
  if (name === 'JSONRPCResultResponse') return { ...value, result: { resultType: 'complete' } };
  if (!name.endsWith('Result')) return value;
  return CACHED.test(name) ? { ...value, ...ENVELOPE } : { ...value, resultType: 'complete' };
};

const ERAS = [
  {
    revision: '2025-11-25',
    schemas: legacySchemas as unknown as Readonly<Record<string, Schema>>,
    names: Object.keys(SAMPLES),
    shaped: (_name: string, value: Json) => value,
  },
  {
    revision: '2026-07-28',
    schemas: modernSchemas as unknown as Readonly<Record<string, Schema>>,
    names: Object.keys(SAMPLES).filter((name) => name !== 'InitializeResult'),
    shaped: ofModern,
  },
] as const;

/** Every place in a value, as the keys that lead there. */
const placesIn = (value: unknown, above: readonly string[] = []): readonly (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [[...above, key], ...placesIn(inner, [...above, key])])
    : [];

const WRONG: readonly unknown[] = [undefined, null, 7, -0.5, '', 'word', true, [], {}, ['a'], { a: 1 }];

/** The value with something else at one place; undefined takes the place away. */
const changedAt = (value: unknown, [key, ...rest]: readonly string[], wrong: unknown): unknown => {
  if (key === undefined) return wrong;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (String(index) === key ? changedAt(item, rest, wrong) : item));
  }
  const entries = Object.entries(value as object).map(
    ([name, inner]) => [name, name === key ? changedAt(inner, rest, wrong) : inner] as const,
  );
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
};

/** Since 2026-07-28 the published schema leaves to JSON Schema what stands in the schemas of tools; the SDK does not. */
const isLeftOpen = (revision: string, place: readonly string[]): boolean =>
  revision === '2026-07-28' && place.length > 3 && /^(?:in|out)putSchema$/u.test(place[2] ?? '') && place[3] !== 'type';

const oracles = createOracles();

describe.each(ERAS)(
  'our account of $revision, held against the schemas of the official SDK',
  ({ revision, schemas, names, shaped }) => {
    const officialOf = (name: string): Schema => {
      const schema = schemas[`${name}Schema`];
      if (schema === undefined) throw new Error(`The SDK has no ${name}Schema.`);
      return schema;
    };

    it.each(names)('takes the same %s', (name) => {
      const value = shaped(name, SAMPLES[name] ?? {});
      expect(oracles(revision)?.flawBy(name, value)).toBeUndefined();
      expect(officialOf(name).safeParse(value).success).toBe(true);
    });

    it.each(names)('refuses every %s that the SDK refuses', (name) => {
      const value = shaped(name, SAMPLES[name] ?? {});
      const change = fc.tuple(fc.constantFrom(...placesIn(value)), fc.constantFrom(...WRONG));
      const missed = new Set<string>();
      for (const [place, wrong] of fc.sample(change, { seed: 1, numRuns: 400 })) {
        if (isLeftOpen(revision, place)) continue;
        const changed = changedAt(value, place, wrong);
        const refused = !officialOf(name).safeParse(changed).success;
        if (refused && oracles(revision)?.flawBy(name, changed) === undefined) {
          missed.add(`${place.join('/')}: ${JSON.stringify(wrong) ?? 'absent'}`);
        }
      }
      expect([...missed]).toEqual([]);
    });
  },
);
