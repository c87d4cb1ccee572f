/** How many of the last calls failed, over a window of time that slides in steps. */
export interface OutcomeWindow {
  add(now: number, failed: boolean): void;
  count(now: number): { readonly calls: number; readonly failures: number };
  clear(): void;
}

const steps = 10;

export const createOutcomeWindow = (windowMs: number): OutcomeWindow => {
  const stepMs = windowMs / steps;
  let buckets: { readonly step: number; calls: number; failures: number }[] = [];
  return {
    add(now, failed) {
      const step = Math.floor(now / stepMs);
      let last = buckets.at(-1);
      if (last?.step !== step) {
        last = { step, calls: 0, failures: 0 };
        buckets.push(last);
        buckets = buckets.filter((bucket) => bucket.step > step - steps);
      }
      last.calls += 1;
      if (failed) last.failures += 1;
    },
    count(now) {
      const oldest = Math.floor(now / stepMs) - steps;
      const seen = { calls: 0, failures: 0 };
      for (const bucket of buckets) {
        if (bucket.step <= oldest) continue;
        seen.calls += bucket.calls;
        seen.failures += bucket.failures;
      }
      return seen;
    },
    clear() {
      buckets = [];
    },
  };
};
