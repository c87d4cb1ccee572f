import type { Hint } from '@plugboard/contract';
import {
  buildRequest,
  isJsonObject,
  isModernOnlyCode,
  RPC_CODE,
  type JsonRpcErrorBody,
  type JsonRpcRequest,
  type RequestId,
} from '@plugboard/wire';
import { CallDeadline, type Endable } from '../deadline/call-deadline.js';
import { McpClientError } from '../error/client-error.js';
import { rpcError } from '../error/rpc-error.js';
import { sessionLostError } from '../session/loss/session-loss.js';
import type { Redact } from '../redact/redaction.js';
import type { ClientIdentity } from '../negotiate/agreement.js';
import type { Incoming } from '../transport/transport.js';
import type { RequestOptions } from './request-options.js';
import type { LiveSession } from '../session/live-session.js';
import { progressIn } from '../session/progress.js';
import { tellCancelled } from '../session/tell-cancelled.js';

/** One attempt of a call: what the caller asked for, and what this client knows beside it. */
export interface Attempt extends Pick<
  RequestOptions,
  'callId' | 'headers' | 'logLevel' | 'onProgress' | 'openLarge' | 'pace' | 'underWay'
> {
  readonly method: string;
  readonly params: unknown;
  readonly signal: AbortSignal;
  /** What ends when the deadline is over; when left out, only this attempt. */
  readonly ends?: Endable | undefined;
  readonly deadlineMs: number;
  readonly deadlineHint?: Hint | undefined;
  readonly maxMs: number;
  readonly idleMs?: number | undefined;
  /** Told the token before anything is sent. */
  readonly onToken?: ((token: RequestId) => void) | undefined;
  /** The server reported progress. */
  readonly onLife?: (() => void) | undefined;
  /** @param answered to be called when a request of the server was answered. */
  readonly onIncoming: (incoming: Incoming, answered: () => void) => void;
  /** Told how to hand something to this call while it is in flight; what it returns is called at the end. */
  readonly onBegin?: ((deliver: (incoming: Incoming) => void) => () => void) | undefined;
  readonly identity: () => ClientIdentity;
  readonly nextId: () => number;
  readonly host: string;
  readonly redact: Redact;
}

const withProgressToken = (params: unknown, token: number | string): unknown => {
  const given = isJsonObject(params) ? params : {};
  const meta = isJsonObject(given['_meta']) ? given['_meta'] : {};
  return { ...given, _meta: { ...meta, progressToken: token } };
};

const buildCall = (live: LiveSession, options: Attempt, id: number | string): JsonRpcRequest => {
  const params = options.onProgress === undefined ? options.params : withProgressToken(options.params, id);
  const { revision } = live.agreement;
  // Only modern requests say who sends them.
  const identity = revision.era === 'modern' ? options.identity() : undefined;
  const encoded = revision.encodeParams(params, {
    clientInfo: identity?.clientInfo ?? {},
    clientCapabilities: identity?.capabilities ?? {},
    logLevel: options.logLevel,
  });
  return buildRequest(id, options.method, encoded);
};

const MODERN_META = 'io.modelcontextprotocol/';

const VERSION_TEXT = /protocol version/iu;

/** The server no longer speaks what we agreed on: it was replaced since. */
const isOtherEra = (live: LiveSession, { code, message }: JsonRpcErrorBody): boolean =>
  live.agreement.revision.era === 'legacy'
    ? isModernOnlyCode(code) || (code === RPC_CODE.invalidParams && message.includes(MODERN_META))
    : code === RPC_CODE.unsupportedProtocolVersion || (code === RPC_CODE.serverError && VERSION_TEXT.test(message));

/** While the reader of the call applies backpressure, the server waits for us and its time stands still. */
const paced = (wait: Promise<void>, deadlines: readonly (CallDeadline | undefined)[]): Promise<void> => {
  const resume = deadlines.map((deadline) => deadline?.pause());
  return wait.finally(() => {
    for (const each of resume) each?.();
  });
};

/** One request over a live session, within its deadline. Progress moves the deadline. */
export const sendCall = async (live: LiveSession, options: Attempt): Promise<unknown> => {
  const id = options.underWay?.id ?? options.nextId();
  // `using` would cost more than the deadline itself.
  const deadline = new CallDeadline({
    ms: options.deadlineMs,
    maxMs: options.maxMs,
    spentMs: options.underWay === undefined ? 0 : performance.now() - options.underWay.startedAt,
    parent: options.signal,
    ends: options.ends,
    what: `answer ${options.method}`,
    host: options.host,
    hint: options.deadlineHint,
  });
  const idle =
    options.idleMs === undefined
      ? undefined
      : new CallDeadline({ ms: options.idleMs, parent: deadline.signal, what: 'send anything', host: options.host });
  const { signal } = idle ?? deadline;
  const onIncoming = (incoming: Incoming): void => {
    const told = incoming.kind === 'notification' ? progressIn(incoming.message) : undefined;
    if (told?.token !== id) {
      // The server's clock stands while it waits for an answer of ours.
      const resume = incoming.kind === 'request' ? [deadline.pause(), idle?.pause()] : [];
      options.onIncoming(incoming, () => {
        for (const each of resume) each?.();
      });
      return;
    }
    deadline.extend();
    options.onLife?.();
    options.onProgress?.(told.progress, told.params);
  };
  options.onToken?.(id);
  const end = options.onBegin?.(onIncoming);
  try {
    const message = buildCall(live, options, id);
    const response = await live.transport.request(message, {
      signal,
      onIncoming,
      onActivity: () => idle?.extend(),
      pace:
        options.pace &&
        (() => {
          const wait = options.pace?.();
          return wait && paced(wait, [deadline, idle]);
        }),
      onHeldUp: (until) => void paced(until, [deadline, idle]),
      headers: options.headers,
      underWay: options.underWay,
      callId: options.callId,
      openLarge: options.openLarge,
    });
    if (!('error' in response)) return response.result;
    throw isOtherEra(live, response.error)
      ? sessionLostError('it now speaks another protocol version')
      : rpcError(response.error, options.redact);
  } catch (thrown) {
    if (signal.aborted && thrown instanceof McpClientError && thrown.delivery === 'ambiguous') {
      void tellCancelled(live, id);
    }
    throw thrown;
  } finally {
    end?.();
    idle?.[Symbol.dispose]();
    deadline[Symbol.dispose]();
  }
};
