import { durationWords } from '@plugboard/contract';
import { abortedError } from '../error/aborted-error.js';
import { McpTimeoutError } from '../error/error-family.js';
import { systemClock, type Clock } from '../deadline/clock.js';
import { type CallContext, endingOf, type Policy } from './policy.js';

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
      const ending = endingOf(context) ?? new AbortController();
      const { signal } = ending;
      const isNarrowed = signal !== context.signal;
      let disarm = (): void => undefined;
      let open = true;
      const settle = (finish: () => void): void => {
        if (!open) return;
        open = false;
        disarm();
        signal.removeEventListener('abort', onAbort);
        if (isNarrowed) context.signal.removeEventListener('abort', passOn);
        finish();
      };
      const onAbort = (): void => settle(() => reject(abortedError(signal, 'ambiguous')));
      const passOn = (): void => ending.abort(context.signal.reason);
      const arm = (): void => {
        disarm();
        disarm = clock.after(ms, () => ending.abort(timeoutError(context, ms)));
      };
      const onProgress = (): void => {
        context.onProgress?.();
        if (open) arm();
      };
      signal.addEventListener('abort', onAbort);
      if (isNarrowed) context.signal.addEventListener('abort', passOn);
      arm();
      next({ ...context, signal, onProgress }).then(
        (value) => settle(() => resolve(value)),
        (thrown: unknown) => settle(() => reject(thrown)),
      );
    });
