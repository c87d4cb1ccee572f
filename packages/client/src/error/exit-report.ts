/** Why we ended a child ourselves. */
export type StopReason = 'stopped' | 'idle' | 'not-ready' | 'unresponsive' | 'memory-limit';

/** Why a child is gone: it exited, it was killed, or we stopped it. */
export type ExitReason = 'exited' | 'signalled' | StopReason;

export interface ExitReport {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly reason: ExitReason;
  /** More about the reason, such as the figure that was exceeded. */
  readonly detail?: string | undefined;
  /** The last lines that the child wrote to stderr, oldest first. */
  readonly stderrTail: readonly string[];
  /** It ended without reading what was written to its stdin; undefined where the platform does not tell. */
  readonly inputUnread?: boolean | undefined;
}

/** The end of a child in a few words, for messages. */
export const describeExit = (report: ExitReport): string => {
  switch (report.reason) {
    case 'exited':
      return `exited with code ${report.code ?? 'unknown'}`;
    case 'signalled':
      return `was killed by ${report.signal ?? 'a signal'}`;
    case 'stopped':
      return 'was stopped';
    case 'idle':
      return 'was stopped because it was idle';
    case 'not-ready':
      return 'was stopped because it did not become ready';
    case 'unresponsive':
      return 'was stopped because it no longer answered';
    case 'memory-limit':
      return `was stopped because it used too much memory${report.detail === undefined ? '' : `: ${report.detail}`}`;
  }
  return report.reason satisfies never;
};

const quotedLines = 10;

/** The tail as errors quote it, in one text: a few lines from the one that says why, or else the last ones. */
export const quoteTail = (tail: readonly string[], why?: string): string => {
  const last = Math.max(0, tail.length - quotedLines);
  const at = why === undefined ? -1 : tail.findIndex((line) => line.trim() === why);
  const start = at === -1 ? last : Math.min(at, last);
  return tail.slice(start, start + quotedLines).join('\n');
};
