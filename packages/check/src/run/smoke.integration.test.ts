import { PassThrough } from 'node:stream';
import { MutantServer, type Mutation } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../checks/registry.js';
import type { Child, Launch } from '../connection/child.js';
import { checkTarget } from '../target/target.js';
import { runChecks } from './run-checks.js';

const legacyOnly: Mutation = { options: (options) => ({ ...options, eras: 'legacy' }) };

/** Passes its input on, and tells of it. */
const heard = (child: Child, onInput: (text: string) => void): Child => {
  const stdin = new PassThrough();
  stdin.on('data', (chunk: Buffer) => {
    onInput(chunk.toString('utf8'));
    child.stdin.write(chunk);
  });
  stdin.on('end', () => child.stdin.end());
  const { pid, stdout, stderr, exited } = child;
  return { pid, stdin, stdout, stderr, exited, kill: (signal) => child.kill(signal) };
};

const smoke = async (mutation: Mutation) => {
  const server = new MutantServer(mutation);
  /** What each process was told, in the order of their starts. */
  const inputs: string[] = [];
  const launch: Launch = () => {
    const index = inputs.push('') - 1;
    return heard(server.launch(), (text) => {
      inputs[index] += text;
    });
  };
  try {
    const target = checkTarget.parse({ command: ['in-process'], seed: 1, tier: 'smoke', budgets: { quietMs: 20 } });
    const report = await runChecks(target, { checks: CHECKS, version: '0.0.0', launch });
    const red = report.results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    return { report, inputs, red };
  } finally {
    await server.close();
  }
};

describe('a smoke run over stdio', () => {
  test('starts a process for each era, and one for a handshake with an unknown revision', async () => {
    const { inputs, report } = await smoke(legacyOnly);
    expect(report.outcome).toBe('passed');
    expect(inputs).toHaveLength(3);
    expect(inputs.filter((input) => input.includes('1999-01-01'))).toHaveLength(1);
  });

  test('needs one more for a server of both eras', async () => {
    const { inputs, report } = await smoke({});
    expect(report.outcome).toBe('passed');
    expect(report.server?.eras).toEqual(['legacy', 'modern']);
    expect(inputs).toHaveLength(4);
  });

  test('tells how long the first answer took', async () => {
    const { report } = await smoke(legacyOnly);
    expect(report.firstAnswerMs).toBeGreaterThan(0);
    expect(report.firstAnswerMs).toBeLessThanOrEqual(report.durationMs);
  });

  test('finds what it shares a process for: a banner, and an answer to a notification', async () => {
    const banner = await smoke({ ...legacyOnly, process: { banner: 'Welcome!\n' } });
    expect(banner.red).toEqual(['STD-01']);
    const talkative = await smoke({
      ...legacyOnly,
      answer: ({ method }) =>
        method === 'notifications/plugboard/unknown' ? { jsonrpc: '2.0', id: null, result: {} } : undefined,
    });
    expect(talkative.red).toContain('RPC-04');
  });

  test('a server that leaves server/discover unanswered is asked for initialize instead of being waited for', async () => {
    const { inputs, report } = await smoke({
      ...legacyOnly,
      toServer: (message) => (message['method'] === 'server/discover' ? undefined : message),
    });
    expect(report.server?.eras).toEqual(['legacy']);
    const silent = inputs.find((input) => input.includes('server/discover')) ?? '';
    expect(silent.split('\n').filter((line) => line.includes('"initialize"'))).toHaveLength(1);
  });
});
