import type { CheckResult } from '@plugboard/contract';
import type { OutputStream } from '../process-context.js';
import { printableColumns } from '../terminal/printable.js';

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
export const checkProgress = (stream: OutputStream, enabled: boolean): CheckProgress => {
  if (!enabled || !stream.isTTY) return { onEvent: () => undefined, end: () => undefined };
  const running = new Set<string>();
  let [done, planned, failed] = [0, 0, 0];
  const draw = (): void => {
    const text = `${done} of ${planned}${failed > 0 ? `, ${failed} failed` : ''}: ${[...running].join(' ')}`;
    stream.write(`${CLEAR_LINE}${printableColumns(text).slice(0, (stream.columns ?? 80) - 1)}`);
  };
  return {
    onEvent: (event) => {
      if (event.type === 'reached') ({ planned } = event);
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
