import type { BenchReport } from '@plugboard/contract';
import { isJson, type Json } from '../api/json.js';

export const MAX_FILE_BYTES = 20 * 1024 * 1024;

export type ReadReport = { readonly report: BenchReport } | { readonly problem: string };

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const hasNumbers = (value: unknown, names: readonly string[]): boolean =>
  isJson(value) && names.every((name) => isNumber(value[name]));
const isListOf = (value: unknown, fits: (entry: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(fits);

const isPhase = (phase: unknown): boolean =>
  hasNumbers(phase, ['concurrency', 'seconds', 'calls', 'failed', 'callsPerSecond']) &&
  isJson(phase) &&
  isText(phase['name']) &&
  hasNumbers(phase['latency'], ['p50', 'p95', 'p99', 'max']) &&
  hasNumbers(phase['uncorrected'], ['p50', 'p95', 'p99', 'max']) &&
  isJson(phase['errors']) &&
  isListOf(phase['slices'], (slice) => hasNumbers(slice, ['at', 'calls', 'failed', 'p50', 'p95', 'p99']));

const isScenario = (scenario: unknown): boolean =>
  isJson(scenario) &&
  isText(scenario['scenario']) &&
  isText(scenario['summary']) &&
  isListOf(scenario['phases'], isPhase) &&
  (scenario['curve'] === undefined ||
    isListOf(
      scenario['curve'],
      (point) => hasNumbers(point, ['x', 'failed']) && isJson(point) && hasNumbers(point['latency'], ['p50', 'p99']),
    ));

const isReport = (value: Json): boolean =>
  isJson(value['target']) &&
  isText(value['target']['label']) &&
  isText(value['startedAt']) &&
  isNumber(value['durationMs']) &&
  isText(value['outcome']) &&
  isListOf(value['scenarios'], isScenario) &&
  isListOf(value['violations'], (one) => isJson(one) && isText(one['kind']) && isText(one['example'])) &&
  isListOf(value['thresholds'], (one) => isJson(one) && isText(one['metric']) && isText(one['expression']));

/** Reads a report that somebody opens. It may be any file: what the page shows is checked first. */
export const readReport = (text: string): ReadReport => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'The file is not JSON. Write the report with a name that ends in .json.' };
  }
  if (!isJson(value) || value['format'] !== 'plugboard.bench/1') {
    return { problem: 'The file is not a load report of this program.' };
  }
  return isReport(value)
    ? { report: value as unknown as BenchReport }
    : { problem: 'The report is not complete, or another version of Plugboard wrote it.' };
};
