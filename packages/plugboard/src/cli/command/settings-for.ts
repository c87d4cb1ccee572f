import type { ProcessContext } from '../../process/process-context.js';
import { type FlagSettings, resolveSettings } from '../../settings/resolve-settings.js';
import type { Settings } from '../../settings/settings.js';

/** What was given on the command line, resolved together with file and environment. */
export const settingsFor = (process: ProcessContext, flags: FlagSettings): Promise<Settings> =>
  resolveSettings({ environment: process.env, cwd: process.cwd, userHome: process.userHome, flags });
