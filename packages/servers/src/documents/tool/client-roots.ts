import {
  inputRequired,
  inputResponse,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';

const KEY = 'roots';

export type ClientRoots =
  | { readonly kind: 'none' }
  | { readonly kind: 'ask'; readonly result: InputRequiredResult }
  | { readonly kind: 'known'; readonly uris: readonly string[] };

/** The roots of a client that has some: asked for in the way of its era, known when the call comes again. */
export const clientRoots = (server: McpServer, { mcpReq }: ServerContext): ClientRoots => {
  if (server.server.getClientCapabilities()?.roots === undefined) return { kind: 'none' };
  const answer = inputResponse(mcpReq.inputResponses, KEY);
  if (answer.kind === 'roots') return { kind: 'known', uris: answer.roots.map(({ uri }) => uri) };
  return { kind: 'ask', result: inputRequired({ inputRequests: { [KEY]: inputRequired.listRoots() } }) };
};
