import { expect, test } from 'vitest';
import { createProvider } from './create-provider.js';
import { featuresOf } from '../feature/model-features.js';
import { parseModelAddress } from './model-address.js';
import { retryAfterMs } from '../error/retry-after.js';

test.each([
  ['openai:gpt-5', { provider: 'openai', model: 'gpt-5' }],
  ['bedrock:anthropic.claude-v1:0', { provider: 'bedrock', model: 'anthropic.claude-v1:0' }],
])('the model %s', (text, address) => {
  expect(parseModelAddress(text)).toEqual(address);
});

test.each(['gpt-5', 'other:gpt-5', 'openai:', ''])('%j names no model of a provider', (text) => {
  expect(() => parseModelAddress(text)).toThrow(/is not a provider and a model/u);
});

test.each([
  ['openai', {}, /OPENAI_API_KEY/u],
  ['anthropic', {}, /ANTHROPIC_API_KEY/u],
  ['openai', { OPENAI_API_KEY: '' }, /OPENAI_API_KEY/u],
  ['anthropic', { ANTHROPIC_API_KEY: ' ' }, /ANTHROPIC_API_KEY/u],
  ['bedrock', { AWS_REGION: '', AWS_BEARER_TOKEN_BEDROCK: 'a' }, /AWS_REGION/u],
  ['bedrock', { AWS_REGION: 'x', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: '' }, /AWS_ACCESS_KEY_ID/u],
  ['bedrock', {}, /AWS_REGION/u],
  ['bedrock', { AWS_REGION: 'eu-north-1' }, /AWS_ACCESS_KEY_ID/u],
] as const)('%s with %j lacks a variable', (kind, variables, message) => {
  const variable = (name: string): string | undefined => (variables as Record<string, string>)[name];
  expect(() => createProvider(kind, { variable })).toThrow(message);
});

test.each(['openai', 'bedrock'] as const)('%s with a base URL that is none', (kind) => {
  expect(() => createProvider(kind, { baseUrl: '/v1', variable: () => 'x' })).toThrow('is not a URL');
});

test.each([
  ['openai', { OPENAI_API_KEY: 'a' }, 'openai'],
  ['openai-responses', { OPENAI_API_KEY: 'a' }, 'openai'],
  ['anthropic', { ANTHROPIC_API_KEY: 'a' }, 'anthropic'],
  ['bedrock', { AWS_DEFAULT_REGION: 'x', AWS_BEARER_TOKEN_BEDROCK: 'a' }, 'bedrock'],
  ['bedrock', { AWS_REGION: 'x', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }, 'bedrock'],
] as const)('%s with %j', (kind, variables, name) => {
  const variable = (wanted: string): string | undefined => (variables as Record<string, string>)[wanted];
  const provider = createProvider(kind, { variable });
  expect(provider.name).toBe(name);
  provider.close();
});

test.each([
  ['openai', 'gpt-4o', { reasoning: false, longCache: false }],
  ['openai', 'gpt-4.1-mini', { reasoning: false, longCache: true }],
  ['openai', 'gpt-5-mini', { reasoning: true, longCache: false }],
  ['openai', 'o1-mini', { reasoning: true, developerRole: false }],
  ['anthropic', 'claude-3-5-haiku', { thinking: 'none', structuredOutput: 'tool' }],
  ['anthropic', 'us.anthropic.claude-sonnet-4-5-v1:0', { thinking: 'budget', structuredOutput: 'schema' }],
  ['openai', 'gpt-5-chat-latest', { reasoning: false, longCache: false }],
  ['openai', 'gpt-5.6', { reasoning: true, developerRole: true }],
  ['anthropic', 'claude-opus-4-1', { thinking: 'budget', structuredOutput: 'tool', contextEditing: false }],
  ['anthropic', 'claude-opus-4-5', { thinking: 'budget', effort: true, contextEditing: true, alwaysThinks: false }],
  ['anthropic', 'claude-opus-4-6', { thinking: 'adaptive', effort: true, alwaysThinks: false }],
  ['anthropic', 'claude-haiku-4-5', { thinking: 'budget', effort: false, structuredOutput: 'schema' }],
  ['anthropic', 'us.anthropic.claude-haiku-5-5', { thinking: 'adaptive', effort: true, alwaysThinks: true }],
  ['anthropic', 'claude-fable-5-1', { thinking: 'adaptive', structuredOutput: 'schema', alwaysThinks: true }],
] as const)('%s %s', (family, model, features) => {
  expect(featuresOf(family)(model)).toMatchObject(features);
});

test.each([
  [{ 'retry-after': '2.5' }, 2500],
  [{ 'retry-after-ms': '20', 'retry-after': '1' }, 20],
  [{ 'retry-after': 'Wed, 18 Nov 2026 00:00:10 GMT' }, 10_000],
  [{ 'retry-after': 'soon' }, undefined],
  [{}, undefined],
])('%j', (headers, ms) => {
  const now = (): number => Date.parse('2026-11-18T00:00:00Z');
  expect(retryAfterMs(new Headers(headers as Record<string, string>), now)).toBe(ms);
});
