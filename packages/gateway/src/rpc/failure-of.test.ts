import { McpProtocolError } from '@plugboard/client';
import { PlugboardError } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { failureOf, modernStatusOf } from './failure-of.js';
import {
  headerMismatch,
  invalidEnvelope,
  invalidParams,
  methodNotFound,
  missingCapability,
  unsupportedVersion,
} from './rpc-refusal.js';

const statusOf = (thrown: unknown): readonly [number, number] => {
  const failure = failureOf(thrown);
  return [failure.code, modernStatusOf(thrown, failure)];
};

describe('failures', () => {
  it.each([
    ['a wrong envelope', invalidEnvelope('x'), -32602, 400],
    ['wrong params', invalidParams('x'), -32602, 200],
    ['headers that differ', headerMismatch('x'), -32020, 400],
    ['an unknown method', methodNotFound('x'), -32601, 404],
    ['a missing capability', missingCapability({ sampling: {} }), -32021, 400],
    ['an unknown version', unsupportedVersion('1', ['2']), -32022, 400],
    [
      'what a server answered',
      new McpProtocolError('UPSTREAM_PROTOCOL', 'm', { rpc: { code: 7, message: 'n' } }),
      7,
      200,
    ],
    [
      "a server's unknown method",
      new McpProtocolError('METHOD_NOT_FOUND', 'm', { rpc: { code: -32601, message: 'n' } }),
      -32601,
      404,
    ],
    ['a server that cannot be reached', new PlugboardError('UPSTREAM_REFUSED', 'm'), -32010, 200],
    ['a defect', new TypeError('secret'), -32603, 200],
  ])('%s', (_, thrown, code, status) => {
    expect(statusOf(thrown)).toEqual([code, status]);
  });

  it('keep the details of a defect to themselves, and the data of a refusal', () => {
    expect(JSON.stringify(failureOf(new TypeError('secret')))).not.toContain('secret');
    expect(failureOf(unsupportedVersion('1', ['2'])).data).toEqual({ supported: ['2'], requested: '1' });
    expect(failureOf(missingCapability({ roots: {} })).data).toEqual({ requiredCapabilities: { roots: {} } });
  });
});
