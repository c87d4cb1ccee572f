import { PlugboardError } from '@plugboard/contract';
import { deadlineSignal } from '../deadline/deadline-signal.js';
import { waitWithSignal } from '../deadline/wait-with-signal.js';

export interface HookDeadline {
  readonly plugin: string;
  /** What it was to do: "start". */
  readonly what: string;
  readonly ms: number;
  readonly parent: AbortSignal;
}

/** One hook of a plug-in, which may ignore its signal: nobody waits longer than this. */
export const withinDeadline = async <T>(
  { plugin, what, ms, parent }: HookDeadline,
  hook: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  using deadline = deadlineSignal(ms);
  const signal = AbortSignal.any([parent, deadline.signal]);
  try {
    return await waitWithSignal(hook(signal), signal, 'ambiguous');
  } catch (thrown) {
    if (!deadline.signal.aborted || parent.aborted) throw thrown;
    throw new PlugboardError('UPSTREAM_TIMEOUT', `The plug-in "${plugin}" did not ${what} within ${ms / 1000} s.`, {
      hint: 'Look at what it waits for, or give it a longer `deadline` in plugboard.json.',
      cause: thrown,
    });
  }
};
