import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ByteBudget, Room } from '@plugboard/client';
import type { JsonRpcMessage } from '@plugboard/wire';
import type { Caller } from '../call/caller.js';
import type { FleetSide } from '../call/fleet-side.js';
import type { SentCall } from '../call/sent-call.js';
import type { Answered, AnswerParts } from './answer-call.js';
import type { HttpSession } from './http-session.js';
import type { OpenSessionParts } from './open-session.js';
import type { ParamHeaderCheck } from './param-headers.js';
import type { SessionRevival } from './session-revival.js';
import type { SessionTable } from './session-table.js';
import type { SseSession } from './sse-session.js';
import type { Scope } from '../call/scope.js';
import type { BackpressureOptions } from '../http/backpressure-writer.js';
import type { BodyLimits } from '../http/read-body.js';

/** What all endpoints need. */
export interface ListenerParts extends AnswerParts, OpenSessionParts {
  readonly sessions: SessionTable<HttpSession>;
  /** Continues sessions of an earlier process; without it, they are over. */
  readonly revival?: SessionRevival | undefined;
  readonly sseSessions: SessionTable<SseSession>;
  readonly paramHeaders: ParamHeaderCheck;
  readonly bodyLimits: BodyLimits;
  /** How far clients may fall behind. */
  readonly backpressure?: BackpressureOptions | undefined;
  /** Memory for what is sent by and to callers. */
  readonly memory?: ByteBudget | undefined;
  /** The processes that serve the same clients; undefined when there is one. */
  readonly fleet?: FleetSide | undefined;
}

/** A reply that has become an event stream, or may. */
export interface StartedReply {
  /** Does it outlive its connection, because the client can come back for the rest? */
  readonly canResume: boolean;
  /** Undefined while the client reads what it is sent. */
  readonly drained: () => Promise<void> | undefined;
  /** A message before the result. */
  deliver(message: JsonRpcMessage): void;
  /** The same for one that is written already. */
  deliverText(message: string): void;
  finish(answer: Pick<Answered, 'text' | 'bytes' | 'pieces'> & Partial<Pick<Answered, 'status'>>): void;
  /** There will be no result. */
  abandon(): void;
  /** Nothing more is sent through it. */
  release(): void;
}

/** One HTTP request at an MCP endpoint. */
export interface HttpTurn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly scope: Scope;
  readonly caller: Caller;
  /** Why it did not take the fast path; known only while somebody follows requests. */
  readonly obstacle?: string | undefined;
  /** Present when the message in the body was sent to its server already. */
  readonly sent?: SentCall | undefined;
  /** The reply that its answer has to go on with, where progress was told already. */
  readonly started?: StartedReply | undefined;
  /** How long its body is, once it was read. */
  readonly bodyBytes?: number | undefined;
}

/** How far this client may fall behind, and whose share of memory its queue counts against. */
export const backpressureOf = (
  { backpressure, memory }: ListenerParts,
  { caller }: HttpTurn,
): BackpressureOptions | undefined =>
  memory === undefined
    ? backpressure
    : {
        maxQueuedBytes: backpressure?.maxQueuedBytes,
        stallMs: backpressure?.stallMs,
        room: () => memory.room(caller.principal),
      };

/** Room for the body of a request until it is answered. */
export const bodyRoom = (
  { memory }: Pick<ListenerParts, 'memory'>,
  { caller, response }: Pick<HttpTurn, 'caller' | 'response'>,
): Room | undefined => {
  const room = memory?.room(caller.principal);
  if (room !== undefined) response.once('close', () => room[Symbol.dispose]());
  return room;
};

/** Missing means anything, as HTTP has it. */
export const acceptsStream = ({ request }: HttpTurn): boolean => {
  const { accept } = request.headers;
  return accept === undefined ? false : /text\/event-stream|\*\/\*|text\/\*/u.test(accept);
};

/** Aborts when the client goes away before its answer is complete. */
export const whenGone = ({ response }: Pick<HttpTurn, 'response'>, listener: () => void): (() => void) => {
  response.once('close', listener);
  return () => response.off('close', listener);
};
