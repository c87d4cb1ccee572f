import { ownResources } from './aggregate/own-resources.js';
import { type HubsBehind, tellHubs } from './aggregate/tell-hubs.js';
import { composeSteps, type CallStep, type NextStep } from './call/step.js';
import type { DirectSteps } from './direct/direct-steps.js';
import { forward, type ForwardParts } from './relay/forward.js';
import { repairResults } from './relay/repair-results.js';
import { settleLists } from './changes/settle-lists.js';
import { serveTasks } from './task/serve-tasks.js';
import { suspectTools } from './observe/suspect-tools.js';
import { routeCall, type RouteParts } from './route/route-call.js';

/** Concerns that others add to the way of a request. */
export interface PipelineSteps {
  /** Around everything: trace, metrics, audit. They see refusals too. */
  readonly observe?: readonly CallStep[] | undefined;
  /** Who may do this at all, before anybody looks for it. */
  readonly authorize?: readonly CallStep[] | undefined;
  /** Once the target is known (`call.route`): quarantine, limits, sizes. */
  readonly guard?: readonly CallStep[] | undefined;
  /** The same for calls that can take the short way; without it, none does. */
  readonly direct?: DirectSteps | undefined;
}

/** The last step: the hub's own answer, a tool of its own, or the server's. */
const perform =
  (parts: ForwardParts): CallStep =>
  async (call) => {
    const { route } = call;
    switch (route?.kind) {
      case 'own':
        return route.answer();
      case 'local-tool':
        return route.run();
      case 'upstream':
        return forward(parts, call, route);
      case undefined:
        throw new Error('a request was not routed');
    }
  };

type PipelineParts = RouteParts & ForwardParts & { readonly hubs?: HubsBehind | undefined };

/** The way of every request, outermost first. */
export const createPipeline = (parts: PipelineParts, steps: PipelineSteps = {}): NextStep =>
  composeSteps([
    ...(steps.observe ?? []),
    ...(parts.hubs === undefined ? [] : [tellHubs(parts.hubs)]),
    settleLists,
    ...(steps.authorize ?? []),
    routeCall(parts),
    ...(steps.guard ?? []),
    suspectTools((id) => parts.upstream.suspectTools(id)),
    ownResources(parts),
    repairResults,
    serveTasks(parts),
    perform(parts),
  ]);
