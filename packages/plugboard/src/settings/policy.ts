import type { ConfigFile } from './config-file.js';
import { isLoopback, type StdioPolicy, type UrlPolicy } from './settings.js';

const words = (list: string): readonly string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** `on`, `off`, or commands separated by commas. Programs are only started for anyone who is on this machine anyway. */
export const stdioPolicy = (environment: string | undefined, file: ConfigFile['stdio'], host: string): StdioPolicy => {
  if (environment === 'on' || environment === 'off') return { mode: environment };
  if (environment !== undefined) return { mode: 'allow-list', commands: words(environment) };
  if (file === 'on' || file === 'off') return { mode: file };
  if (file !== undefined) return { mode: 'allow-list', commands: file.allow };
  return { mode: isLoopback(host) ? 'on' : 'off' };
};

/** `deny-private`, `allow-all`, or host names separated by commas. */
export const urlPolicy = (environment: string | undefined, file: ConfigFile['urls'], host: string): UrlPolicy => {
  const chosen = environment ?? file ?? 'deny-private';
  if (chosen === 'allow-all') return { mode: 'allow-all' };
  if (chosen === 'deny-private') return { mode: 'deny-private', loopback: isLoopback(host) ? 'allow' : 'deny' };
  return { mode: 'allow-list', hosts: typeof chosen === 'string' ? words(chosen) : chosen.allow };
};
