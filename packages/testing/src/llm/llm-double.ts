import type { LlmRequest } from './script/llm-request.js';
import type { TurnSource } from './script/turn-script.js';
import { type LlmDoubleOptions, ScriptedLlm } from './scripted-llm.js';
import { type DualServer, openDualServer } from './wire/dual-server.js';
import { writeReply } from './wire/write-reply.js';

/**
 * OpenAI, Anthropic, Bedrock and Gemini on one port of this machine. It speaks their wire formats exactly, answers with the turns
 * that you script, and refuses what they refuse.
 */
export class LlmDouble implements AsyncDisposable {
  readonly #llm: ScriptedLlm;
  #server: DualServer | undefined;

  constructor(options: LlmDoubleOptions = {}) {
    this.#llm = new ScriptedLlm(options);
  }

  async open(): Promise<this> {
    this.#server = await openDualServer(async (arrival, response) =>
      writeReply(response, await this.#llm.answer(arrival)),
    );
    return this;
  }

  /** The address for Anthropic, Bedrock and Gemini. */
  get url(): string {
    return `http://127.0.0.1:${this.#server?.port ?? 0}`;
  }

  /** The address for OpenAI. */
  get openaiUrl(): string {
    return `${this.url}/v1`;
  }

  /** Requests to a model that were accepted. */
  get requests(): readonly LlmRequest[] {
    return this.#llm.requests;
  }

  /** Why requests were refused. */
  get refusals(): readonly string[] {
    return this.#llm.refusals;
  }

  /** The next turns of the model, once each and in order. */
  next(...turns: readonly TurnSource[]): this {
    this.#llm.script.next(...turns);
    return this;
  }

  /** The turn for every request that no `next` is left for. */
  always(turn: TurnSource): this {
    this.#llm.script.always(turn);
    return this;
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** `await using double = await llmDouble()` */
export const llmDouble = (options?: LlmDoubleOptions): Promise<LlmDouble> => new LlmDouble(options).open();
