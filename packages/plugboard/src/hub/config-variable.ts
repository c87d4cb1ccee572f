import type { VariableLookup } from '@plugboard/client';
import type { Agent } from '@plugboard/contract';
import type { Settings, TemplateEnvironment } from '../settings/settings.js';

const mayName = (allowed: TemplateEnvironment, name: string): boolean =>
  allowed === 'all' ||
  allowed.some((entry) => (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry));

/** Variables of the agent first, then those of the hub's environment that may be named; never the hub's own settings. */
export const variableOf =
  (
    { environment, templateEnvironment }: Pick<Settings, 'environment' | 'templateEnvironment'>,
    agent?: Agent,
  ): VariableLookup =>
  (name) => {
    if (agent !== undefined && Object.hasOwn(agent.variables, name)) return agent.variables[name];
    if (name.startsWith('PLUGBOARD_') || !mayName(templateEnvironment, name)) return undefined;
    return Object.hasOwn(environment, name) ? environment[name] : undefined;
  };
