import { nativeSignal } from '@plugboard/base';
import type { ToolDefinition } from '@plugboard/contract';
import { isJsonObject, type JsonObject } from '@plugboard/wire';
import type { Endable } from '../deadline/call-deadline.js';
import type { DeadlineHint, Deadlines } from '../deadline/deadlines.js';
import { DirectAccess } from '../fast-path/direct-access.js';
import type { FastLine } from '../fast-path/line/fast-line.js';
import { callPolicy } from './call-policy.js';
import type { RetryOptions } from '../retry/retry.js';
import type { UnderWay } from '../fast-path/line/sent-request.js';
import { isIdempotentMethod, isIdempotentTool } from '../retry/idempotent.js';
import { waitWithSignal } from '../deadline/wait-with-signal.js';
import type { McpClientError } from '../error/client-error.js';
import type { Redact } from '../redact/redaction.js';
import { toClientError } from '../error/to-client-error.js';
import type { ClientIdentity } from '../negotiate/agreement.js';
import { type CallContext, type CallPolicies, endingOf, isUnderWay, type Policy } from '../policy/policy.js';
import type { RequestOptions } from './request-options.js';
import { sendCall } from './send-call.js';
import type { Inbox } from '../session/inbox.js';
import type { LiveSession } from '../session/live-session.js';
import type { SessionKeeper } from '../session/session-keeper.js';
import { mirrorsParams, paramHeadersOf, type ToolFacts } from './tool-facts.js';

export interface CallPathOptions {
  readonly policies: CallPolicies | undefined;
  readonly retries: RetryOptions;
  readonly deadlineHint: DeadlineHint | undefined;
  readonly serverName: string;
  readonly host: string;
  readonly keeper: SessionKeeper;
  readonly inbox: Inbox;
  readonly tools: ToolFacts;
  readonly deadlines: Deadlines;
  readonly redact: Redact;
  readonly identity: () => ClientIdentity;
  readonly nextId: () => number;
  /** The session turned out to be gone while a call was using it. */
  readonly onLost: (live: LiveSession, error: McpClientError) => Promise<void>;
  /** While the stream for what the server sends unasked is being opened. */
  readonly opening: () => Promise<void> | undefined;
}

interface Call {
  readonly method: string;
  readonly params: unknown;
  readonly options: RequestOptions;
  readonly tool: ToolDefinition | undefined;
  readonly underWay?: UnderWay | undefined;
}

const isList = (method: string): boolean => method.endsWith('/list');

/** What a server may need an answer of its client for. */
const MAY_ASK: ReadonlySet<string> = new Set(['prompts/get', 'resources/read', 'tools/call']);

const IDEMPOTENCY_META = 'dev.plugboard/idempotencyKey';

const withMeta = (params: unknown, extra: JsonObject): JsonObject => {
  const given = isJsonObject(params) ? params : {};
  return { ...given, _meta: { ...(isJsonObject(given['_meta']) ? given['_meta'] : {}), ...extra } };
};

const toolNameOf = (method: string, params: unknown): string | undefined =>
  method === 'tools/call' && isJsonObject(params) && typeof params['name'] === 'string' ? params['name'] : undefined;

/** The full path of a call: policies and retries, then a live session, then its transport. */
export class CallPath {
  readonly #options: CallPathOptions;
  readonly #policy: Policy;
  readonly #direct: DirectAccess;
  /** Policies without a gate are those of a program: they may hand the signal to anything. */
  readonly #policiesAreGiven: boolean;

  constructor(options: CallPathOptions) {
    this.#options = options;
    const { policies, retries, deadlines, nextId } = options;
    this.#policy = callPolicy(policies ?? {}, retries);
    this.#policiesAreGiven = policies !== undefined && policies.gate === undefined;
    this.#direct = new DirectAccess({
      policies,
      callMs: Math.min(deadlines.callMs, ...Object.values(deadlines.toolMs ?? {})),
      nextId,
    });
  }

  /** The fast path, for requests that need nothing of this. */
  get direct(): FastLine | undefined {
    return this.#direct.to(this.#options.keeper.live);
  }

  /** @param end its signal ends the call; a deadline that is over aborts it. */
  send(method: string, params: unknown, options: RequestOptions, end: Endable): Promise<unknown> {
    const toolName = toolNameOf(method, params);
    const tool = options.tool ?? this.#options.tools.find(toolName);
    const idempotent =
      options.readOnly ??
      (options.idempotencyKey !== undefined ||
        isIdempotentMethod(method) ||
        (toolName !== undefined && isIdempotentTool(tool)));
    const underWay = options.underWay?.isOpen === true ? options.underWay : undefined;
    const context: CallContext = {
      serverName: this.#options.serverName,
      method,
      toolName,
      caller: options.caller,
      attempt: 1,
      idempotent,
      patienceMs: options.patienceMs ?? options.deadlineMs ?? this.#deadlineOf(method, toolName),
      onWait: options.onWait,
      signal: this.#policiesAreGiven ? nativeSignal(end.signal) : end.signal,
      ending: end,
      place: underWay?.place,
      // For the policies to replace: to add a member to a copy costs a multiple of that.
      onProgress: undefined,
    };
    const call = { method, params, options, tool, underWay };
    return this.#policy(context, (current) => this.#attempt(current, call));
  }

  async #attempt(context: CallContext, call: Call): Promise<unknown> {
    // What is in progress belongs to the session that it was sent in, whatever became of that since.
    const underWay = isUnderWay(context) ? call.underWay : undefined;
    const live = underWay?.live ?? (await this.#options.keeper.acquire(context.signal));
    try {
      // A server may ask on the stream of its session what it needs for the call, and drops a question that nobody hears.
      const opening = this.#isAnswered(call) ? this.#options.opening() : undefined;
      if (opening !== undefined) await waitWithSignal(opening, context.signal, 'not-executed');
      return await this.#send(live, context, { ...call, underWay });
    } catch (thrown) {
      const error = toClientError(thrown);
      if (error.kind === 'session' || error.kind === 'process') await this.#options.onLost(live, error);
      throw error;
    }
  }

  /** Would somebody answer what the server asks during the call? */
  #isAnswered({ method, options }: Call): boolean {
    return options.onRequest !== undefined || (MAY_ASK.has(method) && !this.#options.inbox.requests.isEmpty);
  }

  #deadlineOf(method: string, toolName: string | undefined): number {
    const { toolMs = {}, listMs, callMs } = this.#options.deadlines;
    if (toolName !== undefined && Object.hasOwn(toolMs, toolName)) return toolMs[toolName] ?? callMs;
    return isList(method) ? listMs : callMs;
  }

  #send(live: LiveSession, context: CallContext, call: Call): Promise<unknown> {
    const { method, params, options, tool, underWay } = call;
    const { deadlines, deadlineHint, inbox, identity, nextId, host, redact } = this.#options;
    const { idempotencyKey: key, onProgress, progressUntil, onSend, onNotification, onRequest } = options;
    return sendCall(live, {
      callId: options.callId,
      logLevel: options.logLevel,
      onProgress,
      openLarge: options.openLarge,
      pace: options.pace,
      method,
      params: key === undefined ? params : withMeta(params, { [IDEMPOTENCY_META]: key }),
      signal: context.signal,
      ends: endingOf(context),
      deadlineMs: options.deadlineMs ?? this.#deadlineOf(method, context.toolName),
      deadlineHint:
        options.deadlineMs === undefined
          ? deadlineHint?.(isList(method) ? 'list' : 'call', context.toolName)
          : undefined,
      maxMs: Math.max(deadlines.maxCallMs, options.deadlineMs ?? 0),
      idleMs: deadlines.idleMs,
      headers: {
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(method === 'tools/call' && mirrorsParams(live) ? paramHeadersOf(tool, params) : {}),
        ...options.headers,
      },
      underWay,
      onToken: (token) => {
        onSend?.(token, context.attempt);
        if (onProgress !== undefined && progressUntil !== undefined) {
          inbox.progress.keep(token, onProgress, progressUntil);
        }
      },
      onLife: context.onProgress,
      onBegin: onRequest && ((deliver) => inbox.begin(deliver)),
      onIncoming: (incoming, onAnswered) =>
        inbox.receive(incoming, live.transport, { onNotification, onRequest, onAnswered }),
      identity,
      nextId,
      host,
      redact,
    });
  }
}
