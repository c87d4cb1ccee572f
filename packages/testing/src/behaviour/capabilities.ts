import type { Era } from '../definition/era.js';
import type { JsonObject } from '../json-rpc/message.js';
import type { World } from './world.js';

const plainCapabilities = ({ options, offer }: World, era: Era): JsonObject => {
  if (options.capabilities !== undefined) return options.capabilities;
  const hasResources = offer.resources.length + offer.resourceTemplates.length > 0 || options.resources !== undefined;
  return {
    tools: { listChanged: true },
    ...(hasResources ? { resources: { listChanged: true, subscribe: true } } : {}),
    ...(offer.prompts.length > 0 || options.prompts !== undefined ? { prompts: { listChanged: true } } : {}),
    ...(options.completions === undefined ? {} : { completions: {} }),
    ...(era === 'legacy' || offer.tools.some((tool) => tool.name === 'log') ? { logging: {} } : {}),
  };
};

/** What the server says that it can do: derived from what it offers, or as configured. */
export const capabilitiesOf = (world: World, era: Era): JsonObject => {
  const { extensions } = world.options;
  return { ...plainCapabilities(world, era), ...(era === 'legacy' || extensions === undefined ? {} : { extensions }) };
};

export const serverInfoOf = ({ options }: World): JsonObject => ({
  name: options.name ?? 'fake-server',
  version: options.version ?? '1.0.0',
  ...options.serverInfo,
});
