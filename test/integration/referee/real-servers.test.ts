import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CHECKS, checkTarget, runChecks, type CheckTargetInput } from '@plugboard/check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { npmServerProgram, startEverything, type NpmHttpServer } from '../../support/npm-server.js';

// What the referee says of servers that others wrote. Each failure is true, and shown by raw requests in
// docs/judged-servers.md or scripts/judge/confirm.mjs; any other failure is a false verdict until that is done for it.

const BATCHES = 'RPC-10@legacy';

let folder: string;
let everything: NpmHttpServer;

const example = (name: string): string => {
  const sdk = createRequire(import.meta.url).resolve('@modelcontextprotocol/sdk/client/index.js');
  return join(dirname(sdk), '..', '..', 'esm', 'examples', 'server', `${name}.js`);
};

const program = (name: string, args: readonly string[] = []): CheckTargetInput => ({
  command: [process.execPath, npmServerProgram(name), ...args],
});

interface Case {
  readonly name: string;
  readonly target: () => CheckTargetInput;
  readonly fails: readonly string[];
}

const CASES: readonly Case[] = [
  { name: 'everything over stdio', target: () => program('everything'), fails: [BATCHES] },
  {
    name: 'everything over Streamable HTTP',
    target: () => ({ url: `${everything.origin}/mcp` }),
    fails: ['HTP-06@legacy', 'HTP-16@legacy', 'HTP-26@legacy'],
  },
  { name: 'filesystem', target: () => program('filesystem', [folder]), fails: [BATCHES] },
  {
    name: 'memory',
    target: () => ({ ...program('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } }),
    fails: [BATCHES],
  },
  { name: 'sequential-thinking', target: () => program('sequential-thinking'), fails: [BATCHES] },
  {
    name: 'mcpServerOutputSchema of the official SDK',
    target: () => ({ command: [process.execPath, example('mcpServerOutputSchema')] }),
    fails: [BATCHES],
  },
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugboard-real-servers-'));
  everything = await startEverything('streamableHttp');
});

afterAll(async () => {
  await everything?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the referee fails nothing but what is true of', () => {
  it.each(CASES)('$name', { timeout: 180_000 }, async ({ target, fails }) => {
    const { PATH = '' } = process.env;
    const report = await runChecks(checkTarget.parse({ ...target(), seed: 1 }), {
      checks: CHECKS,
      version: '0.0.0',
      baseEnv: { PATH },
    });
    expect(report.outcome).toBe('failed');
    expect(report.summary.pass).toBeGreaterThan(90);
    const failed = report.results.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ id, era }) => `${id}@${era}`).toSorted()).toEqual(fails);
  });
});
