import { isLoopbackHost } from '@plugboard/base';
import type { ConfigFile } from './config-file.js';
import type { StdioPolicy } from './settings.js';
import { commaList } from './comma-list.js';

/** `on`, `off`, or commands separated by commas. Programs are only started for anyone who is on this machine anyway. */
export const stdioPolicy = (environment: string | undefined, file: ConfigFile['stdio'], host: string): StdioPolicy => {
  if (environment === 'on' || environment === 'off') return { mode: environment };
  if (environment !== undefined) return { mode: 'allow-list', commands: commaList(environment) };
  if (file === 'on' || file === 'off') return { mode: file };
  if (file !== undefined) return { mode: 'allow-list', commands: file.allow };
  return { mode: isLoopbackHost(host) ? 'on' : 'off' };
};
