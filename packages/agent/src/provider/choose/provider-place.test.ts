import { describe, expect, it } from 'vitest';
import type { ProviderKind } from './model-address.js';
import { providerPlace } from './provider-place.js';

const VARIABLES: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: 'sk-o',
  ANTHROPIC_API_KEY: 'sk-a',
  AWS_REGION: 'eu-north-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
};
const placeOf = (kind: ProviderKind, variables = VARIABLES, baseUrl?: string) =>
  providerPlace(kind, (name) => variables[name], baseUrl);

const request = (headers: Readonly<Record<string, string>> = {}) => ({
  method: 'POST',
  url: new URL('https://provider.test/model/m/converse'),
  headers,
  body: '{}',
});

describe('the place of a provider', () => {
  it.each([
    ['openai', '/chat/completions', true],
    ['openai-responses', '/responses', true],
    ['openai', '/models/gpt-5.6', true],
    ['openai', '/batches/batch_1/cancel', true],
    ['openai', '/organization/api_keys', false],
    ['openai', '/models/..', false],
    ['openai', '/models/%2e%2e', false],
    ['openai', '/models/../organization', false],
    ['openai', '/chat/completions?a=b', false],
    ['openai', '//evil.test/chat/completions', false],
    ['openai', '@evil.test/chat/completions', false],
    ['anthropic', '/v1/messages', true],
    ['anthropic', '/v1/messages?beta=true', true],
    ['anthropic', '/v1/messages/batches/b_1/results', true],
    ['anthropic', '/v1/organizations/users', false],
    ['bedrock', '/model/anthropic.claude%3A0/converse-stream', true],
    ['bedrock', '/model-invocation-job', false],
  ] as const)('of %s has the path %s: %j', (kind, path, isThere) => {
    expect(placeOf(kind).has(path)).toBe(isThere);
  });

  it.each([
    ['openai', 'https://api.openai.com/v1', { authorization: 'Bearer sk-o' }],
    ['openai-responses', 'https://api.openai.com/v1', { authorization: 'Bearer sk-o' }],
    ['anthropic', 'https://api.anthropic.com', { 'x-api-key': 'sk-a' }],
    [
      'bedrock',
      'https://bedrock-runtime.eu-north-1.amazonaws.com',
      { authorization: expect.stringContaining('/eu-north-1/bedrock/aws4_request') as string },
    ],
  ] as const)('of %s is at %s', (kind, url, proof) => {
    const place = placeOf(kind);
    expect(place.baseUrl).toBe(url);
    expect(place.prove(request({ accept: '*/*' }))).toMatchObject({ accept: '*/*', ...proof });
    expect(place.prove(request({ Authorization: 'Bearer mine' }))).toEqual({ Authorization: 'Bearer mine' });
  });

  it('uses a key of the Bedrock API instead of credentials', () => {
    const { prove } = placeOf('bedrock', { ...VARIABLES, AWS_BEARER_TOKEN_BEDROCK: 'token' });
    expect(prove(request())).toEqual({ authorization: 'Bearer token' });
  });

  it('needs a key, except at an endpoint of your own', () => {
    expect(() => placeOf('anthropic', {})).toThrow('ANTHROPIC_API_KEY');
    const place = placeOf('openai', {}, 'http://127.0.0.1:11434/v1');
    expect([place.baseUrl, place.prove(request())]).toEqual(['http://127.0.0.1:11434/v1', {}]);
  });
});
