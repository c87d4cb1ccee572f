import { type Era, isJsonObject, type JsonObject } from '@plugboard/wire';
import { objectAt } from '../rpc/members.js';
import type { OfferedTool } from '../call/offered-tool.js';
import type { Scope } from '../call/scope.js';
import type { ServerFacts } from './server-facts.js';
import type { UpstreamPool } from './upstream-pool.js';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** What the hub itself does with tasks for legacy clients, whatever the era of the server behind it. */
export const LEGACY_TASKS: JsonObject = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
export const MODERN_TASKS: JsonObject = { [TASKS_EXTENSION]: {} };

const hasExtension = (capabilities: JsonObject): boolean =>
  isJsonObject(objectAt(capabilities, 'extensions')[TASKS_EXTENSION]);

/** Can calls of this server's tools become tasks? */
export const runsTasks = ({ era, capabilities }: Pick<ServerFacts, 'era' | 'capabilities'>): boolean =>
  era === 'modern'
    ? hasExtension(capabilities)
    : isJsonObject(objectAt(objectAt(objectAt(capabilities, 'tasks'), 'requests'), 'tools')['call']);

/** Does any server of the endpoint, as far as it is known, run tasks for clients of this era? */
export const offersTasks = (scope: Scope, upstream: UpstreamPool, era: Era): boolean =>
  scope.servers().some(({ id }) => {
    const facts = upstream.facts(id, era);
    return facts !== undefined && runsTasks(facts);
  });

/** Did a modern client say with its request that it takes tasks? */
export const takesTasks = hasExtension;

export type TaskSupport = 'required' | 'optional' | 'forbidden';

/** What a legacy server says of one of its tools. */
export const taskSupportOf = (tool: OfferedTool | undefined): TaskSupport => {
  if (tool?.kind !== 'server') return 'forbidden';
  const { execution } = tool.upstreamDefinition as JsonObject;
  const support = isJsonObject(execution) ? execution['taskSupport'] : undefined;
  return support === 'required' || support === 'optional' ? support : 'forbidden';
};
