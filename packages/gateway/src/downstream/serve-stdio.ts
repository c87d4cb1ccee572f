import type { Readable } from 'node:stream';
import {
  type JsonRpcNotification,
  type JsonRpcRequest,
  isJsonObject,
  LineSplitter,
  type RequestId,
} from '@plugboard/wire';
import { LOCAL_CALLER } from '../call/caller.js';
import type { McpCall } from '../call/mcp-call.js';
import { writeFailure } from '../rpc/failure-of.js';
import type { Scope } from '../scope/scope.js';
import { answerCall } from './answer-call.js';
import { eraOf } from './era-of.js';
import { readModernEnvelope } from './modern-envelope.js';
import { checkBatch, type Message, readMessages, requestIdIn } from './read-messages.js';
import { type ChannelParts, SseSession } from './sse-session.js';

export interface StdioStreams {
  readonly input: Readable;
  readonly output: { write(text: string): unknown };
}

/** A client at the other end of two pipes, of either era, or of both in turn. */
class StdioConversation {
  readonly #parts: ChannelParts;
  readonly #scope: Scope;
  readonly #output: StdioStreams['output'];
  readonly #legacy: SseSession;
  readonly #inFlight = new Map<RequestId, AbortController>();
  readonly #running = new Set<Promise<void>>();

  constructor(parts: ChannelParts, scope: Scope, output: StdioStreams['output']) {
    this.#parts = parts;
    this.#scope = scope;
    this.#output = output;
    this.#legacy = new SseSession(parts, { scope, caller: LOCAL_CALLER, write: (text) => this.#write(text) });
  }

  line(text: string): void {
    try {
      const { messages, isBatch } = readMessages(text);
      if (isBatch) checkBatch(this.#legacy.session.client.revision);
      for (const message of messages) this.#track(this.#take(message));
    } catch (thrown) {
      this.#write(writeFailure(requestIdIn(text), thrown));
    }
  }

  async end(): Promise<void> {
    this.#legacy.session.end();
    for (const controller of this.#inFlight.values()) controller.abort();
    await Promise.allSettled(this.#running);
  }

  #track(work: Promise<void>): void {
    const tracked = work
      .catch((thrown: unknown) => this.#parts.onInternalError(thrown))
      .finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  async #take(message: Message): Promise<void> {
    if (message.kind === 'notification' && this.#cancels(message.message)) return;
    if (message.kind === 'request' && eraOf(message.message, {}) === 'modern')
      await this.#answerModern(message.message);
    else await this.#legacy.take(message);
  }

  /** Takes back a modern request; false when it is none of those. */
  #cancels({ method, params }: JsonRpcNotification): boolean {
    if (method !== 'notifications/cancelled' || !isJsonObject(params)) return false;
    const controller = this.#inFlight.get(params['requestId'] as RequestId);
    controller?.abort();
    return controller !== undefined;
  }

  async #answerModern(request: JsonRpcRequest): Promise<void> {
    const controller = new AbortController();
    const { id, method } = request;
    this.#inFlight.set(id, controller);
    try {
      const { client, params, logLevel } = readModernEnvelope(request, LOCAL_CALLER, undefined);
      const call: McpCall = {
        id,
        method,
        params,
        client,
        session: undefined,
        scope: this.#scope,
        reply: {
          notify: (notification) => {
            if (!controller.signal.aborted) this.#write(JSON.stringify(notification));
          },
        },
        signal: controller.signal,
        logLevel,
        headers: {},
      };
      const { text } = await answerCall(this.#parts, call);
      if (!controller.signal.aborted) this.#write(text);
    } catch (thrown) {
      this.#write(writeFailure(id, thrown));
    } finally {
      this.#inFlight.delete(id);
    }
  }

  #write(text: string): void {
    // A line break inside a message would end it.
    this.#output.write(`${text.replaceAll(/[\r\n]+/gu, ' ')}\n`);
  }
}

/** Serves the endpoint over two pipes until the input ends or the signal aborts. */
export const serveStdio = async (
  parts: ChannelParts,
  scope: Scope,
  { input, output }: StdioStreams,
  signal: AbortSignal,
): Promise<void> => {
  const conversation = new StdioConversation(parts, scope, output);
  const splitter = new LineSplitter({ onLine: (line) => conversation.line(line) });
  const onData = (chunk: Buffer): void => splitter.push(chunk);
  const ended = new Promise<void>((resolve) => {
    input
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve());
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  input.on('data', onData);
  try {
    await ended;
    if (!signal.aborted) splitter.end();
  } finally {
    input.off('data', onData);
    await conversation.end();
  }
};
