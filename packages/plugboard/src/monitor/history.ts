import { callFigures } from '@plugboard/check';
import type { MonitorBucket, MonitorSample } from '@plugboard/contract';

const MINUTE_MS = 60_000;

/** Samples in buckets of equal width, by method and tool; oldest first. */
export const bucketsOf = (samples: readonly MonitorSample[], bucketMinutes: number): readonly MonitorBucket[] => {
  const width = bucketMinutes * MINUTE_MS;
  const groups = new Map<string, { readonly from: number; readonly samples: MonitorSample[] }>();
  for (const sample of samples) {
    const from = Math.floor(Date.parse(sample.at) / width) * width;
    const key = `${from} ${sample.method} ${sample.tool ?? ''}`;
    const group = groups.get(key) ?? { from, samples: [] };
    group.samples.push(sample);
    groups.set(key, group);
  }
  return [...groups.values()]
    .toSorted((one, two) => one.from - two.from)
    .map(({ from, samples: own }) => {
      const [first] = own;
      return {
        from: new Date(from).toISOString(),
        method: first?.method ?? '',
        ...(first?.tool === null || first?.tool === undefined ? {} : { tool: first.tool }),
        ...callFigures(
          own.map(({ duration_ms, ok, code }) => ({
            durationMs: duration_ms,
            error: ok ? undefined : (code ?? 'INTERNAL'),
          })),
        ),
      };
    });
};
