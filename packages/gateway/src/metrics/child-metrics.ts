import type { ProcessLoad } from '@plugboard/contract';
import { Counter, Gauge, type Registry } from 'prom-client';

/** How many processes of servers run, how many may, and who waits for one. */
export const addChildMetrics = (registry: Registry, load: () => ProcessLoad): void => {
  const registers = [registry];
  const gauge = (name: string, help: string, read: (now: ProcessLoad) => number): void => {
    const made: Gauge = new Gauge({ name, help, registers, collect: () => made.set(read(load())) });
  };
  gauge('plugboard_children', 'Child processes of servers.', ({ running }) => running);
  gauge('plugboard_children_max', 'How many child processes there may be at once.', ({ max }) => max);
  gauge('plugboard_children_waiting', 'Starts of child processes that wait for a place.', ({ waiting }) => waiting);
  const evicted: Counter = new Counter({
    name: 'plugboard_children_evicted_total',
    help: 'Idle child processes that were stopped to make room for others.',
    registers,
    collect: () => {
      evicted.reset();
      evicted.inc(load().evicted);
    },
  });
};
