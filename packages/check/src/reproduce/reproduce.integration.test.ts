import { execFile } from 'node:child_process';
import type { CheckReport, CheckResult } from '@plugboard/contract';
import { fakeServerCommand, MUTANTS, mutantServer } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../checks/registry.js';
import type { Family } from '../model/family.js';
import { runChecks } from '../run/run-checks.js';
import { checkTarget } from '../target/target.js';

const BUDGETS = { quietMs: 20, requestMs: 3_000, startMs: 10_000, concurrency: 8 };
const ENV = { PATH: '/usr/local/bin:/usr/bin:/bin' };

const shell = (line: string): Promise<string> =>
  new Promise((resolve) => {
    execFile('sh', ['-c', line], { env: ENV, timeout: 30_000 }, (_error, stdout) => resolve(stdout));
  });

const reproducible = ({ results }: CheckReport): readonly CheckResult[] =>
  results.filter(({ verdict, evidence }) => verdict === 'fail' && evidence?.reproduce !== undefined);

/** What came back, without what differs from one time to the next: sessions, events, times, line ends. */
const plain = (text: string): string =>
  text
    .replaceAll(/\r/gu, '')
    .replaceAll(/^(?:id|mcp-session-id|date|keep-alive|connection|transfer-encoding):.*$/gimu, '')
    .replaceAll(/\s+/gu, ' ');

/** The messages in a text, whether they stand alone or in events. */
const messagesIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^data: ?/u, '').trim())
    .filter((line) => line.startsWith('{') || line.startsWith('['));

/** Whether the line of shell showed what the report says that came. */
const showsTheSame = ({ evidence }: CheckResult, shown: string): boolean => {
  const received = evidence?.received ?? '';
  const messages = messagesIn(received);
  const status = /^HTTP (?<status>\d{3})/u.exec(received)?.groups?.['status'];
  const statusShown = status === undefined || shown.includes(`HTTP/1.1 ${status}`);
  return statusShown && messages.every((message) => plain(shown).includes(plain(message)));
};

const FAMILIES: readonly Family[] = [
  'lifecycle',
  'json-rpc',
  'streamable-http',
  'tools',
  'resources',
  'prompts',
  'completion',
  'pagination',
];

const mutantOf = (family: Family) => {
  const must = new Set(CHECKS.filter((check) => check.family === family && check.level === 'MUST').map(({ id }) => id));
  return MUTANTS.filter(
    ({ kills, transports, target, doubtful }) =>
      must.has(kills) &&
      (transports ?? ['streamable-http']).includes('streamable-http') &&
      target === undefined &&
      doubtful !== true,
  );
};

/** The first mutant of a family whose failure has a line, with the server still there. */
const withFailure = async (family: Family, use: (result: CheckResult) => Promise<void>): Promise<boolean> => {
  for (const mutant of mutantOf(family)) {
    const server = mutantServer(mutant);
    try {
      const { url } = await server.listenHttp();
      const target = checkTarget.parse({ url, transport: 'streamable-http', seed: 1, tier: 'full', budgets: BUDGETS });
      const checks = CHECKS.filter(({ id }) => id === mutant.kills);
      const [failure] = reproducible(await runChecks(target, { checks, version: '0' }));
      if (failure !== undefined) {
        await use(failure);
        return true;
      }
    } finally {
      await server.close();
    }
  }
  return false;
};

describe('a curl line', () => {
  test.each(FAMILIES)('brings back what the report says, on a mutant of the family %s', async (family) => {
    const found = await withFailure(family, async (failure) => {
      const line = failure.evidence?.reproduce ?? '';
      expect(line).toContain('curl ');
      const shown = await shell(line);
      expect({ id: failure.id, line, shown, same: showsTheSame(failure, shown) }).toMatchObject({ same: true });
    });
    expect(found).toBe(true);
  });
});

describe('a printf line', () => {
  const FAULTS = [
    { on: 'ping', fault: { result: { pong: true } } },
    { on: 'tools/list', fault: { result: { tools: [{ name: 'no schema' }, { name: 'no schema' }] } } },
    { on: 'surely/unknown', fault: { result: {} } },
  ] as const;

  test('brings back what the report says, for several failures of a program', async () => {
    const { command, args } = fakeServerCommand({ tools: ['echo'], script: FAULTS });
    const target = checkTarget.parse({
      command: [command, ...args],
      seed: 1,
      only: ['LIF-27', 'TOL-0*', 'RPC-0*'],
      budgets: BUDGETS,
    });
    const failures = reproducible(await runChecks(target, { checks: CHECKS, version: '0' })).slice(0, 3);
    expect(failures.length).toBeGreaterThan(1);
    const shown = await Promise.all(failures.map(({ evidence }) => shell(evidence?.reproduce ?? '')));
    for (const [index, failure] of failures.entries()) {
      expect(failure.evidence?.reproduce).toContain('printf ');
      const text = shown[index] ?? '';
      expect({ id: failure.id, text, same: showsTheSame(failure, text) }).toMatchObject({ same: true });
    }
  });
});
