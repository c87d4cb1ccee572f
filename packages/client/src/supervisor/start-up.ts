import { durationWords } from '@plugboard/contract';
import { abortedError } from '../error/aborted-error.js';
import { McpProcessError } from '../error/error-family.js';
import { processEndedError } from '../error/process-error.js';
import { toClientError } from '../error/to-client-error.js';
import type { Clock } from '../deadline/clock.js';
import type { RunningChild } from './child-launcher.js';
import { quoteTail } from '../error/exit-report.js';

export interface StartUp<C> {
  readonly name: string;
  readonly child: RunningChild;
  /** The handshake: resolves when the server has answered it. */
  readonly connect: (child: RunningChild, signal: AbortSignal) => Promise<C>;
  readonly deadlineMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const notReadyError = (
  start: Pick<StartUp<unknown>, 'name' | 'child' | 'deadlineMs'>,
  cause?: unknown,
): McpProcessError =>
  new McpProcessError(
    'PROCESS_NOT_STARTED',
    `"${start.name}" was not ready within ${durationWords(start.deadlineMs)}.`,
    {
      hint: 'It runs, but does not answer as an MCP server: check its arguments, or give it more time to start.',
      details: { stderr_tail: quoteTail(start.child.process.stderrTail()) },
      cause,
    },
  );

/** Waits until a child answers the handshake; its death, the deadline and an abort end the wait at once. */
export const awaitReady = async <C>(start: StartUp<C>): Promise<C> => {
  const controller = new AbortController();
  const connecting = start.connect(start.child, controller.signal);
  const onAbort = (): void => controller.abort(abortedError(start.signal, 'not-executed'));
  start.signal.addEventListener('abort', onAbort, { once: true });
  const takeBack = start.clock.after(start.deadlineMs, () => controller.abort(notReadyError(start)));
  const ended = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  void start.child.process.exited.then((report) =>
    controller.abort(processEndedError(start.name, report, 'not-executed')),
  );
  try {
    if (start.signal.aborted) onAbort();
    return await Promise.race([connecting, ended]);
  } catch (thrown) {
    // The death of the child explains more than what the handshake makes of it.
    throw toClientError(controller.signal.aborted ? controller.signal.reason : thrown);
  } finally {
    takeBack();
    start.signal.removeEventListener('abort', onAbort);
    connecting.catch(() => undefined);
    ended.catch(() => undefined);
  }
};
