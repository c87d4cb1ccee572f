import type { JsonRpcRequest } from '@plugboard/wire';
import { LOCAL_CALLER } from '../../call/caller.js';
import type { LineWriter } from './line-writer.js';
import { RequestsUnderWay } from './requests-under-way.js';
import { type LineConversation, serveLines, type StdioStreams } from './serve-lines.js';
import { writeFailure } from '../../rpc/failure-of.js';
import type { Scope } from '../../call/scope.js';
import { answerCall } from '../../session/answer-call.js';
import { eraOf } from '../../session/era-of.js';
import { modernCall } from '../../session/modern-call.js';
import { checkBatch, type Message, readMessages, requestIdIn } from '../../session/read-messages.js';
import { type ChannelParts, SseSession } from '../../session/sse-session.js';

/** A client at the other end of two pipes, of either era, or of both in turn. */
class StdioConversation implements LineConversation {
  readonly #parts: ChannelParts;
  readonly #scope: Scope;
  readonly #lines: LineWriter;
  readonly #legacy: SseSession;
  readonly #modern = new RequestsUnderWay();

  constructor(parts: ChannelParts, scope: Scope, lines: LineWriter) {
    this.#parts = parts;
    this.#scope = scope;
    this.#lines = lines;
    this.#legacy = new SseSession(parts, {
      scope,
      caller: LOCAL_CALLER,
      write: (text) => lines.write(text),
      tell: (text) => lines.tell(text),
      drained: lines.drained,
    });
  }

  take(line: string): readonly Promise<void>[] {
    try {
      const { messages, isBatch } = readMessages(line);
      if (isBatch) checkBatch(this.#legacy.session.client.revision);
      return messages.map((message) => this.#take(message).catch(this.#parts.onInternalError));
    } catch (thrown) {
      this.#lines.write(writeFailure(requestIdIn(line), thrown));
      return [];
    }
  }

  end(): void {
    this.#legacy.session.end();
    this.#modern.cancelAll();
  }

  async #take(message: Message): Promise<void> {
    if (message.kind === 'notification' && this.#modern.cancelBy(message.message)) return;
    if (message.kind === 'request' && eraOf(message.message, {}) === 'modern') {
      await this.#answerModern(message.message);
    } else {
      await this.#legacy.take(message);
    }
  }

  async #answerModern(request: JsonRpcRequest): Promise<void> {
    const { id } = request;
    const { signal, end } = this.#modern.begin(id);
    try {
      const call = modernCall(request, {
        caller: LOCAL_CALLER,
        scope: this.#scope,
        reply: {
          notify: (notification) => {
            if (!signal.aborted) this.#lines.tell(JSON.stringify(notification));
          },
          drained: this.#lines.drained,
        },
        signal,
      });
      const { text } = await answerCall(this.#parts, call);
      if (!signal.aborted) this.#lines.write(text());
    } catch (thrown) {
      this.#lines.write(writeFailure(id, thrown));
    } finally {
      end();
    }
  }
}

/** Serves the endpoint over two pipes until one of them ends or the signal aborts. */
export const serveStdio = (
  parts: ChannelParts,
  scope: Scope,
  streams: StdioStreams,
  signal: AbortSignal,
): Promise<void> => serveLines(streams, (lines) => new StdioConversation(parts, scope, lines), signal);
