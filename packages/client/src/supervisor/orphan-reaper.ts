import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isGroupAlive, signalGroup } from './process-group.js';
import {
  identityOf,
  launchIdVariable,
  type LedgerRecord,
  type ProcessIdentity,
  type ProcessLedger,
} from './process-ledger.js';
import type { ProcessEntry, ProcessTable } from './process-table.js';

export interface ReapedOrphan {
  readonly name: string;
  readonly pid: number;
}

export interface ReaperOptions {
  readonly ledger: ProcessLedger;
  readonly table: ProcessTable;
  /** Between SIGTERM and SIGKILL. */
  readonly termMs?: number | undefined;
  readonly signal: AbortSignal;
}

const pollMs = 20;

const carriesLaunchId = async (pid: number, launchId: string): Promise<boolean> => {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
    return environment.split('\0').includes(`${launchIdVariable}=${launchId}`);
  } catch {
    return false;
  }
};

/** The same pid is not enough: numbers are used again. */
const isSame = (identity: ProcessIdentity, entry: ProcessEntry | undefined): entry is ProcessEntry =>
  entry !== undefined && !entry.zombie && entry.pid === identity.pid && entry.startedAt === identity.startedAt;

/** Is a process of this record still running, and is it certainly that one? */
const isLeftOver = async (record: LedgerRecord, entries: readonly ProcessEntry[]): Promise<boolean> => {
  const { child, launchId } = record;
  const leader = entries.find((entry) => entry.pid === child.pid);
  if (isSame(child, leader)) {
    // Programs may rename themselves (npm does); then the variable that we gave them speaks for them.
    const sameCommand = identityOf(leader).commandLineDigest === child.commandLineDigest;
    return sameCommand || carriesLaunchId(child.pid, launchId);
  }
  const members = entries.filter((entry) => entry.groupId === child.pid && !entry.zombie);
  // The leader is gone. Every member must prove that it descends from it, or the group may belong to another program.
  const proofs = await Promise.all(members.map((member) => carriesLaunchId(member.pid, launchId)));
  return proofs.length > 0 && proofs.every(Boolean);
};

const endOrphan = async (groupId: number, options: ReaperOptions): Promise<void> => {
  signalGroup(groupId, 'SIGTERM');
  const deadline = performance.now() + (options.termMs ?? 1_000);
  while (performance.now() < deadline && (await isGroupAlive(groupId))) {
    await delay(pollMs, undefined, { signal: options.signal });
  }
  signalGroup(groupId, 'SIGKILL');
};

/** Ends the children that a dead owner left behind. Children of a running owner and reused pids are not touched. */
export const reapOrphans = async (options: ReaperOptions): Promise<readonly ReapedOrphan[]> => {
  const records = await options.ledger.records();
  if (records.length === 0) return [];
  const entries = await options.table.list();
  const reaped: ReapedOrphan[] = [];
  for (const record of records) {
    options.signal.throwIfAborted();
    const owner = entries.find((entry) => entry.pid === record.owner.pid);
    if (isSame(record.owner, owner)) continue;
    if (await isLeftOver(record, entries)) {
      await endOrphan(record.child.pid, options);
      reaped.push({ name: record.name, pid: record.child.pid });
    }
    await options.ledger.strike(record.child.pid);
  }
  return reaped;
};
