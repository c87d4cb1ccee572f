import { EXIT, type ExitCode } from '@plugboard/contract';
import { runHub } from '../../serve/run-hub.js';
import { workerCount } from '../../serve/worker-count.js';
import { settingsFor } from '../command/settings-for.js';
import type { FlagSettings } from '../../settings/resolve-settings.js';
import type { CommandContext } from '../command/command-context.js';

export interface ServeInput extends FlagSettings {
  /** A number, or `auto`. */
  readonly workers?: string | undefined;
}

export const run = async ({ process }: CommandContext, { workers, ...flags }: ServeInput): Promise<ExitCode> => {
  const count = workers === undefined ? 1 : workerCount(workers);
  const settings = await settingsFor(process, flags);
  const reload = () => settingsFor(process, flags);
  if (count === 1) {
    await runHub(settings, process, reload);
    return EXIT.ok;
  }
  const { isWorker, runWorkers, workerPlace } = await import('../../serve/run-workers.js');
  if (!isWorker()) return runWorkers(count, settings, process);
  await runHub(settings, process, reload, await workerPlace());
  return EXIT.ok;
};
