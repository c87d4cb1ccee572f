import { createGuardedFetch, type StrangerRules, type UrlGuard } from '@plugboard/client';
import type { Gateway } from '@plugboard/gateway';
import type { AgentModels, Registry } from '@plugboard/registry';
import { AgentCircuits } from '../agent-model/agent-circuits.js';
import type { AgentModelParts } from '../agent-model/hub-agent-models.js';
import { modelFetch, modelUrlCheck } from '../agent-model/model-network.js';
import { PendingApprovals } from '../agent-model/pending-approvals.js';
import { RunLimits } from '../agent-model/run-limits.js';
import type { Callers } from '../access/callers.js';
import { answerError } from '../hub-api/answer-error.js';
import type { Settings } from '../settings/settings.js';
import { variableOf } from '../upstream/config/config-variable.js';
import { sharedNetwork } from '../upstream/config/server-network.js';

export interface AgentModelsParts {
  readonly settings: Settings;
  readonly registry: Registry;
  readonly gateway: Pick<Gateway, 'answer'>;
  readonly callers: Pick<Callers, 'callerFor'>;
  readonly urls: UrlGuard;
  /** Where the hub itself is. */
  readonly own: StrangerRules;
  /** What the requests of this hub are known by. */
  readonly hubId: string;
  /** The mark of this process in its fleet. */
  readonly mark?: string | undefined;
}

const never = new AbortController().signal;

/** Agents with models, as the hub offers them. What they need is loaded with the first question. */
export const composeAgentModels = (parts: AgentModelsParts): AgentModels & { close(): Promise<void> } => {
  const { settings, registry, gateway, callers, urls, own, hubId } = parts;
  const network = createGuardedFetch(urls, sharedNetwork(settings.network));
  const approvals = new PendingApprovals();
  const modelParts: AgentModelParts = {
    askAs: (agent, { principal }, questionsOf) => {
      const caller = callers.callerFor({
        id: principal.id,
        role: 'agent',
        agent: agent.id,
        servers: principal.servers,
      });
      return async (method, segments, body, signal = never) => {
        const [area, server = ''] = segments;
        const answer = await gateway.answer({
          method,
          segments,
          body: body === undefined ? '' : JSON.stringify(body),
          caller,
          signal,
          questions: method === 'POST' && area === 'servers' ? questionsOf(server) : undefined,
        });
        const json: unknown = JSON.parse(answer.body);
        if (answer.status < 300) return json;
        throw answerError(answer.status, json);
      };
    },
    toolsetsOf: ({ toolset_ids: ids }) =>
      (registry.snapshot().toolsets ?? []).flatMap(({ id, name }) => (ids.includes(id) ? [name] : [])),
    variablesOf: (agent) => variableOf(settings, { agent }),
    fetch: modelFetch(network.fetch, hubId),
    checkUrl: modelUrlCheck(urls, own),
    runs: new RunLimits(),
    circuits: new AgentCircuits(),
    approvals,
    mark: parts.mark,
  };
  return {
    answer: async (question) => {
      const { HubAgentModels } = await import('../agent-model/hub-agent-models.js');
      return new HubAgentModels(modelParts).answer(question);
    },
    pass: async (passage) => {
      const { HubAgentModels } = await import('../agent-model/hub-agent-models.js');
      return new HubAgentModels(modelParts).pass(passage);
    },
    decide: (decision) => approvals.decide(decision),
    close: () => network.close(),
  };
};
