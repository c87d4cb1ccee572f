import { describe, expect, it } from 'vitest';
import { sampleCall } from '../test-support/mcp-call.js';
import type { McpCall } from './mcp-call.js';
import { afterwards, type CallStep, composeSteps } from './step.js';

const call = sampleCall('tools/call');

const rig = () => {
  const seen: string[] = [];
  const look = (name: string): CallStep =>
    afterwards({
      answered: (_call, result) => {
        seen.push(`${name} ${String(result)}`);
        return `${String(result)}${name}`;
      },
      failed: (_call, thrown) => {
        seen.push(`${name} failed ${String(thrown)}`);
        throw thrown;
      },
    });
  const before = (name: string): CallStep => {
    const step: CallStep = (given, next) => {
      seen.push(name);
      return next({ ...given, method: `${given.method} ${name}` });
    };
    return step;
  };
  return { seen, look, before };
};

describe('composed steps', () => {
  it('run in their order, and look back in the opposite one', async () => {
    const { seen, look, before } = rig();
    const way = composeSteps([look('a'), before('b'), look('c'), look('d'), before('e'), async () => 'r']);
    expect(await way(call)).toBe('rdca');
    expect(seen).toEqual(['b', 'e', 'd r', 'c rd', 'a rdc']);
  });

  it('look back at the call as it was at their place', async () => {
    const methods: string[] = [];
    const note = afterwards({ answered: ({ method }: McpCall, result) => (methods.push(method), result) });
    const { before } = rig();
    await composeSteps([note, before('b'), note, note, async () => 1])(call);
    expect(methods).toEqual(['tools/call b', 'tools/call b', 'tools/call']);
  });

  it('fail for those that look back, also at once, until one of them has a result', async () => {
    const { seen, look } = rig();
    const cure = afterwards({ failed: () => Promise.resolve('cured') });
    const refuse: CallStep = () => {
      throw new Error('no');
    };
    expect(await composeSteps([look('a'), cure, look('c'), refuse])(call)).toBe('cureda');
    expect(seen).toEqual(['c failed Error: no', 'a cured']);
  });

  it('fail with what one of them throws', async () => {
    const { seen, look } = rig();
    const spoil = afterwards({
      answered: () => {
        throw new Error('spoilt');
      },
    });
    await expect(composeSteps([look('a'), spoil, look('c'), async () => 'r'])(call)).rejects.toThrow('spoilt');
    expect(seen).toEqual(['c r', 'a failed Error: spoilt']);
  });

  it('must not go on after the last', async () => {
    await expect(composeSteps([(given, next) => next(given)])(call)).rejects.toThrow('last step');
  });
});
