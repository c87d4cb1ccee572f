import { durationWords } from '@plugboard/contract';
import { abortedError } from '../error/aborted-error.js';
import type { McpClientError } from '../error/client-error.js';
import { McpTimeoutError } from '../error/error-family.js';
import { systemClock, type Clock } from './clock.js';
import type { CallActivity, CallContext, Policy } from './policy.js';

export interface DeadlineOptions {
  /** The whole call. */
  readonly requestMs: number;
  /** Until the transport reports `connected` or the first `received`. */
  readonly connectMs?: number | undefined;
  /** Between two things that arrive, once connected. */
  readonly idleMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

type Phase = 'connect' | 'request' | 'idle';

const words: Readonly<Record<Phase, string>> = {
  connect: 'was not reached',
  request: 'did not answer',
  idle: 'went quiet and sent nothing more',
};

const timeoutError = (context: CallContext, phase: Phase, ms: number): McpTimeoutError =>
  new McpTimeoutError(
    'UPSTREAM_TIMEOUT',
    `The server "${context.serverName}" ${words[phase]} within ${durationWords(ms)}.`,
    {
      hint: `Raise the ${phase} timeout of this server if it is known to be slow.`,
      delivery: phase === 'connect' ? 'not-executed' : 'ambiguous',
      details: { phase, timeout_ms: ms, method: context.method },
    },
  );

/** Ends a call at the first of its deadlines, also when what it waits for ignores the signal. */
export const deadline = (options: DeadlineOptions): Policy => {
  const clock = options.clock ?? systemClock;
  return <T>(context: CallContext, next: (context: CallContext) => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (context.signal.aborted) {
        reject(abortedError(context.signal, 'not-executed'));
        return;
      }
      const controller = new AbortController();
      const timers = new Map<Phase, () => void>();
      const disarm = (phase: Phase): void => {
        timers.get(phase)?.();
        timers.delete(phase);
      };
      const settle = (finish: () => void): void => {
        for (const phase of timers.keys()) disarm(phase);
        context.signal.removeEventListener('abort', onAbort);
        finish();
      };
      const end = (error: McpClientError): void =>
        settle(() => {
          reject(error);
          controller.abort(error);
        });
      const onAbort = (): void => end(abortedError(context.signal, 'ambiguous'));
      const arm = (phase: Phase, ms: number | undefined): void => {
        disarm(phase);
        if (ms === undefined || controller.signal.aborted) return;
        timers.set(
          phase,
          clock.after(ms, () => end(timeoutError(context, phase, ms))),
        );
      };
      let open = true;
      const onActivity = (activity: CallActivity): void => {
        context.onActivity?.(activity);
        if (!open) return;
        disarm('connect');
        arm('idle', options.idleMs);
        // A server that reports progress is at work: its time starts anew.
        if (activity === 'progress') arm('request', options.requestMs);
      };
      context.signal.addEventListener('abort', onAbort, { once: true });
      arm('request', options.requestMs);
      arm('connect', options.connectMs);
      next({ ...context, signal: controller.signal, onActivity })
        .finally(() => {
          open = false;
        })
        .then(
          (value) => settle(() => resolve(value)),
          (thrown: unknown) => settle(() => reject(thrown)),
        );
    });
};
