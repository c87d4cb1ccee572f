import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildNotification, buildRequest } from '../envelope/build-message.js';
import { isModernOnlyCode, RPC_CODE } from '../envelope/rpc-code.js';
import { chooseRevision, findRevision, LATEST_LEGACY, LATEST_MODERN, revisionOf } from './codec.js';
import { META_KEY } from '../revision/meta-key.js';
import { readModernMeta } from '../revision/read-meta.js';
import { REVISION_IDS } from '../revision/revision.js';

const identity = { clientInfo: { name: 'test', version: '1' }, clientCapabilities: { roots: {} }, logLevel: 'info' };

describe('the registry', () => {
  test('every published revision is there, under its own name, and cannot be changed', () => {
    for (const id of REVISION_IDS) {
      const revision = revisionOf(id);
      expect(revision.id).toBe(id);
      expect(findRevision(id)).toBe(revision);
      expect(revision.era).toBe(id >= '2026' ? 'modern' : 'legacy');
      expect([revision, revision.features, revision.methods].every((part) => Object.isFrozen(part))).toBe(true);
    }
    expect([LATEST_LEGACY, LATEST_MODERN]).toEqual(['2025-11-25', '2026-07-28']);
  });

  test('2024-10-07 is an alias; nonsense is nothing', () => {
    expect(findRevision('2024-10-07')?.id).toBe('2024-11-05');
    for (const name of ['', '1999-01-01', 'constructor', '__proto__', 'toString']) {
      expect(findRevision(name)).toBeUndefined();
    }
  });

  test('the newest common revision of an era is chosen', () => {
    expect(chooseRevision(['2024-11-05', '2025-06-18', '2026-07-28'], 'legacy')?.id).toBe('2025-06-18');
    expect(chooseRevision(['2025-06-18', '2026-07-28'], 'modern')?.id).toBe('2026-07-28');
    expect(chooseRevision(['2024-10-07'], 'legacy')?.id).toBe('2024-11-05');
    expect(chooseRevision(['2025-06-18'], 'modern')).toBeUndefined();
    expect(chooseRevision([], 'legacy')).toBeUndefined();
    fc.assert(
      fc.property(fc.subarray([...REVISION_IDS]), (offered) => {
        const legacy = offered.filter((id) => id < '2026').toSorted();
        expect(chooseRevision(offered, 'legacy')?.id).toBe(legacy.at(-1));
      }),
    );
  });
});

describe('what a revision has', () => {
  test.each([
    ['2024-11-05', [], ['ping', 'logging/setLevel', 'resources/subscribe'], ['server/discover', 'tasks/get']],
    ['2025-03-26', ['batching', 'resumableStreams'], ['completion/complete'], ['tasks/get']],
    ['2025-06-18', ['protocolVersionHeader', 'elicitation', 'structuredOutput'], ['tools/call'], ['tasks/get']],
    ['2025-11-25', ['protocolVersionHeader', 'elicitation'], ['tasks/get', 'initialize'], ['server/discover']],
    [
      '2026-07-28',
      ['methodHeaders', 'inputRequired', 'subscriptionsListen'],
      ['server/discover'],
      ['initialize', 'ping'],
    ],
  ] as const)('%s', (id, features, has, hasNot) => {
    const revision = revisionOf(id);
    for (const feature of features) {
      expect(revision.features[feature]).toBe(true);
    }
    for (const method of has) {
      expect(revision.methods.clientRequests.has(method)).toBe(true);
    }
    for (const method of hasNot) {
      expect(revision.methods.clientRequests.has(method)).toBe(false);
    }
    expect(revision.features.batching).toBe(id === '2025-03-26');
    expect(revision.features.tasks).toBe(id === '2025-11-25');
    expect(revision.features.primedStreams).toBe(id === '2025-11-25');
    expect(revision.features.elicitationModes).toBe(id === '2025-11-25' || id === '2026-07-28');
    expect(revision.methods.serverRequests.has('elicitation/create')).toBe(id === '2025-06-18' || id === '2025-11-25');
    expect(revision.features.sessions).toBe(revision.era === 'legacy');
  });
});

describe('params', () => {
  test('legacy revisions leave them alone', () => {
    const params = { name: 'x' };
    for (const id of REVISION_IDS.filter((name) => name < '2026')) {
      expect(revisionOf(id).encodeParams(params, identity)).toBe(params);
    }
  });

  test('the modern one says who asks; what the caller set wins, except the version', () => {
    const revision = revisionOf(LATEST_MODERN);
    const encoded = revision.encodeParams(
      { name: 'x', _meta: { progressToken: 7, [META_KEY.logLevel]: 'debug', [META_KEY.protocolVersion]: 'forged' } },
      identity,
    );
    expect(encoded).toEqual({
      name: 'x',
      _meta: {
        progressToken: 7,
        [META_KEY.protocolVersion]: LATEST_MODERN,
        [META_KEY.clientInfo]: identity.clientInfo,
        [META_KEY.clientCapabilities]: { roots: {} },
        [META_KEY.logLevel]: 'debug',
      },
    });
    expect(readModernMeta(encoded)).toMatchObject({ ...identity, protocolVersion: LATEST_MODERN, logLevel: 'debug' });
    expect(revision.encodeParams(undefined, { clientCapabilities: {} })).toEqual({
      _meta: { [META_KEY.protocolVersion]: LATEST_MODERN, [META_KEY.clientCapabilities]: {} },
    });
  });

  test('metadata of the wrong kind is not read', () => {
    expect(readModernMeta(undefined)).toBeUndefined();
    expect(readModernMeta({ _meta: 7 })).toBeUndefined();
    const meta = Object.fromEntries(Object.values(META_KEY).map((key) => [key, []]));
    expect(Object.values(readModernMeta({ _meta: meta }) ?? {})).toEqual(Array.from({ length: 6 }));
    expect(readModernMeta({ _meta: { [META_KEY.subscriptionId]: 7 } })?.subscriptionId).toBe(7);
  });
});

describe('HTTP fields', () => {
  const call = (method: string, params: object) => buildRequest(1, method, params);

  test.each([
    ['2024-11-05', {}],
    ['2025-03-26', {}],
    ['2025-06-18', { 'MCP-Protocol-Version': '2025-06-18' }],
    ['2025-11-25', { 'MCP-Protocol-Version': '2025-11-25' }],
  ] as const)('%s', (id, headers) => {
    expect(revisionOf(id).httpHeaders(call('tools/call', { name: 'x' }))).toEqual(headers);
  });

  test.each([
    ['tools/call', { name: 'get_weather' }, 'get_weather'],
    ['prompts/get', { name: 'größe' }, '=?base64?Z3LDtsOfZQ==?='],
    ['resources/read', { uri: 'file:///a' }, 'file:///a'],
    ['tasks/get', { taskId: 't1' }, 't1'],
    ['tools/list', { name: 'ignored' }, undefined],
    ['tools/call', {}, undefined],
  ])('2026-07-28 %s %j', (method, params, name) => {
    expect(revisionOf(LATEST_MODERN).httpHeaders(call(method, params))).toEqual({
      'MCP-Protocol-Version': LATEST_MODERN,
      'Mcp-Method': method,
      ...(name === undefined ? {} : { 'Mcp-Name': name }),
    });
  });

  test('a notification has its method too', () => {
    expect(revisionOf(LATEST_MODERN).httpHeaders(buildNotification('notifications/cancelled'))).toMatchObject({
      'Mcp-Method': 'notifications/cancelled',
    });
  });
});

test('codes that only modern servers use', () => {
  expect([-32020, -32021, -32022].every(isModernOnlyCode)).toBe(true);
  expect([RPC_CODE.methodNotFound, RPC_CODE.serverError, -32042].some(isModernOnlyCode)).toBe(false);
});
