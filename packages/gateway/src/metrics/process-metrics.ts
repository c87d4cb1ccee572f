import { performance } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';

/** What the process uses at this moment. */
export interface ProcessUsage {
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly cpuSeconds: number;
}

/** What the process uses, looked up when somebody reads it: nothing keeps running in between. */
export const addProcessMetrics = (registry: Registry, usage: () => ProcessUsage): void => {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): void => {
    const made: Gauge = new Gauge({ name, help, registers, collect: () => made.set(read()) });
  };
  gauge('process_resident_memory_bytes', 'Memory of the process.', () => usage().residentBytes);
  gauge('nodejs_heap_used_bytes', 'Memory that JavaScript objects use.', () => usage().heapBytes);
  gauge('process_start_time_seconds', 'When the process started, since 1970.', () => performance.timeOrigin / 1000);
  let before = performance.eventLoopUtilization();
  gauge('nodejs_eventloop_utilization', 'Share of time that the event loop was busy since the last look.', () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  });
  const cpu: Counter = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process.',
    registers,
    collect: () => {
      cpu.reset();
      cpu.inc(usage().cpuSeconds);
    },
  });
};
