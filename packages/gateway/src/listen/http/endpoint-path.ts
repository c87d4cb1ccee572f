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

/** How the endpoint at a path is spoken to; undefined where there is none. Whether its server exists is not looked at. */
export const transportAt = ([head, name, transport, ...rest]: readonly string[]): EndpointTransport | undefined => {
  if (isTransport(head) && name === undefined) return head;
  const isNamed = (head === 'servers' || head === 'toolsets') && name !== undefined && rest.length === 0;
  return isNamed && isTransport(transport) ? transport : undefined;
};

/** The MCP endpoint at a path: `/mcp`, `/servers/{name}/mcp`, `/toolsets/{name}/mcp`, and HTTP+SSE beside each. */
export const endpointAt = (scopes: Scopes, segments: readonly string[]): EndpointPath | undefined => {
  const transport = transportAt(segments);
  if (transport === undefined) return undefined;
  const [head, name] = segments;
  return {
    transport,
    scope: (caller = LOCAL_CALLER) => {
      if (name === undefined) return scopes.for(scopes.all, caller);
      return scopes.for(head === 'servers' ? scopes.server(name, caller) : scopes.toolset(name, caller), caller);
    },
  };
};
