import { type Era, isJsonObject, type JsonObject } from '@plugboard/wire';
import { objectAt } from '../../rpc/members.js';
import type { Scope } from '../../call/scope.js';
import type { ServerFacts } from '../../connection/server-facts.js';
import { LEGACY_TASKS, MODERN_TASKS, offersTasks, runsTasks } from '../../connection/task-support.js';
import type { UpstreamPool } from '../../connection/upstream-pool.js';

type Area = 'prompts' | 'resources' | 'completions' | 'logging';
const AREAS: readonly Area[] = ['prompts', 'resources', 'completions', 'logging'];

/** Tools come from the catalogue, which is always there and tells of changes. */
const TOOLS = { listChanged: true };

/** Capabilities of one server as a client of this era may rely on them through the hub. */
const ofServer = (facts: ServerFacts, era: Era): JsonObject => {
  const { tasks: _tasks, extensions, tools: _tools, ...rest } = facts.capabilities;
  const bridged = era === 'modern' && facts.era === 'legacy' && runsTasks(facts) ? MODERN_TASKS : undefined;
  const shown = facts.era === era ? extensions : bridged;
  return {
    ...rest,
    ...(era === 'legacy' && runsTasks(facts) ? { tasks: LEGACY_TASKS } : {}),
    ...(shown === undefined ? {} : { extensions: shown }),
  };
};

/** Tasks of any server can be followed on an endpoint of several, by clients of either era. */
const mergedTasks = (scope: Scope, upstream: UpstreamPool, era: Era): JsonObject => {
  if (!offersTasks(scope, upstream, era)) return {};
  return era === 'legacy' ? { tasks: LEGACY_TASKS } : { extensions: MODERN_TASKS };
};

const merged = (all: readonly ServerFacts[]): JsonObject => {
  const found: Record<string, JsonObject> = {};
  for (const area of AREAS) {
    const declared = all.filter(({ capabilities }) => isJsonObject(capabilities[area]));
    if (declared.length === 0) continue;
    const has = (flag: string): boolean =>
      declared.some(({ capabilities }) => objectAt(capabilities, area)[flag] === true);
    found[area] = {
      ...(area === 'prompts' || area === 'resources' ? { listChanged: true } : {}),
      ...(has('subscribe') ? { subscribe: true } : {}),
    };
  }
  return found;
};

const knownFacts = (scope: Scope, upstream: UpstreamPool, era: Era): readonly ServerFacts[] =>
  scope.servers().flatMap((server) => upstream.facts(server.id, era) ?? []);

/** What an endpoint offers to a client of this era, as far as its servers are known. */
export const capabilitiesOf = (scope: Scope, upstream: UpstreamPool, era: Era): JsonObject => {
  const tasks = mergedTasks(scope, upstream, era);
  if (scope.offers === 'tools') return { tools: TOOLS, ...tasks };
  const all = knownFacts(scope, upstream, era);
  if (scope.kind === 'merged') return { tools: TOOLS, ...merged(all), ...tasks };
  const [facts] = all;
  if (facts === undefined) return { tools: TOOLS };
  const hasTools = scope.tools().length > 0 || facts.capabilities['tools'] !== undefined;
  return { ...(hasTools ? { tools: TOOLS } : {}), ...ofServer(facts, era) };
};

/** Does any server of the endpoint offer this? */
export const offers = (scope: Scope, upstream: UpstreamPool, area: Area, era: Era): boolean =>
  scope.offers === 'everything' &&
  knownFacts(scope, upstream, era).some(({ capabilities }) => isJsonObject(capabilities[area]));
