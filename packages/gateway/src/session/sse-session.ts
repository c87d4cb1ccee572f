import { randomUUID } from 'node:crypto';
import { toPlugboardError } from '@plugboard/contract';
import { HTTP_SSE_REVISION, type JsonRpcMessage, type JsonRpcRequest, revisionOf } from '@plugboard/wire';
import type { Caller } from '../call/caller.js';
import { markedId } from '../call/fleet-side.js';
import type { UpstreamPool } from '../connection/upstream-pool.js';
import { writeFailure } from '../rpc/failure-of.js';
import { writeResult } from '../rpc/raw-json.js';
import type { Scope } from '../call/scope.js';
import { answerCall, type AnswerParts } from './answer-call.js';
import { takeNotification } from './client-notification.js';
import { seeOneWay } from './see-one-way.js';
import { legacyCall } from './legacy-call.js';
import { LegacySession } from './legacy-session.js';
import { announceTo, factsFromInitialize, greet, type OpenSessionParts } from './open-session.js';
import { readInitialize } from './read-initialize.js';
import type { Message } from './read-messages.js';

export interface ChannelSessionOptions {
  readonly scope: Scope;
  readonly caller: Caller;
  /** Writes a message to the one channel that the client has. */
  readonly write: (text: string) => void;
  /** Writes what is no answer, where that makes a difference. */
  readonly tell?: ((text: string) => void) | undefined;
  /** Undefined while the client reads what is written. */
  readonly drained?: (() => Promise<void> | undefined) | undefined;
  /** Marks the id of the session. */
  readonly mark?: string | undefined;
}

export interface ChannelParts extends AnswerParts, OpenSessionParts {
  readonly upstream: UpstreamPool;
}

/** A legacy client that has one channel for everything: HTTP+SSE, or a pipe. */
export class SseSession {
  readonly session: LegacySession;
  readonly #parts: ChannelParts;
  readonly #options: ChannelSessionOptions;
  #announced = false;

  constructor(parts: ChannelParts, options: ChannelSessionOptions) {
    this.#parts = parts;
    this.#options = options;
    const revision = revisionOf(HTTP_SSE_REVISION);
    const { write, tell = write } = options;
    this.session = new LegacySession({
      id: markedId(options.mark, randomUUID()),
      scope: options.scope,
      client: { revision, capabilities: {}, clientInfo: undefined, caller: options.caller },
      deliver: (message: JsonRpcMessage) => tell(JSON.stringify(message)),
      drained: options.drained,
    });
  }

  /** Takes one message; answers go out over the channel. */
  async take(message: Message): Promise<void> {
    switch (message.kind) {
      case 'notification':
        seeOneWay(this.#parts, this.session.scope, message.message);
        takeNotification(this.#parts.upstream, this.session, message.message);
        return;
      case 'result':
      case 'failure':
        seeOneWay(this.#parts, this.session.scope, message.message);
        this.session.settle(message.message);
        return;
      case 'request':
        await (message.message.method === 'initialize'
          ? this.#initialize(message.message)
          : this.#answer(message.message));
    }
  }

  /** What the client is becomes known only now; its way back stays the same. */
  async #initialize(request: JsonRpcRequest): Promise<void> {
    const { id, params } = request;
    const { scope } = this.#options;
    seeOneWay(this.#parts, scope, request);
    try {
      const introduction = readInitialize(params);
      this.session.identify(factsFromInitialize(introduction, this.#options.caller));
      const result = await greet(this.#parts, this.#options.scope, introduction, this.session);
      if (this.session.ended) return;
      if (!this.#announced) announceTo(this.#parts, this.session);
      this.#announced = true;
      const text = writeResult(id, result);
      seeOneWay(this.#parts, scope, text, 'sent');
      this.#options.write(text);
    } catch (thrown) {
      if (toPlugboardError(thrown).code === 'INTERNAL') this.#parts.onInternalError(thrown);
      this.#options.write(writeFailure(id, thrown));
    }
  }

  async #answer(request: JsonRpcRequest): Promise<void> {
    const { session } = this;
    const { signal, end } = session.begin(request.id);
    const { scope, client, channel } = session;
    try {
      const { text } = await answerCall(
        this.#parts,
        legacyCall(request, { scope, client, session, reply: channel, signal }),
      );
      if (!signal.aborted) this.#options.write(text());
    } finally {
      end();
    }
  }
}
