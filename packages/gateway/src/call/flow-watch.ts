import { CallFlow } from './call-flow.js';
import type { ClientSession, McpCall } from './mcp-call.js';

/** A message that the hub sent or received. */
export interface FollowedMessage {
  readonly direction: 'sent' | 'received';
  /** The server that it came from or went to; left out for a client. */
  readonly server?: string | undefined;
  /** The transport of a server; of a client `http`, `sse`, `stdio` or `in-process`. */
  readonly transport: string;
  /** Where the client sent it. */
  readonly endpoint?: string | undefined;
  /** A JSON-RPC message, or its text. */
  readonly message: unknown;
  readonly callId: string | undefined;
  /** Takes the secrets of a server out of a text. */
  readonly redact?: ((text: string) => string) | undefined;
}

/** Follows requests and messages while somebody looks for a fault. Closed, it costs one question per request. */
export interface FlowWatch {
  readonly followsCalls: boolean;
  readonly followsMessages: boolean;
  newCallId(): string;
  see(message: FollowedMessage): void;
  /** Something happened that belongs to no request. */
  note(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** A session id opens the session: only its beginning may be seen. */
export const shortId = (id: string): string => id.slice(0, 8);

type Followed = Pick<McpCall, 'id' | 'client'> & {
  readonly session: Pick<ClientSession, 'id'> | undefined;
};

export const beginFlow = (flows: FlowWatch, { id, client, session }: Followed): CallFlow =>
  new CallFlow({
    callId: flows.newCallId(),
    id,
    revision: client.revision.id,
    session: session && shortId(session.id),
    agent: client.caller.agent,
  });

/** The request with what is needed to follow it; as it is while nobody does. */
export const followed = (flows: FlowWatch | undefined, call: McpCall): McpCall => {
  if (flows?.followsCalls !== true || call.notes?.flow !== undefined) return call;
  const flow = call.sent?.flow ?? beginFlow(flows, call);
  flow.obstacle ??= call.obstacle;
  return { ...call, notes: { ...call.notes, flow } };
};

/** What the hub sends while it answers a request is seen as well. */
export const withSeenReply = (flows: FlowWatch, call: McpCall, transport: string): McpCall => {
  const callId = call.notes?.flow?.subject.callId;
  const see = (direction: FollowedMessage['direction'], message: unknown): void =>
    flows.see({ direction, transport, endpoint: call.scope.id, message, callId });
  const { reply } = call;
  const { ask } = reply;
  return {
    ...call,
    reply: {
      ...reply,
      notify: (notification) => {
        see('sent', notification);
        reply.notify(notification);
      },
      ...(ask === undefined
        ? {}
        : {
            ask: async (method, params, signal) => {
              see('sent', { jsonrpc: '2.0', id: '?', method, params });
              const result = await ask(method, params, signal);
              see('received', { jsonrpc: '2.0', id: '?', result });
              return result;
            },
          }),
    },
  };
};
