import type { JsonObject } from '@plugboard/base';
import type { JsonRpcNotification, JsonRpcRequest } from '../envelope/json-rpc.js';

/** legacy: a handshake opens a session. modern: every request carries what the server must know. */
export type Era = 'legacy' | 'modern';

export const REVISION_IDS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type RevisionId = (typeof REVISION_IDS)[number];

/** What a revision can do, as far as somebody behaves differently because of it. */
export interface Features {
  readonly batching: boolean;
  readonly protocolVersionHeader: boolean;
  readonly methodHeaders: boolean;
  readonly sessions: boolean;
  readonly serverRequests: boolean;
  readonly elicitation: boolean;
  /** An elicitation says whether it shows a form or a page. */
  readonly elicitationModes: boolean;
  readonly structuredOutput: boolean;
  readonly inputRequired: boolean;
  readonly subscriptionsListen: boolean;
  readonly resumableStreams: boolean;
  /** A stream that can be resumed starts with an event that has an id and no message. */
  readonly primedStreams: boolean;
  /** Tasks belong to the protocol itself; later they are an extension. */
  readonly tasks: boolean;
  readonly ping: boolean;
  readonly setLevel: boolean;
  readonly cacheHints: boolean;
}

/** Who may send which method. */
export interface MethodSets {
  readonly clientRequests: ReadonlySet<string>;
  readonly clientNotifications: ReadonlySet<string>;
  readonly serverRequests: ReadonlySet<string>;
  readonly serverNotifications: ReadonlySet<string>;
}

/** Who asks, as the modern era tells it with every request. */
export interface RequestIdentity {
  readonly clientInfo?: JsonObject | undefined;
  readonly clientCapabilities: JsonObject;
  readonly logLevel?: string | undefined;
}

export interface Revision {
  readonly id: RevisionId;
  readonly era: Era;
  readonly features: Features;
  readonly methods: MethodSets;
  /** The params of a request as this revision sends them; members that the caller set himself win. */
  readonly encodeParams: (params: unknown, identity: RequestIdentity) => unknown;
  /** The HTTP fields that belong to a message after the handshake. */
  readonly httpHeaders: (message: JsonRpcRequest | JsonRpcNotification) => Readonly<Record<string, string>>;
}
