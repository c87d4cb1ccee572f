import { PassThrough } from 'node:stream';
import { deferred } from '@plugboard/base';
import type { RunningChild } from '../child-launcher.js';
import type { ExitReport, StopReason } from '../../error/exit-report.js';

export interface FakeChild extends RunningChild {
  /** Ends it as if it had ended by itself. */
  end(report?: Partial<ExitReport>): void;
  readonly stops: readonly StopReason[];
}

export const exitReport = (changes: Partial<ExitReport> = {}): ExitReport => ({
  code: 1,
  signal: null,
  reason: 'exited',
  stderrTail: [],
  ...changes,
});

/** A child that exists in memory only. */
export const createFakeChild = (pid: number, port?: number): FakeChild => {
  const exit = deferred<ExitReport>();
  const stops: StopReason[] = [];
  return {
    port,
    stops,
    end: (report) => exit.resolve(exitReport(report)),
    process: {
      pid,
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      stderrTail: () => ['last words'],
      exited: exit.promise,
      stop: async (reason = 'stopped', detail) => {
        stops.push(reason);
        exit.resolve(exitReport({ code: null, signal: 'SIGTERM', reason, detail }));
        await exit.promise;
      },
    },
  };
};
