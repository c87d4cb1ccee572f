import type { BenchFigures, BenchRun } from '@plugboard/contract';
import { counted, milliseconds } from '../ui/format-text.js';

const rate = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 1 });

/** `20/s, p50 3.1 ms, p99 12 ms`. */
export const figureWords = ({ calls_per_second, p50, p99, failed }: BenchFigures): string =>
  [
    `${rate(calls_per_second)}/s`,
    `p50 ${milliseconds(p50)}`,
    `p99 ${milliseconds(p99)}`,
    ...(failed === 0 ? [] : [`${failed.toLocaleString('en')} failed`]),
  ].join(', ');

/** `echo, 20 calls per second for 10 s, 4 callers`. */
export const loadWords = ({ tool, rate: wanted, seconds, concurrency }: BenchRun): string =>
  [
    ...(tool === undefined ? [] : [tool]),
    `${counted(wanted, 'call')} per second for ${seconds} s`,
    counted(concurrency, 'caller'),
  ].join(', ');
