import { PlugboardError, type Server } from '@plugboard/contract';
import { discoverResult, GREETING_MS, type GreetingParts, serverInfoOf } from '../../offer/greeting/greeting.js';
import type { FirstLists } from '../../offer/aggregate/first-lists.js';
import type { ServerLearning } from '../../offer/greeting/learn-servers.js';
import type { ToolList } from '../../offer/aggregate/tool-list.js';
import type { McpCall } from '../../call/mcp-call.js';
import type { CallStep, NextStep } from '../../call/step.js';
import { listen, type ListenParts } from '../../offer/changes/listen.js';
import { setLogLevel } from './set-log-level.js';
import type { ResourceSubscriptions } from '../../offer/changes/resource-subscriptions.js';
import { methodNotFound, invalidParams } from '../../rpc/rpc-refusal.js';
import { type MergedParts, routeMerged } from './merged-routes.js';
import type { Route } from '../../call/route.js';
import { routeTask } from '../../forward/tasks/route-task.js';
import type { TaskParts } from '../../forward/tasks/task-request.js';
import { isJsonObject, LATEST_LEGACY, LATEST_MODERN, revisionOf } from '@plugboard/wire';

const modern = revisionOf(LATEST_MODERN).methods.clientRequests;

/** The tasks extension has these two names in common with the tasks of 2025-11-25. */
const SHARED_NAMES: ReadonlySet<string> = new Set(['tasks/get', 'tasks/cancel']);

const LEGACY_ONLY: ReadonlySet<string> = new Set(
  [...revisionOf(LATEST_LEGACY).methods.clientRequests].filter(
    (method) => !modern.has(method) && !SHARED_NAMES.has(method),
  ),
);

/** Methods that the modern era took away. */
const isLegacyOnly = (method: string): boolean => LEGACY_ONLY.has(method);

const isTaskMethod = (method: string): boolean => method.startsWith('tasks/');

/** tools/call, by the name that the endpoint uses. */
const routeToolCall = (call: McpCall): Route => {
  const { name, arguments: args } = call.params;
  if (typeof name !== 'string') throw invalidParams('tools/call needs "name", a string.');
  if (args !== undefined && !isJsonObject(args)) throw invalidParams('"arguments" of tools/call must be an object.');
  const tool = call.scope.findTool(name);
  if (tool.kind === 'local') return { kind: 'local-tool', tool, run: () => tool.run(args ?? {}, call) };
  const upstreamName = tool.tool.upstream_name;
  const mapped = tool.mapArguments === undefined ? args : tool.mapArguments(args ?? {});
  const same = upstreamName === name && mapped === args;
  const params = same
    ? call.params
    : { ...call.params, name: upstreamName, ...(mapped === undefined ? {} : { arguments: mapped }) };
  return { kind: 'upstream', server: tool.server, method: call.method, params, tool };
};

export interface RouteParts extends GreetingParts, MergedParts, ListenParts, TaskParts {
  readonly tools: ToolList;
  readonly learning: ServerLearning;
  readonly firstLists: FirstLists;
  readonly subscriptions: ResourceSubscriptions;
}

const own = (answer: () => unknown): Route => ({ kind: 'own', answer });

const routeLegacy = (parts: RouteParts, call: McpCall): Route | undefined => {
  switch (call.method) {
    case 'ping':
      return own(() => ({}));
    case 'logging/setLevel':
      return own(() => setLogLevel(parts, call));
    case 'resources/subscribe':
      return own(() => parts.subscriptions.subscribe(call));
    case 'resources/unsubscribe':
      return own(() => parts.subscriptions.unsubscribe(call));
    default:
      return undefined;
  }
};

const routeModern = (parts: RouteParts, call: McpCall): Route | undefined => {
  switch (call.method) {
    case 'server/discover':
      return own(async () => {
        await parts.learning.learn(call.scope, GREETING_MS[call.scope.kind]);
        return discoverResult(call.scope, parts);
      });
    case 'subscriptions/listen':
      return own(() => listen(parts, call));
    default:
      if (isLegacyOnly(call.method)) throw methodNotFound(call.method);
      return undefined;
  }
};

/** What else an era may say of tasks, the other does not understand. */
const mayForward = ({ upstream }: RouteParts, call: McpCall, server: Server): boolean => {
  if (!isTaskMethod(call.method)) return true;
  const { era } = call.client.revision;
  const facts = upstream.facts(server.id, era);
  return facts === undefined || facts.era === era;
};

/** A tool that nobody knows may be on a list that is being read for the first time. */
const routeKnownTool = ({ firstLists }: RouteParts, call: McpCall): Route | Promise<Route> => {
  try {
    return routeToolCall(call);
  } catch (thrown) {
    const mayCome =
      thrown instanceof PlugboardError && thrown.code === 'TOOL_NOT_FOUND' && firstLists.isDue(call.scope);
    if (!mayCome) throw thrown;
    return firstLists.settle(call.scope, call.signal).then(() => routeToolCall(call));
  }
};

const find = (parts: RouteParts, call: McpCall): Route | Promise<Route> => {
  const ofEra = call.client.revision.era === 'legacy' ? routeLegacy(parts, call) : routeModern(parts, call);
  if (ofEra !== undefined) return ofEra;
  if (call.method === 'tools/list') {
    return own(async () => {
      await parts.firstLists.settle(call.scope, call.signal);
      return parts.tools.answer(call, () => serverInfoOf(call.scope, parts, call.client.revision.era));
    });
  }
  if (call.method === 'tools/call') return routeKnownTool(parts, call);
  const ofTask = isTaskMethod(call.method) ? routeTask(parts, call) : undefined;
  if (ofTask !== undefined) return ofTask;
  if (call.scope.kind === 'merged') return routeMerged(parts, call);
  const [server] = call.scope.servers();
  if (server === undefined || !mayForward(parts, call, server)) throw methodNotFound(call.method);
  return { kind: 'upstream', server, method: call.method, params: call.params };
};

const routeLate = async (found: Promise<Route>, call: McpCall, next: NextStep): Promise<unknown> =>
  next({ ...call, route: await found });

/** Decides who answers a request. */
export const routeCall =
  (parts: RouteParts): CallStep =>
  (call, next) => {
    const found = find(parts, call);
    return found instanceof Promise ? routeLate(found, call, next) : next({ ...call, route: found });
  };
