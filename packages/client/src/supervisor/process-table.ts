import { linuxProcessTable } from './linux-process-table.js';
import { psProcessTable } from './ps-process-table.js';

/** What the system knows of one process. */
export interface ProcessEntry {
  readonly pid: number;
  readonly groupId: number;
  /** Ended, but not yet taken note of by its parent. */
  readonly zombie: boolean;
  /** When it was started, in the system's own words: together with the pid it identifies one process permanently. */
  readonly startedAt: string;
  readonly commandLine: string;
  readonly rssBytes: number;
}

/** The processes of this machine, read only. */
export interface ProcessTable {
  find(pid: number): Promise<ProcessEntry | undefined>;
  list(): Promise<readonly ProcessEntry[]>;
}

export const systemProcessTable = (platform: NodeJS.Platform = process.platform): ProcessTable =>
  platform === 'linux' ? linuxProcessTable() : psProcessTable();
