import type { ToolDefinition } from '@plugboard/contract';
import { isJsonObject, type JsonObject } from '@plugboard/wire';
import type { Deadlines } from '../client-options.js';
import { isRepeatableMethod, isRepeatableTool } from '../delivery/repeatable.js';
import type { McpClientError } from '../error/client-error.js';
import type { Redact } from '../error/redact.js';
import { toClientError } from '../error/to-client-error.js';
import type { ClientIdentity } from '../negotiate/agreement.js';
import type { CallContext, Policy } from '../policy/policy.js';
import type { RequestOptions } from '../request-options.js';
import { exchangeCall } from './exchange-call.js';
import type { Inbox } from './inbox.js';
import type { LiveSession } from './live-session.js';
import type { SessionKeeper } from './session-keeper.js';
import { mirrorsParams, paramHeadersOf, type ToolFacts } from './tool-facts.js';

export interface CallPathOptions {
  readonly serverName: string;
  readonly host: string;
  readonly policy: Policy;
  readonly keeper: SessionKeeper;
  readonly inbox: Inbox;
  readonly tools: ToolFacts;
  readonly deadlines: Deadlines;
  readonly redact: Redact;
  readonly identity: () => ClientIdentity;
  readonly nextId: () => number;
  /** The session turned out to be gone while a call was using it. */
  readonly onLost: (live: LiveSession, error: McpClientError) => Promise<void>;
}

interface Call {
  readonly method: string;
  readonly params: unknown;
  readonly options: RequestOptions & { readonly signal: AbortSignal };
  readonly tool: ToolDefinition | undefined;
}

const IDEMPOTENCY_META = 'dev.plugboard/idempotencyKey';

const withMeta = (params: unknown, extra: JsonObject): JsonObject => {
  const given = isJsonObject(params) ? params : {};
  return { ...given, _meta: { ...(isJsonObject(given['_meta']) ? given['_meta'] : {}), ...extra } };
};

const toolNameOf = (method: string, params: unknown): string | undefined =>
  method === 'tools/call' && isJsonObject(params) && typeof params['name'] === 'string' ? params['name'] : undefined;

/** The way of a request: policies, then a live session, then the wire. */
export class CallPath {
  readonly #options: CallPathOptions;

  constructor(options: CallPathOptions) {
    this.#options = options;
  }

  send(method: string, params: unknown, options: Call['options']): Promise<unknown> {
    const toolName = toolNameOf(method, params);
    const tool = options.tool ?? this.#options.tools.find(toolName);
    const idempotent =
      options.readOnly ??
      (options.idempotencyKey !== undefined ||
        isRepeatableMethod(method) ||
        (toolName !== undefined && isRepeatableTool(tool)));
    const context: CallContext = {
      serverName: this.#options.serverName,
      method,
      toolName,
      caller: options.caller,
      attempt: 1,
      idempotent,
      signal: options.signal,
    };
    return this.#options.policy(context, (current) => this.#attempt(current, { method, params, options, tool }));
  }

  async #attempt(context: CallContext, call: Call): Promise<unknown> {
    const live = await this.#options.keeper.acquire(context.signal);
    context.onActivity?.('connected');
    try {
      return await this.#exchange(live, context, call);
    } catch (thrown) {
      const error = toClientError(thrown);
      if (error.kind === 'session' || error.kind === 'process') {
        await this.#options.onLost(live, error);
      }
      throw error;
    }
  }

  #exchange(live: LiveSession, context: CallContext, { method, params, options, tool }: Call): Promise<unknown> {
    const { deadlines, inbox, identity, nextId, host, redact } = this.#options;
    const key = options.idempotencyKey;
    return exchangeCall(live, {
      method,
      params: key === undefined ? params : withMeta(params, { [IDEMPOTENCY_META]: key }),
      signal: context.signal,
      deadlineMs: options.deadlineMs ?? (method.endsWith('/list') ? deadlines.listMs : deadlines.callMs),
      maxMs: Math.max(deadlines.maxCallMs, options.deadlineMs ?? 0),
      idleMs: deadlines.idleMs,
      headers: {
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(method === 'tools/call' && mirrorsParams(live) ? paramHeadersOf(tool, params) : {}),
        ...options.headers,
      },
      logLevel: options.logLevel,
      onProgress: options.onProgress,
      onActivity: context.onActivity,
      onIncoming: (incoming, onAnswered) => {
        const { onNotification, onRequest } = options;
        inbox.receive(incoming, live.transport, { onNotification, onRequest, onAnswered });
      },
      identity: identity(),
      nextId,
      host,
      redact,
    });
  }
}
