import { durationWords } from '@plugboard/contract';
import { abortedError } from '../error/aborted-error.js';
import type { McpClientError } from '../error/client-error.js';
import { McpTimeoutError } from '../error/error-family.js';
import { systemClock, type Clock } from '../deadline/clock.js';
import type { CallContext, Policy } from './policy.js';

const timeoutError = ({ serverName, method }: CallContext, ms: number): McpTimeoutError =>
  new McpTimeoutError('UPSTREAM_TIMEOUT', `The server "${serverName}" did not answer within ${durationWords(ms)}.`, {
    hint: 'Raise the timeout of this server if it is known to be slow.',
    delivery: 'ambiguous',
    details: { timeout_ms: ms, method },
  });

/** Ends a whole call, with its waits and retries, also when an attempt ignores its signal. Progress restarts the time. */
export const totalDeadline =
  (ms: number, clock: Clock = systemClock): Policy =>
  <T>(context: CallContext, next: (context: CallContext) => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (context.signal.aborted) {
        reject(abortedError(context.signal, 'not-executed'));
        return;
      }
      const controller = new AbortController();
      let disarm = (): void => undefined;
      let open = true;
      const settle = (finish: () => void): void => {
        open = false;
        disarm();
        context.signal.removeEventListener('abort', onAbort);
        finish();
      };
      const end = (error: McpClientError): void =>
        settle(() => {
          reject(error);
          controller.abort(error);
        });
      const onAbort = (): void => end(abortedError(context.signal, 'ambiguous'));
      const arm = (): void => {
        disarm();
        disarm = clock.after(ms, () => end(timeoutError(context, ms)));
      };
      const onProgress = (): void => {
        context.onProgress?.();
        if (open) arm();
      };
      context.signal.addEventListener('abort', onAbort, { once: true });
      arm();
      next({ ...context, signal: controller.signal, onProgress }).then(
        (value) => settle(() => resolve(value)),
        (thrown: unknown) => settle(() => reject(thrown)),
      );
    });
