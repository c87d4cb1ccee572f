import type { ProxyFault } from '@plugboard/testing/fault-proxy';
import { pause } from '../connection/deadline.js';
import type { LoadCall } from '../load/call/call-text.js';
import type { Canaries } from '../load/call/canary.js';
import type { Rig } from './rig/rig.js';
import type { Fate } from './rig/subject.js';

/** What was seen of one fault. */
export interface RowObservation {
  /** The call before the fault. */
  readonly before: Fate;
  /** The fault did strike. */
  readonly struck: boolean;
  /** What came of the call that was struck; undefined while it still waits. */
  readonly fate: Fate | undefined;
  /** From the end of the fault to the first call that succeeded; undefined: none did. */
  readonly recoveredMs: number | undefined;
  /** The last failure after the fault. */
  readonly lastFailure: string | undefined;
  /** Calls after the recovery that failed. */
  readonly relapses: readonly string[];
  /** Calls that got the answer of another one. */
  readonly wrong: readonly string[];
  /** How often the struck call reached the server. */
  readonly deliveries: number;
  /** The most that any other call reached it. */
  readonly othersDelivered: number;
}

export interface ObserveOptions {
  readonly rig: Rig;
  readonly call: LoadCall;
  readonly canaries: Canaries;
  readonly budgetMs: number;
  readonly signal: AbortSignal;
}

/** How long a struck call may take until it is left alone. */
const CALL_MS = 20_000;
const STRIKE_MS = 8_000;
/** How long a fault stays armed after it struck. */
const HOLD_MS = 300;
const BETWEEN_MS = 250;
/** How long the struck call is waited for after the recovery. */
const SETTLE_MS = 3_000;
const AFTERWARDS = 3;

/** One call with a canary of its own. */
class MarkedCall {
  readonly canary: string;
  readonly fate: Promise<Fate>;
  settled: Fate | undefined;

  constructor({ rig, call, canaries }: ObserveOptions, deadlineMs: number) {
    this.canary = canaries.next();
    const args = {
      ...call.arguments,
      ...(call.canaryIn === undefined ? {} : { [call.canaryIn]: this.canary }),
    };
    this.fate = rig.caller.call({ tool: call.tool ?? '', arguments: args, deadlineMs }).then((fate) => {
      this.settled = fate;
      return fate;
    });
  }
}

const until = async (holds: () => boolean, ms: number, signal: AbortSignal): Promise<boolean> => {
  const end = performance.now() + ms;
  while (!holds() && performance.now() < end && !signal.aborted) await pause(10, signal);
  return holds();
};

/** Starts calls one after another, without waiting for those that hang, until one succeeds. */
const recover = async (options: ObserveOptions, calls: MarkedCall[]): Promise<number | undefined> => {
  const startedAt = performance.now();
  let recoveredAt: number | undefined;
  const isOver = (): boolean => recoveredAt !== undefined || performance.now() - startedAt > options.budgetMs;
  while (!isOver() && !options.signal.aborted) {
    const call = new MarkedCall(options, options.budgetMs);
    calls.push(call);
    const note = async (): Promise<void> => {
      if ((await call.fate).kind === 'answered') recoveredAt ??= performance.now();
    };
    void note();
    await until(() => isOver() || call.settled?.kind === 'failed', BETWEEN_MS * 4, options.signal);
    if (!isOver()) await pause(BETWEEN_MS, options.signal);
  }
  return recoveredAt === undefined ? undefined : recoveredAt - startedAt;
};

const isWrong = ({ canary, settled }: MarkedCall, { echoes }: LoadCall): boolean =>
  echoes && settled?.kind === 'answered' && !settled.text.includes(canary);

/** Arms a fault, lets it strike one call, takes it away, and watches how calls go on. */
export const observeRow = async (fault: ProxyFault, options: ObserveOptions): Promise<RowObservation> => {
  const { rig, call, signal } = options;
  const first = new MarkedCall(options, CALL_MS);
  const before = await first.fate;
  const strikes = rig.board.strikes.length;
  const countOf = (canary: string): number => (call.canaryIn === undefined ? 1 : rig.board.deliveriesOf(canary));
  const calls: MarkedCall[] = [first];
  if (before.kind === 'failed') return { ...NOTHING_SEEN, before };
  const deliveredBefore = rig.board.deliveriesOf('"tools/call"');
  const isShaping = ['latency', 'bandwidth', 'slicer'].includes(fault.kind);
  await rig.arm([isShaping ? fault : { ...fault, match: 'tools/call', times: 1 }]);
  const struckCall = new MarkedCall(options, CALL_MS);
  const hasStruck = (): boolean => rig.board.strikes.length > strikes;
  await until(() => hasStruck() || struckCall.settled !== undefined, STRIKE_MS, signal);
  const struck = await until(hasStruck, HOLD_MS, signal);
  if (isShaping) await until(() => struckCall.settled !== undefined, CALL_MS, signal);
  else await pause(HOLD_MS, signal);
  await rig.arm([]);
  const recoveredMs = await recover(options, calls);
  const relapses: string[] = [];
  for (let left = recoveredMs === undefined ? 0 : AFTERWARDS; left > 0 && !signal.aborted; left -= 1) {
    const later = new MarkedCall(options, options.budgetMs);
    calls.push(later);
    const fate = await later.fate;
    if (fate.kind === 'failed') relapses.push(fate.why);
  }
  await until(() => struckCall.settled !== undefined, recoveredMs === undefined ? 0 : SETTLE_MS, signal);
  const failures = calls.flatMap(({ settled }) => (settled?.kind === 'failed' ? [settled.why] : []));
  const total = rig.board.deliveriesOf('"tools/call"') - deliveredBefore;
  return {
    before,
    struck,
    fate: struckCall.settled,
    recoveredMs,
    lastFailure: failures.at(-1),
    relapses,
    wrong: [struckCall, ...calls].filter((one) => isWrong(one, call)).map(({ canary }) => canary),
    // A tool without a text argument: only the sum is known.
    deliveries: call.canaryIn === undefined ? 1 + Math.max(0, total - calls.length) : countOf(struckCall.canary),
    othersDelivered: Math.max(0, ...calls.map(({ canary }) => countOf(canary))),
  };
};

const NOTHING_SEEN: RowObservation = {
  before: { kind: 'failed', why: '' },
  struck: false,
  fate: undefined,
  recoveredMs: undefined,
  lastFailure: undefined,
  relapses: [],
  wrong: [],
  deliveries: 0,
  othersDelivered: 0,
};
