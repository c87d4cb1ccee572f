import type { Clock } from '../deadline/clock.js';

export interface LivenessOptions {
  /** Rejects when the server does not answer. */
  readonly probe: (signal: AbortSignal) => Promise<unknown>;
  readonly everyMs: number;
  readonly timeoutMs: number;
  /** So many in a row, and the server is given up. */
  readonly maxFailures: number;
  readonly clock: Clock;
  readonly onUnresponsive: () => void;
}

/** Asks a server again and again whether it still answers; the result ends that. */
export const watchLiveness = (options: LivenessOptions): (() => void) => {
  const { clock } = options;
  let failures = 0;
  let watching = true;
  let takeBack: () => void = () => undefined;
  let current: AbortController | undefined;

  const ask = async (): Promise<boolean> => {
    const controller = new AbortController();
    current = controller;
    const late = new Promise<false>((resolve) => {
      takeBack = clock.after(options.timeoutMs, () => resolve(false));
    });
    try {
      const answered = options.probe(controller.signal).then(
        () => true,
        () => false,
      );
      return await Promise.race([answered, late]);
    } finally {
      takeBack();
      controller.abort();
      current = undefined;
    }
  };
  const round = async (): Promise<void> => {
    const alive = await ask();
    if (!watching) return;
    failures = alive ? 0 : failures + 1;
    if (failures >= options.maxFailures) {
      watching = false;
      options.onUnresponsive();
    } else {
      schedule();
    }
  };
  const schedule = (): void => {
    takeBack = clock.after(options.everyMs, () => void round());
  };
  schedule();
  return () => {
    watching = false;
    takeBack();
    current?.abort();
  };
};
