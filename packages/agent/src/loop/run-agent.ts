import { deadlineSignal, linkSignals } from '@plugboard/base';
import { type AssistantPart, callsOf, type Message, textOf, type ToolCallPart } from '../conversation/message.js';
import { addUsage, type ModelAnswer, NO_USAGE } from '../conversation/model-answer.js';
import type { ModelRequest, ModelTool } from '../conversation/model-request.js';
import { ModelError } from '../provider/error/model-error.js';
import type { ModelProvider } from '../provider/provider.js';
import { mediaOf } from '../result/media.js';
import { outcomeText } from '../result/outcome-text.js';
import { instruction, type ToolOutcome } from '../result/tool-outcome.js';
import { type FinishedCall, runCalls, type RunOptions } from '../run/run-calls.js';
import type { AgentTool } from '../tool/agent-tool.js';
import type { AgentTools } from '../tool/agent-tools.js';
import { isStrict } from '../tool/is-strict.js';
import type { AgentEvent, AgentRun, RunEnd } from './agent-event.js';
import { EventQueue } from './event-queue.js';
import { type ApprovalRule, needsApproval } from './needs-approval.js';

export interface RunLimits {
  /** Requests to the model. Default: 20. */
  readonly maxTurns?: number | undefined;
  /** Default: 200. */
  readonly maxToolCalls?: number | undefined;
  /** Tokens of all requests together, as far as the provider reports them. Default: no limit. */
  readonly maxTotalTokens?: number | undefined;
  /** Default: 30 minutes. */
  readonly maxTimeMs?: number | undefined;
}

export interface AgentRunOptions extends RunLimits {
  readonly provider: ModelProvider;
  readonly tools: Pick<AgentTools, 'tools' | 'provider'>;
  readonly model: string;
  readonly messages: readonly Message[];
  readonly system?: string | undefined;
  /** More of each request, such as `maxTokens` or `thinking`. */
  readonly request?: Partial<Omit<ModelRequest, 'model' | 'messages' | 'system' | 'tools'>> | undefined;
  /** Which calls need a yes. Default: `destructive` with `approve`, `none` without it. */
  readonly approval?: ApprovalRule | undefined;
  /** Asked for calls that need a yes. Without it, they are not made, and the model is told so. */
  readonly approve?: RunOptions['approve'] | undefined;
  /** How many calls run at the same time. Default: 8. */
  readonly parallel?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const MAX_TURNS = 20;
const MAX_TOOL_CALLS = 200;
const MAX_TIME_MS = 30 * 60_000;

const toolsFor = ({ tools }: AgentRunOptions['tools']): readonly ModelTool[] =>
  tools.map(({ definition, profile }) => ({
    name: definition.name,
    description: typeof definition.description === 'string' ? definition.description : undefined,
    inputSchema: definition.inputSchema as ModelTool['inputSchema'],
    strict: isStrict({ profile }),
  }));

/**
 * Some endpoints give calls no id, or one that was there before. Results are matched by it, and so are approvals: a yes to one
 * call must not be a yes to another.
 */
const withUniqueIds = (content: readonly AssistantPart[], seen: Set<string>): readonly AssistantPart[] =>
  content.map((part) => {
    if (part.type !== 'tool-call') return part;
    let id = part.id;
    for (let number = seen.size + 1; id === '' || seen.has(id); number += 1) id = `call_${number}`;
    seen.add(id);
    return { ...part, id };
  });

const idsIn = (messages: readonly Message[]): Set<string> =>
  new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? callsOf(message.content).map(({ id }) => id) : [])),
  );

const approveRule = (
  { approval, approve }: AgentRunOptions,
  push: (event: AgentEvent) => void,
): NonNullable<RunOptions['approve']> => {
  const rule = approval ?? (approve === undefined ? 'none' : 'destructive');
  return async (tool, args, call) => {
    if (!needsApproval(rule, tool)) return true;
    if (approve === undefined) return false;
    push({ type: 'approval', id: call.id, name: call.name });
    return approve(tool, args, call);
  };
};

/** One answer of a model can have thousands of calls. */
const OVER_LIMIT = instruction('failed', 'The limit of tool calls is reached: the call was not made.');

const toldOf = (outcome: ToolOutcome) => {
  const media = mediaOf(outcome);
  const shown = media.length === 0 ? {} : { media };
  return { kind: outcome.kind, text: outcomeText(outcome), isError: outcome.isError, ...shown };
};

const KEPT_CHARACTERS = 200;

/** The conversation with only the beginning of each tool result, for a context window that is full. */
const shortenResults = (messages: readonly Message[]): readonly Message[] =>
  messages.map((message) => {
    if (message.role !== 'tool') return message;
    return {
      role: 'tool',
      results: message.results.map((result) => {
        if (result.text.length <= KEPT_CHARACTERS && result.media.length === 0) return result;
        const text = `${result.text.slice(0, KEPT_CHARACTERS)}\n[The rest of the result was removed: the conversation is too long.]`;
        return { ...result, text, media: [] };
      }),
    };
  });

/** One run: what was said, and what it cost so far. */
class Run {
  readonly #options: AgentRunOptions;
  readonly #signal: AbortSignal;
  readonly #callIds: Set<string>;
  #messages: readonly Message[];
  #usage = NO_USAGE;
  #turns = 0;
  #toolCalls = 0;
  #last: Pick<ModelAnswer, 'content' | 'finish'> = { content: [], finish: { kind: 'other', raw: null } };

  constructor(options: AgentRunOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#messages = options.messages;
    this.#callIds = idsIn(options.messages);
  }

  /** messages → model → calls → results → … until the model calls nothing more. */
  async *events(): AsyncGenerator<AgentEvent, RunEnd> {
    for (;;) {
      const limit = this.#limit();
      if (limit !== undefined) return limit;
      this.#turns += 1;
      yield { type: 'turn', turn: this.#turns, model: this.#options.model };
      const answer = yield* this.#ask();
      const calls = callsOf(answer.content);
      if (calls.length === 0 && answer.finish.kind !== 'pause') return 'finished';
      if (calls.length > 0) yield* this.#call(calls);
    }
  }

  result(end: RunEnd): AgentRun {
    return {
      end,
      text: textOf(this.#last.content),
      finish: this.#last.finish,
      usage: this.#usage,
      turns: this.#turns,
      toolCalls: this.#toolCalls,
      messages: this.#messages,
    };
  }

  #limit(): RunEnd | undefined {
    const { maxTurns = MAX_TURNS, maxToolCalls = MAX_TOOL_CALLS, maxTotalTokens } = this.#options;
    if (this.#turns >= maxTurns) return 'turn-limit';
    if (this.#toolCalls >= maxToolCalls) return 'tool-call-limit';
    return maxTotalTokens !== undefined && (this.#usage.total ?? 0) >= maxTotalTokens ? 'token-limit' : undefined;
  }

  async *#ask(): AsyncGenerator<AgentEvent, ModelAnswer> {
    try {
      return yield* this.#stream();
    } catch (thrown) {
      const full = thrown instanceof ModelError && thrown.failure === 'context-window';
      const shorter = shortenResults(this.#messages);
      if (!full || JSON.stringify(shorter) === JSON.stringify(this.#messages)) throw thrown;
      this.#messages = shorter;
      return yield* this.#stream();
    }
  }

  async *#stream(): AsyncGenerator<AgentEvent, ModelAnswer> {
    const { provider, model, system, tools, request } = this.#options;
    const asked = { ...request, model, system, messages: this.#messages, tools: toolsFor(tools) };
    for await (const event of provider.stream(asked, { signal: this.#signal })) {
      if (event.type === 'text' || event.type === 'thinking') yield event;
      if (event.type === 'answer') return this.#take(event.answer);
    }
    throw new ModelError('connection', { provider: provider.name, said: 'the stream ended without an answer.' });
  }

  #take(answer: ModelAnswer): ModelAnswer {
    const content = withUniqueIds(answer.content, this.#callIds);
    this.#usage = addUsage(this.#usage, answer.usage);
    this.#messages = [...this.#messages, { role: 'assistant', content }];
    this.#last = { content, finish: answer.finish };
    return { ...answer, content };
  }

  async *#call(calls: readonly ToolCallPart[]): AsyncGenerator<AgentEvent> {
    const { tools, parallel, maxToolCalls = MAX_TOOL_CALLS } = this.#options;
    const toolOf = (name: string): AgentTool | undefined => tools.tools.find((tool) => tool.name === name);
    for (const { id, name, arguments: args } of calls) {
      yield { type: 'tool-call', id, name, server: toolOf(name)?.metadata.server_name, arguments: args };
    }
    const allowed = calls.slice(0, Math.max(0, maxToolCalls - this.#toolCalls));
    this.#toolCalls += allowed.length;
    const queue = new EventQueue<AgentEvent>();
    const onFinished = ({ call: { id, name }, outcome, durationMs }: FinishedCall): void => {
      queue.push({ type: 'tool-result', id, name, durationMs, ...toldOf(outcome) });
    };
    const approve = approveRule(this.#options, queue.push);
    const options = { signal: this.#signal, parallel, approve, onFinished };
    const made = yield* queue.until(runCalls(tools.tools, allowed, options));
    const beyond = calls.slice(allowed.length).map((call) => ({ call, outcome: OVER_LIMIT, durationMs: 0 }));
    for (const { call } of beyond) {
      yield { type: 'tool-result', id: call.id, name: call.name, durationMs: 0, ...toldOf(OVER_LIMIT) };
    }
    const results = [...made, ...beyond].map(({ call, outcome }) => ({
      callId: call.id,
      name: call.name,
      text: outcomeText(outcome),
      media: mediaOf(outcome).map(({ kind, data, mimeType }) => ({ type: kind, data, mimeType })),
      isError: outcome.isError,
    }));
    this.#messages = [...this.#messages, { role: 'tool', results }];
  }
}

/**
 * Lets a model work with tools until it is done or a limit is reached. Failures of tools are results that the model reads.
 * Failures of the provider and cancellation are thrown.
 */
export const runAgent = async function* (options: AgentRunOptions): AsyncGenerator<AgentEvent> {
  using deadline = deadlineSignal(options.maxTimeMs ?? MAX_TIME_MS);
  using linked = linkSignals(options.signal, deadline.signal);
  const run = new Run(options, linked.signal);
  let end: RunEnd;
  try {
    end = yield* run.events();
  } catch (thrown) {
    options.signal?.throwIfAborted();
    if (!deadline.signal.aborted) throw thrown;
    end = 'time-limit';
  }
  yield { type: 'done', run: run.result(end) };
};
