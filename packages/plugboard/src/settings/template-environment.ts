import type { ConfigFile } from './config-file.js';
import { isLoopback, type TemplateEnvironment } from './settings.js';
import { words } from './words.js';

/** Whoever may register a server could read what templates may name, so beyond loopback nothing is named by default. */
export const templateEnvironment = (
  environment: string | undefined,
  file: ConfigFile['templateEnvironment'],
  host: string,
): TemplateEnvironment => {
  if (environment !== undefined) return environment === 'all' ? 'all' : words(environment);
  return file ?? (isLoopback(host) ? 'all' : []);
};
