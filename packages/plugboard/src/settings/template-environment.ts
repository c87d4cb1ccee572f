import { isLoopbackHost } from '@plugboard/base';
import type { ConfigFile } from './config-file.js';
import type { TemplateEnvironment } from './settings.js';
import { commaList } from './comma-list.js';

/** Whoever may register a server could read what templates may name, so beyond loopback nothing is named by default. */
export const templateEnvironment = (
  environment: string | undefined,
  file: ConfigFile['templateEnvironment'],
  host: string,
): TemplateEnvironment => {
  if (environment !== undefined) return environment === 'all' ? 'all' : commaList(environment);
  return file ?? (isLoopbackHost(host) ? 'all' : []);
};
