import { tryJson } from '@plugboard/base';
import {
  agent as agentSchema,
  type AgentModel,
  MODEL_HEADERS,
  MODEL_STATUS,
  PlugboardError,
} from '@plugboard/contract';
import type { HubApi } from './hub-api.js';
import { readAnswer } from './read-answer.js';

/** As long as a stream of a provider may take. */
const ANSWER_MS = 600_000;
const KEYS = ['authorization', 'x-api-key'];
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

const pathOf = (agent: string): string => `/v1/agents/${encodeURIComponent(agent)}`;

/** The model of an agent of the hub. */
export const readAgentModel = async (api: HubApi, agent: string): Promise<AgentModel> => {
  const { model } = readAnswer(agentSchema, await api.request('GET', pathOf(agent)), 'an agent');
  if (model !== undefined && model !== null) return model;
  throw new PlugboardError('INVALID_ARGUMENT', `The agent "${agent}" has no model.`, {
    hint: `Set one: plugboard agent set ${agent} --model anthropic:claude-sonnet-5-5`,
  });
};

export interface AgentModelFetch {
  /** The base address of the requests; the hub knows the real one. */
  readonly baseUrl: string;
  /** Without it, keys are left out of requests, so that the hub adds that of the agent. */
  readonly keepKeys?: boolean;
}

/** The provider's answer, taken out of that of the hub. */
const unpacked = (answer: Response): Response => {
  const status = Number(answer.headers.get(MODEL_STATUS));
  const headers = tryJson(answer.headers.get(MODEL_HEADERS) ?? '');
  return new Response(NO_BODY.has(status) ? null : answer.body, {
    status,
    headers: Array.isArray(headers) ? (headers as [string, string][]) : [],
  });
};

/** A fetch that lets the hub ask the provider of an agent's model, with the key that the hub keeps. */
export const agentModelFetch =
  (api: HubApi, agent: string, { baseUrl, keepKeys = false }: AgentModelFetch): typeof fetch =>
  async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const headers = new Headers(init.headers);
    if (!keepKeys) for (const name of KEYS) headers.delete(name);
    const carrier = new Response(init.body ?? null);
    const type = carrier.headers.get('content-type');
    if (!headers.has('content-type') && type !== null) headers.set('content-type', type);
    const text = await carrier.text();
    const method = init.method ?? 'GET';
    try {
      const answer = await api.open('POST', `${pathOf(agent)}/model-request`, {
        body: {
          method,
          path: url.slice(baseUrl.replace(/\/+$/u, '').length),
          headers: Object.fromEntries(headers),
          ...(method === 'GET' ? {} : { body: text }),
        },
        signal: init.signal ?? undefined,
        deadlineMs: ANSWER_MS,
      });
      return unpacked(answer);
    } catch (thrown) {
      // What a fetch throws when nobody answers.
      const isUnreachable = thrown instanceof PlugboardError && thrown.code === 'MODEL_UNREACHABLE';
      if (isUnreachable) throw new TypeError('fetch failed', { cause: thrown });
      throw thrown;
    }
  };
