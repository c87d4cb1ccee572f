import { describeExit, quoteTail, type ExitReport } from '../process/exit-report.js';
import type { Delivery } from './client-error.js';
import { McpProcessError } from './error-family.js';

/** The server's process ended while somebody needed it. */
export const processEndedError = (
  name: string,
  report: ExitReport | undefined,
  delivery: Delivery,
): McpProcessError => {
  const tail = report?.stderrTail ?? [];
  const how = report === undefined ? 'closed its output' : describeExit(report);
  return new McpProcessError(
    report?.reason === 'memory-limit' ? 'PROCESS_MEMORY_LIMIT' : 'PROCESS_EXITED',
    `The process of "${name}" ${how}.`,
    {
      hint:
        tail.length === 0
          ? 'It wrote nothing to stderr; run its command by hand to see why it ends.'
          : 'details.stderr_tail has the last lines that it wrote to stderr.',
      details: {
        exit_code: report?.code ?? null,
        signal: report?.signal ?? null,
        reason: report?.reason ?? 'exited',
        stderr_tail: quoteTail(tail),
      },
      delivery,
    },
  );
};
