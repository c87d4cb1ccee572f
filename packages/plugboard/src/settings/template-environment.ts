import { isLoopbackHost } from '@plugboard/base';
import type { ConfigFile } from './config-file.js';
import type { TemplateEnvironment } from './settings.js';
import { commaList } from './comma-list.js';

/** An operator who registers a server can read every variable that templates may use. On public addresses the default is none. */
export const templateEnvironment = (
  environment: string | undefined,
  file: ConfigFile['templateEnvironment'],
  host: string,
): TemplateEnvironment => {
  if (environment !== undefined) return environment === 'all' ? 'all' : commaList(environment);
  return file ?? (isLoopbackHost(host) ? 'all' : []);
};
