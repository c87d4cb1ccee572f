import { isLoopbackHost } from '@plugboard/base';
import type { ConfigFile } from './config-file.js';
import type { StdioPolicy, TemplateEnvironment } from './settings.js';
import type { UrlPolicy } from '@plugboard/client';

/** What stands between the commas of a list. */
const commaList = (list: string): readonly string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** An operator who registers a server can read every variable that templates may use. On public addresses the default is none. */
export const templateEnvironment = (
  environment: string | undefined,
  file: ConfigFile['templateEnvironment'],
  host: string,
): TemplateEnvironment => {
  if (environment !== undefined) return environment === 'all' ? 'all' : commaList(environment);
  return file ?? (isLoopbackHost(host) ? 'all' : []);
};

/** `deny-private`, `allow-all`, or hosts separated by commas. Users of this machine may use what runs on it. */
export const urlPolicy = (environment: string | undefined, file: ConfigFile['urls'], host: string): UrlPolicy => {
  const chosen = environment ?? file ?? 'deny-private';
  if (chosen === 'allow-all') return { mode: 'allow-all' };
  if (chosen === 'deny-private') return { mode: 'deny-private', loopback: isLoopbackHost(host) ? 'allow' : 'deny' };
  return { mode: 'allow-list', hosts: typeof chosen === 'string' ? commaList(chosen) : chosen.allow };
};

/** `on`, `off`, or commands separated by commas. Programs are only started for anyone who is on this machine anyway. */
export const stdioPolicy = (environment: string | undefined, file: ConfigFile['stdio'], host: string): StdioPolicy => {
  if (environment === 'on' || environment === 'off') return { mode: environment };
  if (environment !== undefined) return { mode: 'allow-list', commands: commaList(environment) };
  if (file === 'on' || file === 'off') return { mode: file };
  if (file !== undefined) return { mode: 'allow-list', commands: file.allow };
  return { mode: isLoopbackHost(host) ? 'on' : 'off' };
};
