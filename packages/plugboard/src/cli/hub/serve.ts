import { EXIT, type ExitCode } from '@plugboard/contract';
import { runHub } from '../../serve/run-hub.js';
import { settingsFor } from '../command/settings-for.js';
import type { FlagSettings } from '../../settings/resolve-settings.js';
import type { CommandContext } from '../command/command-context.js';

export const run = async ({ process }: CommandContext, flags: FlagSettings): Promise<ExitCode> => {
  await runHub(await settingsFor(process, flags), process, () => settingsFor(process, flags));
  return EXIT.ok;
};
