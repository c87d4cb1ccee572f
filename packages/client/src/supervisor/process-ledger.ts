import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessEntry, ProcessTable } from './process-table.js';

/** What must still be true of a process for it to be the one that was noted. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
  /** A digest: arguments may hold what nobody should read from a file. */
  readonly commandLineDigest: string;
}

export interface LedgerRecord {
  readonly name: string;
  readonly child: ProcessIdentity;
  /** Who started it. */
  readonly owner: ProcessIdentity;
  /** The value of the child's PLUGBOARD_LAUNCH_ID, which its descendants inherit. */
  readonly launchId: string;
}

/** One file per running child, so that a later start can find what an earlier one left behind. */
export interface ProcessLedger {
  note(name: string, pid: number, launchId: string): Promise<void>;
  strike(pid: number): Promise<void>;
  records(): Promise<readonly LedgerRecord[]>;
}

export const launchIdVariable = 'PLUGBOARD_LAUNCH_ID';

export const identityOf = (entry: ProcessEntry): ProcessIdentity => ({
  pid: entry.pid,
  startedAt: entry.startedAt,
  commandLineDigest: createHash('sha256').update(entry.commandLine).digest('hex'),
});

const isIdentity = (value: unknown): value is ProcessIdentity => {
  const identity = value as Partial<ProcessIdentity> | null | undefined;
  return (
    Number.isSafeInteger(identity?.pid) &&
    typeof identity?.startedAt === 'string' &&
    typeof identity.commandLineDigest === 'string'
  );
};

const parseRecord = (text: string): LedgerRecord | undefined => {
  try {
    const value = JSON.parse(text) as Partial<LedgerRecord> | null;
    if (!isIdentity(value?.child) || !isIdentity(value.owner) || typeof value.launchId !== 'string') return undefined;
    return { name: String(value.name), child: value.child, owner: value.owner, launchId: value.launchId };
  } catch {
    // Cut off while it was written: it says nothing that could be trusted.
    return undefined;
  }
};

export interface LedgerOptions {
  readonly directory: string;
  readonly table: ProcessTable;
}

export const createProcessLedger = ({ directory, table }: LedgerOptions): ProcessLedger => {
  const fileOf = (pid: number): string => join(directory, `${pid}.json`);
  // Our own entry does not change, so it is read once.
  let self: Promise<ProcessEntry | undefined> | undefined;
  return {
    async note(name, pid, launchId) {
      self ??= table.find(process.pid);
      const [child, owner] = await Promise.all([table.find(pid), self]);
      // The process has already ended, so there is no orphan to find later.
      if (child === undefined || owner === undefined) return;
      const record: LedgerRecord = { name, child: identityOf(child), owner: identityOf(owner), launchId };
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const draft = `${fileOf(pid)}.${process.pid}.draft`;
      await writeFile(draft, JSON.stringify(record), { mode: 0o600 });
      await rename(draft, fileOf(pid));
    },
    async strike(pid) {
      await rm(fileOf(pid), { force: true });
    },
    async records() {
      const names = await readdir(directory).catch((): string[] => []);
      const files = names.filter((name) => /^\d+\.json$/u.test(name));
      const texts = await Promise.all(files.map((name) => readFile(join(directory, name), 'utf8').catch(() => '')));
      return texts.map(parseRecord).filter((record) => record !== undefined);
    },
  };
};
