import { describe, expect, it } from 'vitest';
import { reapOrphans } from './orphan-reaper.js';
import { identityOf, type LedgerRecord, type ProcessLedger } from './process-ledger.js';
import type { ProcessEntry } from './process-table.js';

// Beyond what any system counts to: a signal to it reaches nobody.
const nobody = 2 ** 30;

const entry = (changes: Partial<ProcessEntry> = {}): ProcessEntry => ({
  pid: nobody,
  groupId: nobody,
  zombie: false,
  startedAt: 'boot/1',
  commandLine: 'server',
  rssBytes: 0,
  ...changes,
});
const owner = entry({ pid: nobody + 1, groupId: nobody + 1, commandLine: 'hub' });

const reap = async (entries: readonly ProcessEntry[], changes: Partial<LedgerRecord> = {}) => {
  const struck: number[] = [];
  const record = { name: 'notes', child: identityOf(entry()), owner: identityOf(owner), launchId: 'l-1', ...changes };
  const ledger: ProcessLedger = {
    note: () => Promise.resolve(),
    strike: (pid) => Promise.resolve(void struck.push(pid)),
    records: () => Promise.resolve([record]),
  };
  const table = { find: () => Promise.resolve(undefined), list: () => Promise.resolve(entries) };
  const reaped = await reapOrphans({ ledger, table, termMs: 1, signal: new AbortController().signal });
  return { reaped: reaped.map(({ pid }) => pid), struck };
};

describe('the orphan reaper', () => {
  it('ends the child of a dead owner', async () => {
    expect(await reap([entry()])).toEqual({ reaped: [nobody], struck: [nobody] });
  });

  it('leaves the child of a living owner alone, and its line in the books', async () => {
    expect(await reap([entry(), owner])).toEqual({ reaped: [], struck: [] });
  });

  it('does not take another process with the number of the owner for the owner', async () => {
    const { reaped } = await reap([entry(), { ...owner, startedAt: 'boot/9' }]);
    expect(reaped).toEqual([nobody]);
  });

  it.each([
    ['started at another time', entry({ startedAt: 'boot/2' })],
    ['of another boot', entry({ startedAt: 'other/1' })],
    ['of another command', entry({ commandLine: 'innocent' })],
    ['that has ended already', entry({ zombie: true })],
    ['in the group of that number, without proof', entry({ pid: nobody + 5 })],
  ])('spares a process %s', async (_what, found) => {
    expect(await reap([found])).toEqual({ reaped: [], struck: [nobody] });
  });

  it('stops when it is told to', async () => {
    const ledger: ProcessLedger = {
      note: () => Promise.resolve(),
      strike: () => Promise.resolve(),
      records: () =>
        Promise.resolve([{ name: '', child: identityOf(entry()), owner: identityOf(owner), launchId: '' }]),
    };
    const table = { find: () => Promise.resolve(undefined), list: () => Promise.resolve([entry()]) };
    await expect(reapOrphans({ ledger, table, signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });
});
