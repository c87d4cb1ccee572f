import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProcessLedger, identityOf } from './process-ledger.js';
import type { ProcessEntry, ProcessTable } from './process-table.js';

const entryOf = (pid: number): ProcessEntry => ({
  pid,
  groupId: pid,
  zombie: false,
  startedAt: `boot/${pid}`,
  commandLine: `server --token hidden-${pid}`,
  rssBytes: 0,
});
const table: ProcessTable = {
  find: (pid) => Promise.resolve(pid === 404 ? undefined : entryOf(pid)),
  list: () => Promise.resolve([]),
};

describe('the books about children', () => {
  let directory = '';
  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), 'plugboard-ledger-')), 'pids');
  });
  afterEach(() => rm(join(directory, '..'), { recursive: true, force: true }));

  it('note a child with what identifies it, and strike it again', async () => {
    const ledger = createProcessLedger({ directory, table });
    expect(await ledger.records()).toEqual([]);
    await ledger.note('notes', 12, 'launch-1');
    expect(await ledger.records()).toEqual([
      { name: 'notes', child: identityOf(entryOf(12)), owner: identityOf(entryOf(process.pid)), launchId: 'launch-1' },
    ]);
    await ledger.strike(12);
    await ledger.strike(12);
    expect(await readdir(directory)).toEqual([]);
  });

  it('keep no argument in clear and let nobody else read', async () => {
    await createProcessLedger({ directory, table }).note('notes', 12, 'launch-1');
    const file = join(directory, '12.json');
    expect(await readFile(file, 'utf8')).not.toContain('hidden');
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect((await stat(directory)).mode & 0o077).toBe(0);
  });

  it('have no line for a child that is already gone', async () => {
    const ledger = createProcessLedger({ directory, table });
    await ledger.note('notes', 404, 'launch-1');
    expect(await ledger.records()).toEqual([]);
  });

  it('do not believe what is cut off or was never theirs', async () => {
    const ledger = createProcessLedger({ directory, table });
    await ledger.note('notes', 12, 'launch-1');
    for (const [name, text] of [
      ['13.json', '{"name": "x", "child"'],
      ['14.json', 'null'],
      ['15.json', '{"child": {"pid": "12"}, "owner": {}, "launchId": ""}'],
      ['16.json', ''],
      ['other.txt', '{}'],
    ] as const) {
      await writeFile(join(directory, name), text);
    }
    expect((await ledger.records()).map((record) => record.child.pid)).toEqual([12]);
  });
});
