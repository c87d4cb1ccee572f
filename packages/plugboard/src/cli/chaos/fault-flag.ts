import type { ProxyFault } from '@plugboard/testing/fault-proxy';
import { refuse } from '../command/invalid-argument.js';
import { didYouMean } from '../../terminal/did-you-mean.js';

/** The numbers that each kind of fault takes, with what they are when left out. */
const NUMBERS: Readonly<Record<ProxyFault['kind'], Readonly<Record<string, number>>>> = {
  latency: { ms: 200, jitterMs: 50 },
  bandwidth: { bytesPerSecond: 10_000 },
  slicer: { bytes: 8, everyMs: 1 },
  reset: {},
  'half-close': {},
  blackhole: {},
  status: { status: 503 },
  'forget-session': {},
  truncate: {},
  garbage: {},
  surplus: {},
  'drop-stream': {},
  'drop-listeners': {},
  'duplicate-events': {},
  'reorder-events': {},
  'garbage-line': {},
  split: { bytes: 8, everyMs: 1 },
  stall: { ms: 1_000 },
  kill: {},
  stop: { ms: 1_000 },
  'wrong-id': {},
  'duplicate-response': {},
  'late-response': { ms: 2_000 },
};

export const FAULT_KINDS = Object.keys(NUMBERS) as readonly ProxyFault['kind'][];

const COMMON = new Set(['times', 'probability', 'retryAfter']);

const isKind = (text: string): text is ProxyFault['kind'] => Object.hasOwn(NUMBERS, text);

const numberOf = (name: string, text: string): number => {
  const value = Number(text);
  return text !== '' && Number.isFinite(value) && value >= 0
    ? value
    : refuse(`${name} needs a number, but got "${text}".`, 'For example latency:ms=200.');
};

/** One setting, as the fault has it. */
const settingOf = (kind: ProxyFault['kind'], name: string, value: string): Record<string, unknown> => {
  const own = NUMBERS[kind];
  if (name === 'phase' && (value === 'request' || value === 'response')) return { phase: value };
  if (name === 'match') return { match: value };
  if (name === 'retryAfter') return { headers: { 'retry-after': String(numberOf(name, value)) } };
  if (Object.hasOwn(own, name) || COMMON.has(name)) return { [name]: numberOf(name, value) };
  const known = [...Object.keys(own), 'phase', 'match', ...COMMON].join(', ');
  return refuse(`The fault ${kind} has no setting "${name}".`, `It has: ${known}.`);
};

/** `kind`, or `kind:name=value,name=value`. */
export const parseFault = (text: string): ProxyFault => {
  const [kind = '', rest = ''] = text.split(/:(.*)/su);
  if (!isKind(kind)) {
    return refuse(`"${kind}" is not a fault.`, didYouMean(kind, FAULT_KINDS, `Known: ${FAULT_KINDS.join(', ')}.`));
  }
  const fault: Record<string, unknown> = { kind, ...NUMBERS[kind] };
  for (const pair of rest.split(',').filter(Boolean)) {
    const [name = '', value = ''] = pair.split('=');
    Object.assign(fault, settingOf(kind, name, value));
  }
  return fault as unknown as ProxyFault;
};
