import { PassThrough } from 'node:stream';
import { MUTANTS, mutantServer, MutantServer, referenceServer } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import type { Launch } from '../../connection/child.js';
import { runChecks } from '../../run/run-checks.js';
import { checkTarget } from '../../target/target.js';
import { CHECKS } from '../registry.js';

/** How long the machine has no time for the process: what comes meanwhile is read at once. */
const AWAY_MS = 120;

const readingLate = (child: ReturnType<Launch>): ReturnType<Launch> => {
  const stdin = new PassThrough();
  let waiting: Buffer[] = [];
  const read = (): void => {
    const chunk = Buffer.concat(waiting);
    waiting = [];
    child.stdin.write(chunk);
  };
  stdin.on('data', (chunk: Buffer) => {
    if (waiting.length === 0) setTimeout(read, AWAY_MS);
    waiting = [...waiting, chunk];
  });
  stdin.on('end', () => setTimeout(() => child.stdin.end(), AWAY_MS * 2));
  const { pid, stdout, stderr, exited } = child;
  return { pid, stdin, stdout, stderr, exited, kill: (signal) => child.kill(signal) };
};

const judged = async (server: MutantServer, id: string): Promise<readonly (string | undefined)[]> => {
  const budgets = { requestMs: 700, quietMs: 30 };
  const target = checkTarget.parse({ command: ['in-process'], only: [id], era: 'legacy', seed: 1, budgets });
  const launch: Launch = () => readingLate(server.launch());
  const { results } = await runChecks(target, { checks: CHECKS, version: '0.0.0', launch });
  await server.close();
  return results.filter((one) => one.id === id).map(({ verdict }) => verdict);
};

const named = (name: string): MutantServer => {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined) throw new Error(`There is no mutant ${name}.`);
  return mutantServer(mutant);
};

const lines = (chunk: Uint8Array): readonly string[] => new TextDecoder().decode(chunk).split(/(?<=\n)/u);

describe('on a busy machine, where the server reads several writes at once', () => {
  test.each([
    ['STD-03', 'decodes-each-read-by-itself'],
    ['STD-05', 'ignores-single-bytes'],
  ])('%s still finds %s', async (id, name) => {
    expect(await judged(named(name), id)).toEqual(['fail']);
    expect(await judged(referenceServer(), id)).toEqual(['pass']);
  });

  test.each(['STD-03', 'STD-05'])('%s is not blamed for one message per read', async (id) => {
    const server = new MutantServer({ process: { input: (chunk) => Buffer.from(lines(chunk)[0] ?? '') } });
    expect(await judged(server, id)).toEqual(['not-verified']);
  });
});
