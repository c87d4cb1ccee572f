import type { SoakProgress } from '@plugboard/check';

/** One line: how far it is, and what is known so far. */
export const progressText = ({ sample, findings, elapsedMs, totalMs }: SoakProgress): string => {
  const left = Math.max(0, Math.ceil((totalMs - elapsedMs) / 1_000));
  const memory =
    sample.rss === undefined ? '' : `, ${(sample.rss / 1_048_576).toFixed(0)} MiB, ${sample.handles} handles`;
  const verdicts = findings.map(({ metric, verdict }) => `${metric} ${verdict}`).join(', ');
  return `${sample.calls} calls, ${sample.failed} failed, ${sample.latency.toFixed(1)} ms${memory}, at most ${left} s left${verdicts === '' ? '' : `: ${verdicts}`}`;
};
