import { PlugboardError } from '@plugboard/contract';

/** Why we ended a child ourselves. */
export type StopReason = 'stopped' | 'idle' | 'not-ready' | 'unresponsive' | 'memory-limit';

/** Why a child is gone: it ended by itself, somebody else killed it, or we stopped it. */
export type ExitReason = 'exited' | 'signalled' | StopReason;

export interface ExitReport {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly reason: ExitReason;
  /** The last lines that the child wrote to stderr, oldest first. */
  readonly stderrTail: readonly string[];
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
      return 'was stopped because nobody used it';
    case 'not-ready':
      return 'was stopped because it did not become ready';
    case 'unresponsive':
      return 'was stopped because it no longer answered';
    case 'memory-limit':
      return 'was stopped because it used too much memory';
  }
  return report.reason satisfies never;
};

const quotedLines = 10;

/** The tail as errors quote it: the last few lines in one text. */
export const quoteTail = (tail: readonly string[]): string => tail.slice(-quotedLines).join('\n');

/** The error for whoever was waiting for an answer of a child that is gone. */
export const processExitedError = (name: string, report: ExitReport): PlugboardError =>
  new PlugboardError('PROCESS_EXITED', `The process of "${name}" ${describeExit(report)}.`, {
    hint:
      report.stderrTail.length === 0
        ? 'It wrote nothing to stderr; run its command by hand to see why it ends.'
        : 'details.stderr_tail has the last lines that it wrote to stderr.',
    details: {
      exit_code: report.code,
      signal: report.signal,
      reason: report.reason,
      stderr_tail: quoteTail(report.stderrTail),
    },
  });
