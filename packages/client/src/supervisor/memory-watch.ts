import type { ProcessTable } from './process-table.js';

export interface WatchedGroup {
  readonly groupId: number;
  readonly limitBytes: number;
  /** Called once, with what the group used. */
  readonly onExceeded: (usedBytes: number) => void;
}

/** Looks at the memory of children that have a limit, all in one reading of the process table. */
export interface MemoryWatch extends Disposable {
  /** The result ends the watch over this group. */
  watch(group: WatchedGroup): () => void;
}

export interface MemoryWatchOptions {
  readonly table: ProcessTable;
  readonly everyMs: number;
}

export const createMemoryWatch = ({ table, everyMs }: MemoryWatchOptions): MemoryWatch => {
  const groups = new Map<number, WatchedGroup>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;

  const look = async (): Promise<void> => {
    const used = new Map<number, number>();
    for (const entry of await table.list()) {
      if (groups.has(entry.groupId)) used.set(entry.groupId, (used.get(entry.groupId) ?? 0) + entry.rssBytes);
    }
    for (const group of groups.values()) {
      const bytes = used.get(group.groupId) ?? 0;
      if (bytes <= group.limitBytes) continue;
      groups.delete(group.groupId);
      group.onExceeded(bytes);
    }
  };
  /** Measures one after the other, never twice at once, and not at all without groups. */
  const schedule = (): void => {
    if (looking || timer !== undefined || groups.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      looking = true;
      void look()
        .catch(() => undefined)
        .finally(() => {
          looking = false;
          schedule();
        });
    }, everyMs);
    timer.unref();
  };
  const rest = (): void => {
    if (groups.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    watch(group) {
      groups.set(group.groupId, group);
      schedule();
      return () => {
        groups.delete(group.groupId);
        rest();
      };
    },
    [Symbol.dispose]() {
      groups.clear();
      rest();
    },
  };
};

/** "312 MB": the unit that limits are given in. */
export const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`;
