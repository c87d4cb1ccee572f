import { pause } from '../../connection/deadline.js';
import type { Caller } from './caller.js';
import type { LoopLimits } from './closed-loop.js';
import type { Recorded, Tally } from './tally.js';

const TICK_MS = 1;
/** More calls than this do not wait for a caller. */
const MAX_WAITING = 100_000;

export interface ArrivalRate extends LoopLimits {
  /** Calls per second. */
  readonly rate: number;
  /** How long calls that are due may still take after the last one. */
  readonly drainMs: number;
}

/** Calls are due at a fixed rate, whatever the server does; one that finds no free caller waits, and its wait counts. */
export const openLoop = async (
  callers: readonly Caller[],
  tally: Tally,
  { rate, ms, signal, drainMs }: ArrivalRate,
): Promise<void> => {
  const startedAt = performance.now();
  const total = Math.max(1, Math.floor((ms / 1_000) * rate));
  const idle = [...callers];
  const waiting: number[] = [];
  let next = 0;
  let due = 0;
  let isOver = false;
  const busy = new Map<Caller, Pick<Recorded, 'dueAt' | 'sentAt'>>();
  const serve = async (caller: Caller, first: number): Promise<void> => {
    for (let dueAt: number | undefined = first; dueAt !== undefined; dueAt = takeWaiting()) {
      busy.set(caller, { dueAt, sentAt: performance.now() });
      const recorded = await caller.call(dueAt);
      if (isOver) return;
      tally.record(recorded);
    }
    busy.delete(caller);
    idle.push(caller);
  };
  const takeWaiting = (): number | undefined => {
    if (signal.aborted || next >= waiting.length) return undefined;
    next += 1;
    return waiting[next - 1];
  };
  const arrive = (dueAt: number): void => {
    const caller = idle.pop();
    if (caller !== undefined) void serve(caller, dueAt);
    else if (waiting.length - next < MAX_WAITING) waiting.push(dueAt);
    else tally.record({ dueAt, sentAt: dueAt, doneAt: performance.now(), error: 'not sent' });
  };
  while (due < total && !signal.aborted) {
    const elapsed = performance.now() - startedAt;
    for (; due < total && (due / rate) * 1_000 <= elapsed; due += 1) arrive(startedAt + (due / rate) * 1_000);
    await pause(TICK_MS, signal);
  }
  const until = performance.now() + drainMs;
  while (busy.size > 0 && performance.now() < until && !signal.aborted) await pause(TICK_MS, signal);
  const now = performance.now();
  for (const dueAt of waiting.slice(next)) tally.record({ dueAt, sentAt: dueAt, doneAt: now, error: 'not sent' });
  next = waiting.length;
  isOver = true;
  if (signal.aborted) return;
  for (const open of busy.values()) tally.record({ ...open, doneAt: now, error: 'not answered' });
};
