import { errorLine } from './error-line.js';
import { describeExit, quoteTail, type ExitReport } from './exit-report.js';
import type { Delivery, McpClientError } from './client-error.js';
import { McpProcessError } from './error-family.js';

/** Marks the end of a process that never got as far as a session: another one would end the same way. */
const AT_START = { ended_at_start: true } as const;

/** The process exited during the handshake, so a retry would not help. */
export const endedAtStart = (error: McpClientError): McpClientError =>
  error.kind === 'process' ? error.with({ details: { ...error.details, ...AT_START } }) : error;

export const hasEndedAtStart = ({ details }: McpClientError): boolean =>
  details?.['ended_at_start'] === AT_START.ended_at_start;

/** Did it end without reading what it was sent? */
export const leftInputUnread = ({ details }: McpClientError): boolean => details?.['input_read'] === false;

/** The server's process ended while somebody needed it. */
export const processEndedError = (
  name: string,
  report: ExitReport | undefined,
  delivery: Delivery,
): McpProcessError => {
  const tail = report?.stderrTail ?? [];
  const how = report === undefined ? 'closed its output' : describeExit(report);
  const why = errorLine(tail);
  return new McpProcessError(
    report?.reason === 'memory-limit' ? 'PROCESS_MEMORY_LIMIT' : 'PROCESS_EXITED',
    why === undefined ? `The process of "${name}" ${how}.` : `The process of "${name}" ${how}: ${why}`,
    {
      hint:
        tail.length === 0
          ? 'It wrote nothing to stderr. Run its command in a terminal to see why it exits.'
          : {
              api: 'Fix the error that it reports. The log of the server, the Log tab of its page in the console, has its whole output.',
              cli: 'Fix the error that it reports. `plugboard logs <server>` shows its whole output.',
            },
      details: {
        exit_code: report?.code ?? null,
        signal: report?.signal ?? null,
        reason: report?.reason ?? 'exited',
        stderr_tail: quoteTail(tail, why),
        ...(why === undefined ? {} : { error_line: why }),
        ...(report?.inputUnread === undefined ? {} : { input_read: !report.inputUnread }),
      },
      delivery,
    },
  );
};
