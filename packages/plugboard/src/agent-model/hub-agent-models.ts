import { randomUUID } from 'node:crypto';
import {
  type AgentEvent,
  type AgentRunOptions,
  createModelCircuits,
  createProvider,
  type ModelProvider,
  readChat,
  readResponses,
  resilientProvider,
  runAgent,
  type ServedHead,
  type ServedInput,
  streamChat,
  streamResponse,
  toolsFromCalls,
  writeChat,
  writeResponse,
} from '@plugboard/agent';
import type { VariableLookup } from '@plugboard/client';
import { type AgentModel, type KeptAgent, PlugboardError, revealed } from '@plugboard/contract';
import type { AgentModels, AgentQuestion, ModelPassage } from '@plugboard/registry';
import type { AgentCircuits } from './agent-circuits.js';
import { eventStream } from './event-stream.js';
import { type AskRest, gatewayTools } from './gateway-tools.js';
import { passToModel } from './pass-to-model.js';
import type { PendingApprovals } from './pending-approvals.js';
import type { RunLimits } from './run-limits.js';
import { type QuestionsOf, samplingQuestions } from './sampling-questions.js';

export interface AgentModelParts {
  /** Plain REST of the gateway as the agent, with no more rights than the one who asks. */
  readonly askAs: (agent: KeptAgent, question: AgentQuestion, questionsOf: QuestionsOf) => AskRest;
  readonly toolsetsOf: (agent: KeptAgent) => readonly string[];
  /** Variables of the agent, then those of the hub. */
  readonly variablesOf: (agent: KeptAgent) => VariableLookup;
  /** A fetch that reaches only what the hub may reach. */
  readonly fetch: typeof globalThis.fetch;
  /** Throws if the hub may not reach the URL. */
  readonly checkUrl: (url: string) => void;
  /** The runs in progress, of all questions. */
  readonly runs: RunLimits;
  readonly circuits: AgentCircuits;
  readonly approvals: Pick<PendingApprovals, 'wait'>;
  /** The mark of this process, where several serve the same clients. */
  readonly mark?: string | undefined;
}

const modelOf = ({ name, model }: KeptAgent): AgentModel => {
  if (model !== undefined && model !== null) return model;
  throw new PlugboardError('INVALID_ARGUMENT', `The agent "${name}" has no model.`, {
    hint: {
      api: 'Set its "model" with PATCH /v1/agents/{agent_id}.',
      cli: `Set one: plugboard agent set ${name} --model anthropic:claude-sonnet-5-5`,
    },
  });
};

/** Each is adapted to the model before it is asked. No provider accepts so many. */
const MAX_TOOLS = 1000;

const tooManyTools = ({ name }: KeptAgent, count: number): PlugboardError =>
  new PlugboardError(
    'INVALID_ARGUMENT',
    `The agent "${name}" has ${count} tools. A model is given ${MAX_TOOLS} at most.`,
    {
      hint: 'Give the agent a toolset with the tools that it needs, or a toolset that is searched.',
    },
  );

const system = (...texts: readonly (string | undefined)[]): string | undefined => {
  const said = texts.filter((text) => text !== undefined && text.trim() !== '');
  return said.length === 0 ? undefined : said.join('\n\n');
};

const READERS = { chat: readChat, responses: readResponses } as const;

/** Yields the events that were read before, then the rest. */
const withFirst = async function* (
  first: readonly AgentEvent[],
  rest: AsyncIterator<AgentEvent>,
): AsyncGenerator<AgentEvent> {
  try {
    yield* first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
};

/** Reads until the model has answered something, so that its refusal is an answer with an error status. */
const begun = async (events: AsyncIterable<AgentEvent>): Promise<AsyncIterable<AgentEvent>> => {
  const iterator = events[Symbol.asyncIterator]();
  const first: AgentEvent[] = [];
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    first.push(next.value);
    if (next.value.type !== 'turn') break;
  }
  return withFirst(first, iterator);
};

/** The first digits are the mark of the process that answers, so that the others find it. */
const headOf = (api: AgentQuestion['api'], agent: string, mark = ''): ServedHead => {
  const id = mark + randomUUID().replaceAll('-', '').slice(mark.length);
  return { id: api === 'chat' ? `chatcmpl-${id}` : id, created: Math.floor(Date.now() / 1000), model: agent };
};

/** The toolsets whose tools the agent has for this answer, and whether it has those of its servers too. */
const chosenTools = (
  { toolset }: ServedInput,
  { name }: KeptAgent,
  granted: readonly string[],
): { readonly toolsets: readonly string[]; readonly onlyToolsets: boolean } => {
  if (toolset === undefined) return { toolsets: granted, onlyToolsets: false };
  if (granted.includes(toolset)) return { toolsets: [toolset], onlyToolsets: true };
  throw new PlugboardError('INVALID_ARGUMENT', `The agent "${name}" has no toolset "${toolset}".`, {
    hint: 'Grant the toolset to the agent, or name one that it has.',
    details: { param: 'plugboard.toolset' },
  });
};

const answerWith = async (
  { api, signal }: AgentQuestion,
  input: ServedInput,
  events: AsyncIterable<AgentEvent>,
  { head, close }: { readonly head: ServedHead; readonly close: () => void },
): Promise<Response> => {
  if (!input.stream) {
    try {
      return Response.json(await (api === 'chat' ? writeChat(head, events) : writeResponse(head, events)));
    } finally {
      close();
    }
  }
  const ready = await begun(events).catch((thrown: unknown) => {
    close();
    throw thrown;
  });
  return eventStream(api === 'chat' ? streamChat(head, ready, input) : streamResponse(head, ready, input), {
    api,
    signal,
    close,
  });
};

/** Answers for the agents of the hub. */
export class HubAgentModels implements Pick<AgentModels, 'answer' | 'pass'> {
  readonly #parts: AgentModelParts;

  constructor(parts: AgentModelParts) {
    this.#parts = parts;
  }

  async answer(question: AgentQuestion): Promise<Response> {
    const input = READERS[question.api](question.body);
    const agent = await question.agentOf(input.agent);
    const model = modelOf(agent);
    const provider = this.#providerOf(agent, model);
    let leave: (() => void) | undefined;
    const close = (): void => {
      provider.close();
      leave?.();
    };
    try {
      leave = this.#parts.runs.enter(question.principal.id, question.signal);
      const ask = this.#parts.askAs(agent, question, samplingQuestions(model, provider));
      const { toolsets, onlyToolsets } = chosenTools(input, agent, this.#parts.toolsetsOf(agent));
      const found = await gatewayTools(ask, toolsets, { onlyToolsets, signal: question.signal });
      if (found.length > MAX_TOOLS) throw tooManyTools(agent, found.length);
      const tools = toolsFromCalls(found, { provider: provider.profile });
      const head = headOf(question.api, input.agent, this.#parts.mark);
      const { maxTokens = model.max_tokens, temperature, output, stop, thinking } = input;
      const options: AgentRunOptions = {
        provider,
        tools,
        model: model.name,
        messages: input.messages,
        system: system(model.instructions, input.system),
        request: { maxTokens, temperature, output, stop, thinking },
        ...this.#approval(question, input, model, head),
        maxTurns: model.max_turns,
        signal: question.signal,
      };
      return await answerWith(question, input, runAgent(options), { head, close });
    } catch (thrown) {
      close();
      throw thrown;
    }
  }

  async pass({ agent, request, principal, signal }: ModelPassage): Promise<Response> {
    const model = modelOf(agent);
    if (model.base_url !== undefined) this.#parts.checkUrl(model.base_url);
    const whenRead = this.#parts.runs.enter(principal.id, signal);
    try {
      const { fetch } = this.#parts;
      return await passToModel(agent, model, request, { variable: this.#variableOf(agent), fetch, signal, whenRead });
    } catch (thrown) {
      whenRead();
      throw thrown;
    }
  }

  #variableOf(agent: KeptAgent): (name: string) => string | undefined {
    const lookup = this.#parts.variablesOf(agent);
    return (name) => {
      const value = lookup(name);
      return value === undefined ? undefined : revealed(value);
    };
  }

  /** Who decides about calls that may destroy something: the client, if it wants to, else what is set for the model. */
  #approval(
    { principal: asker, signal }: AgentQuestion,
    { approvals }: ServedInput,
    { approval = 'none' }: AgentModel,
    { id: completionId }: ServedHead,
  ): Pick<AgentRunOptions, 'approval' | 'approve'> {
    // What the operator has forbidden, an agent cannot allow itself.
    if (!approvals || (approval === 'destructive' && asker.role === 'agent')) return { approval };
    return {
      approval: 'destructive',
      approve: (_tool, _args, { id: callId }) => this.#parts.approvals.wait({ completionId, callId, asker }, signal),
    };
  }

  #providerOf(agent: KeptAgent, model: AgentModel): ModelProvider {
    const { provider, base_url: baseUrl, fallback } = model;
    if (baseUrl !== undefined) this.#parts.checkUrl(baseUrl);
    const made = createProvider(provider, { variable: this.#variableOf(agent), baseUrl, fetch: this.#parts.fetch });
    return resilientProvider(made, {
      circuits: this.#parts.circuits.of(agent.id, model, createModelCircuits),
      ...(fallback === undefined ? {} : { fallback: { model: fallback } }),
    });
  }
}
