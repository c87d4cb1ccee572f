import type { CheckResult } from '@plugboard/contract';
import type { OutputStream } from '../../process/process-context.js';
import { printableColumns } from '../../terminal/printable.js';

/** Too early, nothing can be said. */
const ENOUGH_DONE = 10;

/** How much longer it takes if it goes on like this. */
export const timeLeft = (elapsedMs: number, done: number, planned: number): string => {
  if (done < ENOUGH_DONE || done >= planned) return '';
  const seconds = Math.ceil(((elapsedMs / done) * (planned - done)) / 1_000);
  return seconds < 90 ? `, about ${seconds} s left` : `, about ${Math.round(seconds / 60)} min left`;
};

const CLEAR_LINE = '\r\u001B[2K';

/** As much of what happens during a run as a line can show. */
export type ProgressEvent =
  | { readonly type: 'reached'; readonly planned: number }
  | { readonly type: 'started'; readonly id: string }
  | { readonly type: 'judged'; readonly result: Pick<CheckResult, 'id' | 'verdict'>; readonly done: number }
  | { readonly type: 'finished' };

export interface CheckProgress {
  readonly onEvent: (event: ProgressEvent) => void;
  /** Leaves no trace of it. */
  readonly end: () => void;
}

/** One line on a terminal that tells how far the run is; elsewhere nothing. */
export const checkProgress = (
  stream: OutputStream,
  enabled: boolean,
  now: () => number = () => performance.now(),
): CheckProgress => {
  if (!enabled || !stream.isTTY) return { onEvent: () => undefined, end: () => undefined };
  const running = new Set<string>();
  let [done, planned, failed, reachedAt] = [0, 0, 0, now()];
  const draw = (): void => {
    const left = timeLeft(now() - reachedAt, done, planned);
    const text = `${done} of ${planned}${failed > 0 ? `, ${failed} failed` : ''}${left}: ${[...running].join(' ')}`;
    stream.write(`${CLEAR_LINE}${printableColumns(text).slice(0, (stream.columns ?? 80) - 1)}`);
  };
  return {
    onEvent: (event) => {
      if (event.type === 'reached') {
        ({ planned } = event);
        reachedAt = now();
      }
      if (event.type === 'started') running.add(event.id);
      if (event.type === 'judged') {
        ({ done } = event);
        running.delete(event.result.id);
        if (event.result.verdict === 'fail') failed += 1;
      }
      draw();
    },
    end: () => stream.write(CLEAR_LINE),
  };
};
