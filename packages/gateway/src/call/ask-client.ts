import { McpProtocolError, type RequestHandler } from '@plugboard/client';
import { RPC_CODE } from '@plugboard/wire';
import type { ReplyChannel } from './mcp-call.js';

/** Passes the questions of a legacy server on to a legacy client: on the stream of the call that caused them, or outside any. */
export const askThrough =
  (reply: ReplyChannel, message = 'The client has no session and cannot be asked.'): RequestHandler =>
  ({ method, params, signal }) => {
    if (method === 'ping') return {};
    if (reply.ask !== undefined) return reply.ask(method, params, signal);
    throw new McpProtocolError('UPSTREAM_PROTOCOL', message, { rpc: { code: RPC_CODE.methodNotFound, message } });
  };
