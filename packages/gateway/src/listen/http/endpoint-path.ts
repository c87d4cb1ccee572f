import { type Caller, LOCAL_CALLER } from '../../call/caller.js';
import type { Scope } from '../../call/scope.js';
import type { Scopes } from '../../offer/scope/scopes.js';

/** How an endpoint is spoken to: Streamable HTTP, or one of the two halves of HTTP+SSE. */
export type EndpointTransport = 'mcp' | 'sse' | 'messages';

export interface EndpointPath {
  readonly transport: EndpointTransport;
  /** Throws when there is no such server or toolset, or the caller may not use it. */
  readonly scope: (caller?: Caller) => Scope;
}

const TRANSPORTS: ReadonlySet<string> = new Set(['mcp', 'sse', 'messages']);

const isTransport = (segment: string | undefined): segment is EndpointTransport =>
  segment !== undefined && TRANSPORTS.has(segment);

/** The MCP endpoint at a path: `/mcp`, `/servers/{name}/mcp`, `/toolsets/{name}/mcp`, and HTTP+SSE beside each. */
export const endpointAt = (scopes: Scopes, segments: readonly string[]): EndpointPath | undefined => {
  const [head, name, transport, ...rest] = segments;
  if (rest.length > 0) return undefined;
  if (isTransport(head) && name === undefined) {
    return { transport: head, scope: (caller = LOCAL_CALLER) => scopes.for(scopes.all, caller) };
  }
  if (name === undefined || !isTransport(transport)) return undefined;
  switch (head) {
    case 'servers':
      return { transport, scope: (caller = LOCAL_CALLER) => scopes.for(scopes.server(name, caller), caller) };
    case 'toolsets':
      return { transport, scope: (caller = LOCAL_CALLER) => scopes.for(scopes.toolset(name, caller), caller) };
    default:
      return undefined;
  }
};
