import { META_KEY } from '@plugboard/wire';
import { describe, expect, it } from 'vitest';
import { toLegacyParams, withModernEnvelope, withoutModernEnvelope } from './era-members.js';

describe('members that only one era knows', () => {
  it('are taken from params of a modern client', () => {
    expect(
      toLegacyParams({
        name: 'a',
        inputResponses: {},
        requestState: 's',
        _meta: { [META_KEY.protocolVersion]: 'v', [META_KEY.clientCapabilities]: {}, progressToken: 1, 'x/y': 2 },
      }),
    ).toEqual({ name: 'a', _meta: { progressToken: 1, 'x/y': 2 } });
    expect(toLegacyParams({ _meta: { [META_KEY.logLevel]: 'info' } })).toEqual({});
  });

  it('are taken from results of a modern server', () => {
    expect(
      withoutModernEnvelope({
        resultType: 'complete',
        ttlMs: 1,
        cacheScope: 'public',
        a: 1,
        _meta: { [META_KEY.serverInfo]: {} },
      }),
    ).toEqual({ a: 1 });
  });

  it('are given to results for a modern client, without overruling the result', () => {
    expect(withModernEnvelope('tools/call', { content: [] }, { serverInfo: { name: 's' } })).toEqual({
      resultType: 'complete',
      content: [],
      _meta: { [META_KEY.serverInfo]: { name: 's' } },
    });
    expect(withModernEnvelope('resources/read', { ttlMs: 5 }, { serverInfo: undefined })).toEqual({
      resultType: 'complete',
      ttlMs: 5,
      cacheScope: 'private',
    });
  });
});
