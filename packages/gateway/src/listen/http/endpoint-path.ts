import { type Caller, LOCAL_CALLER } from '../../call/caller.js';
import type { Scope } from '../../call/scope.js';
import type { Scopes } from '../../offer/scope/scopes.js';

/** How an endpoint is spoken to: Streamable HTTP, or one of the two halves of HTTP+SSE. */
export type EndpointDoor = 'mcp' | 'sse' | 'messages';

export interface EndpointPath {
  readonly door: EndpointDoor;
  /** Throws when there is no such server or toolset, or the caller may not use it. */
  readonly scope: (caller?: Caller) => Scope;
}

const DOORS: ReadonlySet<string> = new Set(['mcp', 'sse', 'messages']);

const isDoor = (segment: string | undefined): segment is EndpointDoor => segment !== undefined && DOORS.has(segment);

/** The MCP endpoint at a path: `/mcp`, `/servers/{name}/mcp`, `/toolsets/{name}/mcp`, and HTTP+SSE beside each. */
export const endpointAt = (scopes: Scopes, segments: readonly string[]): EndpointPath | undefined => {
  const [head, name, door, ...rest] = segments;
  if (rest.length > 0) return undefined;
  if (isDoor(head) && name === undefined) {
    return { door: head, scope: (caller = LOCAL_CALLER) => scopes.for(scopes.all, caller) };
  }
  if (name === undefined || !isDoor(door)) return undefined;
  switch (head) {
    case 'servers':
      return { door, scope: (caller = LOCAL_CALLER) => scopes.for(scopes.server(name, caller), caller) };
    case 'toolsets':
      return { door, scope: (caller = LOCAL_CALLER) => scopes.for(scopes.toolset(name, caller), caller) };
    default:
      return undefined;
  }
};
