import { Counter, type Registry } from 'prom-client';
import type { RelayPath } from '../call/relay-path.js';

/** Counts calls of tools by the path they take. The counts are handed over when the metrics are read. */
export const countPaths = (registry: Registry): ((path: RelayPath) => void) => {
  const counts = new Map<RelayPath, number>();
  const counter: Counter<'path' | 'reason'> = new Counter({
    name: 'plugboard_relay_path_total',
    help: 'Calls of tools by path: fast, or full and why.',
    labelNames: ['path', 'reason'],
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [path, count] of counts) {
        counter.inc(path === 'fast' ? { path, reason: '' } : { path: 'full', reason: path }, count);
      }
    },
  });
  return (path) => void counts.set(path, (counts.get(path) ?? 0) + 1);
};
