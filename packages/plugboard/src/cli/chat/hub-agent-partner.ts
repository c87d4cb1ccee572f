import { type AgentEvent, type AgentRun, type AssistantMessage, type Message, textOf } from '@plugboard/agent';
import { isJsonObject, type JsonObject } from '@plugboard/base';
import { errorCodes, PlugboardError } from '@plugboard/contract';
import type { HubApi } from '../../hub-api/hub-api.js';
import type { ChatPartner } from './chat-partner.js';
import { toolWords } from './chat-screen.js';

export interface HubAgentOptions {
  /** Its name or id. */
  readonly agent: string;
  readonly toolset: string | undefined;
  readonly instructions: string | undefined;
  readonly thinking: boolean;
  /** Asked for each call that may destroy something; "always" is remembered for the key. */
  readonly approve: (key: string, prompt: string) => Promise<boolean>;
}

/** As long as a run of an agent may take. */
const RUN_MS = 30 * 60_000;

const chatMessage = (message: Message): readonly object[] =>
  message.role === 'tool' ? [] : [{ role: message.role, content: textOf(message.content) }];

const requestOf = (messages: readonly Message[], options: HubAgentOptions): object => {
  const { agent, toolset, instructions, thinking } = options;
  return {
    model: agent,
    stream: true,
    messages: [
      ...(instructions === undefined ? [] : [{ role: 'system', content: instructions }]),
      ...messages.flatMap(chatMessage),
    ],
    ...(thinking ? { reasoning_effort: 'medium' } : {}),
    plugboard: { events: true, approvals: true, ...(toolset === undefined ? {} : { toolset }) },
  };
};

const failureIn = ({ error }: JsonObject): PlugboardError | undefined => {
  if (!isJsonObject(error)) return undefined;
  const { code, message } = error;
  const known = errorCodes.find((one) => one === code) ?? 'INTERNAL';
  return new PlugboardError(known, typeof message === 'string' ? message : 'The answer failed.');
};

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The pieces of text and of thoughts in a chunk. */
const piecesIn = ({ choices }: JsonObject): readonly AgentEvent[] => {
  const [choice]: readonly unknown[] = Array.isArray(choices) ? choices : [];
  const delta = isJsonObject(choice) && isJsonObject(choice['delta']) ? choice['delta'] : {};
  const [text, thinking] = [textIn(delta['content']), textIn(delta['reasoning_content'])];
  return [
    ...(thinking === '' ? [] : [{ type: 'thinking' as const, text: thinking }]),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
  ];
};

/** One answer while it comes. */
class Answer {
  readonly #api: HubApi;
  readonly #options: HubAgentOptions;
  readonly #signal: AbortSignal;
  /** What the model wants to call, by id. */
  readonly #calls = new Map<string, string>();
  #text = '';
  #isTurnBegun = false;

  constructor(api: HubApi, options: HubAgentOptions, signal: AbortSignal) {
    this.#api = api;
    this.#options = options;
    this.#signal = signal;
  }

  async *events(messages: readonly Message[]): AsyncGenerator<AgentEvent> {
    const body = requestOf(messages, this.#options);
    for await (const chunk of this.#api.events('/v1/chat/completions', {
      body,
      signal: this.#signal,
      deadlineMs: RUN_MS,
    })) {
      if (!isJsonObject(chunk)) continue;
      const failure = failureIn(chunk);
      if (failure !== undefined) throw failure;
      for (const piece of piecesIn(chunk)) yield piece.type === 'text' ? this.#shown(piece.text) : piece;
      // The hub of the same version writes them.
      const event = chunk['plugboard'] as AgentEvent | undefined;
      if (event === undefined) continue;
      if (event.type === 'turn') this.#isTurnBegun = false;
      if (event.type === 'tool-call') this.#calls.set(event.id, this.#words(event));
      yield event.type === 'done' ? { type: 'done', run: this.#whole(event.run, messages) } : event;
      if (event.type === 'approval') await this.#decide(textIn(chunk['id']), event);
    }
  }

  /** The blank line between turns is part of the text; at a terminal, turns are on lines of their own. */
  #shown(text: string): AgentEvent {
    this.#text += text;
    const shown = this.#isTurnBegun ? text : text.replace(/^\n\n/u, '');
    this.#isTurnBegun = true;
    return { type: 'text', text: shown };
  }

  #words({ server, name, arguments: args }: Extract<AgentEvent, { type: 'tool-call' }>): string {
    return `${toolWords(server, name)} with ${toolWords(undefined, args)}`;
  }

  /** The hub does not send the conversation back. Results of tools are not part of it: the agent has them no longer. */
  #whole(run: AgentRun, messages: readonly Message[]): AgentRun {
    const said: AssistantMessage = { role: 'assistant', content: [{ type: 'text', text: this.#text }] };
    return { ...run, messages: [...messages, said] };
  }

  async #decide(completionId: string, { id, name }: Extract<AgentEvent, { type: 'approval' }>): Promise<void> {
    const called = this.#calls.get(id) ?? toolWords(undefined, name);
    const approve = await this.#options.approve(`tool ${name}`, `Call ${called}? [y]es, [n]o, [a]lways: `);
    const path = `/v1/chat/completions/${encodeURIComponent(completionId)}/decision`;
    try {
      await this.#api.request('POST', path, { body: { call_id: id, approve }, signal: this.#signal });
    } catch (thrown) {
      // The call waits no longer: the agent goes on without it, and its events say so.
      if (!(thrown instanceof PlugboardError) || thrown.code !== 'NOT_FOUND') throw thrown;
    }
  }
}

/** An agent of the hub: its model is asked by the hub, with the keys that the hub keeps. */
export const hubAgentPartner = (api: HubApi, options: HubAgentOptions): ChatPartner => ({
  title: `the agent ${options.agent}`,
  answer: (messages, signal) => new Answer(api, options, signal).events(messages),
});
