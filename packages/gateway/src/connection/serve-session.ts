import { ANY_METHOD, McpProtocolError } from '@plugboard/client';
import { RPC_CODE } from '@plugboard/wire';
import type { ClientSession } from '../call/mcp-call.js';
import type { UpstreamLink } from './upstream-link.js';

const refuse = (): never => {
  const message = 'The client cannot be asked now.';
  throw new McpProtocolError('UPSTREAM_PROTOCOL', message, { rpc: { code: RPC_CODE.methodNotFound, message } });
};

/** A connection of one client: what the server asks outside any call goes to that client. */
export const serveSession = (link: UpstreamLink, session: ClientSession): void => {
  link.client.onRequest(ANY_METHOD, ({ method, params, signal }) => {
    if (method === 'ping') return {};
    return session.channel.ask === undefined ? refuse() : session.channel.ask(method, params, signal);
  });
};
