import type { AuditEntry } from '@plugboard/contract';
import { isJson, type Json } from '../api/json.js';

/** A bar that can still be seen. */
const NARROWEST = 0.004;

/** How the hub writes a value that it does not keep. */
const KIND = /^(?:null|boolean|number|array of \d+|text of \d+ characters|object of \d+)$/u;

/** The arguments of a call as the trail has them: values, or only what kind they were. */
export type RecordedArguments =
  | { readonly kept: true; readonly args: Json }
  | { readonly kept: false; readonly kinds: Readonly<Record<string, string>> };

export const argumentsOf = ({ details }: Pick<AuditEntry, 'details'>): RecordedArguments => {
  const args = isJson(details['arguments']) ? details['arguments'] : {};
  const values = Object.values(args);
  const redacted = values.length > 0 && values.every((value) => typeof value === 'string' && KIND.test(value));
  return redacted ? { kept: false, kinds: args as Readonly<Record<string, string>> } : { kept: true, args };
};

/** The result of a call, where the hub keeps results. */
export const resultOf = ({
  details,
}: Pick<AuditEntry, 'details'>): { readonly value: unknown; readonly cut: boolean } | undefined => {
  const kept = details['result'];
  return isJson(kept) && 'value' in kept ? { value: kept['value'], cut: kept['cut'] === true } : undefined;
};

/** The server and the tool that were called; undefined for what is no call of a tool. */
export const toolOf = ({
  target,
  action,
}: Pick<AuditEntry, 'target' | 'action'>): { readonly server: string; readonly tool: string } | undefined => {
  const at = target.indexOf('/');
  return action === 'tools/call' && at > 0 ? { server: target.slice(0, at), tool: target.slice(at + 1) } : undefined;
};

/** Parts of a call in their order, in words. */
const PHASES: readonly (readonly [string, string])[] = [
  ['prepare', 'Find the server, check limits'],
  ['connect', 'Get a connection'],
  ['queue', 'Wait for a free place, earlier attempts'],
  ['server', 'Server answers'],
  ['relay', 'Pass the answer on'],
];

export interface PhaseBar extends Bar {
  readonly phase: string;
  readonly words: string;
  readonly ms: number;
}

/** The phases of a call as a waterfall; none when the hub measured only the total. */
export const phaseBars = ({ details }: Pick<AuditEntry, 'details'>): readonly PhaseBar[] => {
  const measured = isJson(details['phases_ms']) ? details['phases_ms'] : {};
  const phases = PHASES.flatMap(([phase, words]) => {
    const ms = measured[phase];
    return typeof ms === 'number' && ms >= 0 ? [{ phase, words, ms }] : [];
  });
  const total = phases.reduce((sum, { ms }) => sum + ms, 0);
  if (total === 0) return [];
  let before = 0;
  return phases.map((one) => {
    const start = Math.min(before / total, 1 - NARROWEST);
    before += one.ms;
    return { ...one, start, width: Math.max(NARROWEST, one.ms / total) };
  });
};

export interface Bar {
  /** Parts of the whole width, from 0 to 1. */
  readonly start: number;
  readonly width: number;
}

/** Where a call stands in a window of time; undefined when it was over before. The trail has the end of a call. */
export const barOf = (
  { at, duration_ms }: Pick<AuditEntry, 'at' | 'duration_ms'>,
  window: { readonly from: number; readonly to: number },
): Bar | undefined => {
  const length = window.to - window.from;
  const end = Date.parse(at);
  if (Number.isNaN(end) || length <= 0 || end < window.from) return undefined;
  const start = Math.max(0, (end - duration_ms - window.from) / length);
  const width = Math.min(1, (end - window.from) / length) - start;
  return { start: Math.min(start, 1 - NARROWEST), width: Math.max(NARROWEST, width) };
};
