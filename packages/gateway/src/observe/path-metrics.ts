import { Counter, type Registry } from 'prom-client';
import type { RelayPath } from '../direct/direct-steps.js';

/** Counts which way calls of tools take, and why not the short one. The counts are handed over when somebody reads. */
export const countPaths = (registry: Registry): ((path: RelayPath) => void) => {
  const counts = new Map<RelayPath, number>();
  const counter: Counter<'path' | 'reason'> = new Counter({
    name: 'plugboard_relay_path_total',
    help: 'Calls of tools by the way they took: direct, or ordinary and why.',
    labelNames: ['path', 'reason'],
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [path, count] of counts) {
        counter.inc(path === 'direct' ? { path, reason: '' } : { path: 'ordinary', reason: path }, count);
      }
    },
  });
  return (path) => void counts.set(path, (counts.get(path) ?? 0) + 1);
};
