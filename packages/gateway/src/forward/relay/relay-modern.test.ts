import { META_KEY } from '@plugboard/wire';
import { describe, expect, test } from 'vitest';
import { sampleServer } from '../../test-support/catalogue.js';
import { sampleCall } from '../../test-support/mcp-call.js';
import { RecordingClient } from '../../test-support/recording-client.js';
import { UpstreamLink } from '../../connection/upstream-link.js';
import { relayModern } from './relay-modern.js';

const relayed = async (method: string, result: unknown): Promise<unknown> => {
  const server = sampleServer('files', 1);
  const client = new RecordingClient(() => result, { protocol: { era: 'modern', revision: '2026-07-28' } });
  const link = new UpstreamLink({
    server,
    identity: { key: '' },
    makeClient: () => client,
    onNotification: () => undefined,
    onIdle: () => undefined,
  });
  const facts = await link.ready(new AbortController().signal);
  const call = sampleCall(method, {}, { era: 'modern' });
  const route = { kind: 'upstream', server, method, params: {} } as const;
  return relayModern({ call, route, lease: { link, facts, letGo: () => undefined } });
};

describe('results of modern servers', () => {
  test.each([
    { resultType: 'complete', content: [], vendor: 1 },
    { resultType: 'input_required', inputRequests: {} },
    { resultType: 'task', taskId: 't' },
  ])('$resultType passes as it came', async (result) => {
    expect(await relayed('tools/call', result)).toBe(result);
  });

  test('one without a type is complete, and says so', async () => {
    expect(await relayed('tools/call', { content: [], vendor: 1 })).toEqual({
      resultType: 'complete',
      content: [],
      vendor: 1,
      _meta: { [META_KEY.serverInfo]: { name: 'recorded', version: '9' } },
    });
    expect(await relayed('resources/read', { contents: [] })).toMatchObject({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
    });
  });
});
