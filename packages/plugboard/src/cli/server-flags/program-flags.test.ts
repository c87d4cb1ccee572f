import { describe, expect, it } from 'vitest';
import { programMembers } from './program-flags.js';
import { targetConfig } from './server-target.js';

const nothing = { sse: false, env: {}, headers: {}, cwd: undefined, token: undefined, authHeader: undefined };

describe('how a program is kept', () => {
  it.each([
    [{}, {}],
    [{ listen: true } as const, { listen: {} }],
    [
      { listen: '8080', memory: '512', restart: 'never' },
      { listen: { port: 8080 }, limits: { memory_mb: 512 }, restart: 'never' },
    ],
    [{ memory: '0' }, { limits: null }],
  ])('%j becomes %j', (flags, members) => {
    expect(programMembers(flags)).toEqual(members);
  });

  it.each([
    [{ listen: 'http' }, '--listen needs a whole number'],
    [{ memory: '1.5' }, '--memory needs a whole number'],
    [{ restart: 'sometimes' }, '--restart cannot be'],
  ])('%j is refused', (flags, message) => {
    expect(() => programMembers(flags)).toThrow(message);
  });

  it('means nothing for a URL', () => {
    const url = { ...nothing, target: ['https://a.example/mcp'] };
    expect(() => targetConfig({ ...url, listen: true, restart: 'always' })).toThrow(
      '--listen and --restart can be used only',
    );
    expect(targetConfig({ ...nothing, target: ['node', 'x.js'], listen: true })).toMatchObject({
      listen: {},
      command: 'node',
    });
  });
});
