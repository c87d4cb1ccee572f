import { setTimeout as delay } from 'node:timers/promises';
import { settledWithin } from '@plugboard/base';
import { isGroupAlive, signalGroup } from './process-group.js';

/** How long each step of the ladder may take before the next one. */
export interface StopGrace {
  /** After stdin was closed. */
  readonly stdinMs: number;
  /** After SIGTERM. */
  readonly termMs: number;
  /** After SIGKILL; only a process that the kernel cannot end outlives this. */
  readonly killMs: number;
}

export const defaultStopGrace: StopGrace = { stdinMs: 1_000, termMs: 2_000, killMs: 2_000 };

const pollMs = 20;

/** Waits until the leader and every other member of its group are gone. */
const groupGone = async (groupId: number, leaderGone: Promise<unknown>, ms: number): Promise<boolean> => {
  const deadline = performance.now() + ms;
  if (!(await settledWithin(ms, leaderGone))) return false;
  while (await isGroupAlive(groupId)) {
    if (performance.now() >= deadline) return false;
    await delay(pollMs);
  }
  return true;
};

/** Ends a group whose stdin was just closed, one step harder each time. */
export const endGroup = async (groupId: number, leaderGone: Promise<unknown>, grace: StopGrace): Promise<void> => {
  if (await groupGone(groupId, leaderGone, grace.stdinMs)) return;
  signalGroup(groupId, 'SIGTERM');
  if (await groupGone(groupId, leaderGone, grace.termMs)) return;
  signalGroup(groupId, 'SIGKILL');
  await groupGone(groupId, leaderGone, grace.killMs);
};
