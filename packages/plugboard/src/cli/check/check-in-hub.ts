import type { CheckReport, CheckRunEvent, CheckTarget } from '@plugboard/contract';
import { checkClient } from '../../hub-api/client/check-client.js';
import type { CheckProgress, ProgressEvent } from './check-progress.js';
import type { CommandContext } from '../command/command-context.js';

const progressOf = (event: CheckRunEvent): readonly ProgressEvent[] => {
  switch (event.event) {
    case 'check_run_reached':
      return [{ type: 'reached', planned: event.planned }];
    case 'check_judged':
      return [{ type: 'judged', done: event.done, result: { id: event.id, verdict: event.verdict } }];
    case 'check_run_queued':
    case 'check_run_started':
    case 'check_run_finished':
      return [];
    default:
      return event satisfies never;
  }
};

export interface HubCheckOptions {
  readonly onEvent: CheckProgress['onEvent'];
  readonly keep: boolean;
}

/** Lets the hub examine a server that is registered with it: it has the credentials, and they stay there. */
export const checkInHub = async (
  { hub, process }: Pick<CommandContext, 'hub' | 'process'>,
  target: CheckTarget,
  { onEvent, keep }: HubCheckOptions,
): Promise<CheckReport> => {
  const client = checkClient((await hub()).api);
  const id = await client.start(target);
  try {
    await client.follow(id, target, (event) => {
      for (const progress of progressOf(event)) onEvent(progress);
    });
  } catch (thrown) {
    await client.cancel(id).catch(() => undefined);
    throw thrown;
  }
  process.signal.throwIfAborted();
  const report = await client.report(id);
  if (!keep) await client.forget(id);
  return report;
};
