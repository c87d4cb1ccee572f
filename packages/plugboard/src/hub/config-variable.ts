import type { VariableLookup } from '@plugboard/client';
import type { Settings } from '../settings/settings.js';

/** Our own settings hold secrets of the hub; no server's config may name them. */
export const variableOf =
  (environment: Settings['environment']): VariableLookup =>
  (name) =>
    name.startsWith('PLUGBOARD_') || !Object.hasOwn(environment, name) ? undefined : environment[name];
