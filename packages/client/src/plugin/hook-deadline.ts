import { anySignal, deadlineSignal } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import { waitWithSignal } from '../deadline/wait-with-signal.js';

export interface HookDeadline {
  readonly plugin: string;
  /** What it was to do: "start". */
  readonly what: string;
  readonly ms: number;
  readonly parent: AbortSignal;
}

/** Runs one hook of a plug-in within its deadline, also when it ignores its signal. */
export const withinDeadline = async <T>(
  { plugin, what, ms, parent }: HookDeadline,
  hook: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  using deadline = deadlineSignal(ms);
  const signal = anySignal(parent, deadline.signal);
  try {
    return await waitWithSignal(hook(signal), signal, 'ambiguous');
  } catch (thrown) {
    if (!deadline.signal.aborted || parent.aborted) throw thrown;
    throw new PlugboardError('UPSTREAM_TIMEOUT', `The plug-in "${plugin}" did not ${what} within ${ms / 1000} s.`, {
      hint: 'Check what it waits for, or raise its `deadline` in plugboard.json.',
      cause: thrown,
    });
  }
};
