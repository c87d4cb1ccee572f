import type { KeyedRequests } from '@plugboard/contract';
import type { FlowWatch } from '../call/flow-watch.js';
import { composeSteps, type CallStep, type NextStep } from '../call/step.js';
import { forward, type ForwardParts } from '../forward/forward.js';
import { serveTasks } from '../forward/tasks/serve-tasks.js';
import { ownResources } from './answer/own-resources.js';
import { repairResults } from './answer/repair-results.js';
import { type HubsBehind, tellHubs } from './answer/tell-hubs.js';
import type { CallLimits } from './limit/call-limits.js';
import { carryOutOnce } from './once/carry-out-once.js';
import { limitArguments } from './limit/size/limit-arguments.js';
import { limitRates } from './limit/limit-rates.js';
import { limitResults } from './limit/size/limit-results.js';
import { askForLogin, goOnAfterLogin } from './login/ask-for-login.js';
import { noteServers } from './observe/note-servers.js';
import { suspectTools } from './observe/suspect-tools.js';
import { passTraceContext, traceCalls } from './observe/trace-calls.js';
import { noteRoute, watchCalls } from './observe/watch-calls.js';
import { routeCall, type RouteParts } from './route/route-call.js';
import { settleLists } from './route/settle-lists.js';
import type { StepOptions } from './step-options.js';
import { explainUnfitArguments } from './unwrap/explain-unfit-arguments.js';
import { unwrapCallTool } from './unwrap/unwrap-call-tool.js';

/** The last step: the hub's own answer, a tool of its own, or the server's. */
const perform =
  (parts: ForwardParts): CallStep =>
  (call) => {
    const { route } = call;
    switch (route?.kind) {
      case 'own':
        return Promise.resolve(route.answer());
      case 'local-tool':
        return Promise.resolve(route.run());
      case 'upstream':
        return forward(parts, call, route);
      case undefined:
        throw new Error('a request was not routed');
    }
  };

export interface PipelineParts extends RouteParts, ForwardParts {
  /** Shared with the fast path. */
  readonly limits: CallLimits;
  readonly hubs?: HubsBehind | undefined;
  /** Carries calls with an idempotency key out once; without it, the key is not looked at. */
  readonly keyedRequests?: KeyedRequests | undefined;
  readonly flows?: FlowWatch | undefined;
  readonly onInternalError: (error: unknown) => void;
}

/**
 * The full path of a request, outermost step first. Who may use what is decided before: the scope of a call holds only
 * what its caller may use (`offer/scope/narrowed-scope`), and no tool that is quarantined (`offer/catalogue`).
 */
export const createPipeline = (parts: PipelineParts, options: StepOptions): NextStep => {
  const { tracer, sinks, note, loginSettled, keepsResults } = options;
  const { hubs, flows, onInternalError, limits, upstream, keyedRequests } = parts;
  return composeSteps([
    // observe: these see rejected requests too
    tracer === undefined ? passTraceContext : traceCalls(tracer),
    watchCalls({ sinks, flows, onInternalError, keepsResults }),
    ...(hubs === undefined ? [] : [tellHubs(hubs)]),
    // unwrap: which tool of which list is meant
    settleLists,
    explainUnfitArguments,
    unwrapCallTool,
    // route: who answers; from here on `call.route` is known
    routeCall(parts),
    noteRoute,
    // limit
    ...limitRates(limits),
    limitArguments(options.maxArgumentBytes),
    ...(keyedRequests === undefined ? [] : [carryOutOnce(keyedRequests)]),
    ...(loginSettled === undefined ? [] : [goOnAfterLogin(loginSettled)]),
    // From here on, most steps only look at how the rest ended: they take one wait together.
    limitResults(options.maxResultBytes),
    ...(loginSettled === undefined ? [] : [askForLogin(loginSettled)]),
    // what the answer tells of the server
    ...(note === undefined ? [] : [noteServers(note)]),
    suspectTools((id) => upstream.suspectTools(id)),
    // answer: changes of what goes back
    ownResources(parts),
    repairResults,
    // perform
    serveTasks(parts),
    perform(parts),
  ]);
};
