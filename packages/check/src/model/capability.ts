import { at, type JsonObject } from '../connection/json.js';

/** What a server must declare for a check to apply; with a dot for a flag inside. */
export type Capability =
  | 'tools'
  | 'tools.listChanged'
  | 'resources'
  | 'resources.subscribe'
  | 'resources.listChanged'
  | 'prompts'
  | 'prompts.listChanged'
  | 'completions'
  | 'logging'
  | 'tasks'
  | 'extensions';

export const declares = (capabilities: JsonObject, capability: Capability): boolean => {
  const value = at(capabilities, ...capability.split('.'));
  return value !== undefined && value !== false && value !== null;
};
