import type { VariableLookup } from '@plugboard/client';
import type { ConnectConfig, KeptAgent, Secret } from '@plugboard/contract';
import type { Settings, TemplateEnvironment } from '../../settings/settings.js';

export interface VariableSources {
  readonly agent?: KeptAgent | undefined;
  /** The config whose references are filled in: it may bring variables of its own. */
  readonly config?: Pick<ConnectConfig, 'variables'> | undefined;
}

const mayName = (allowed: TemplateEnvironment, name: string): boolean =>
  allowed === 'all' ||
  allowed.some((entry) => (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry));

const ownMember = <Value>(
  values: Readonly<Record<string, Value>> | null | undefined,
  name: string,
): Value | undefined =>
  values !== null && values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;

/**
 * Variables of the agent first, then those of the server, then those of the hub's environment that may be named; never
 * the hub's own settings.
 */
export const variableOf = (
  { environment, templateEnvironment }: Pick<Settings, 'environment' | 'templateEnvironment'>,
  { agent, config }: VariableSources = {},
): VariableLookup => {
  const inherited = (name: string): string | undefined =>
    name.startsWith('PLUGBOARD_') || !mayName(templateEnvironment, name) ? undefined : ownMember(environment, name);
  return (name): Secret | string | undefined =>
    ownMember(agent?.variables, name) ?? ownMember(config?.variables, name) ?? inherited(name);
};
