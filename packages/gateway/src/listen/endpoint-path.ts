import type { Scope } from '../scope/scope.js';
import type { Scopes } from '../scope/scopes.js';

/** How an endpoint is spoken to: Streamable HTTP, or one of the two halves of HTTP+SSE. */
export type EndpointDoor = 'mcp' | 'sse' | 'messages';

export interface EndpointPath {
  readonly door: EndpointDoor;
  /** Throws when there is no such server or toolset, or it may not be used. */
  readonly scope: () => Scope;
}

const DOORS: ReadonlySet<string> = new Set(['mcp', 'sse', 'messages']);

const isDoor = (segment: string | undefined): segment is EndpointDoor => segment !== undefined && DOORS.has(segment);

/** The MCP endpoint at a path: `/mcp`, `/servers/{name}/mcp`, `/toolsets/{name}/mcp`, and HTTP+SSE beside each. */
export const endpointAt = (scopes: Scopes, segments: readonly string[]): EndpointPath | undefined => {
  const [head, name, door, ...rest] = segments;
  if (rest.length > 0) return undefined;
  if (isDoor(head) && name === undefined) return { door: head, scope: () => scopes.all };
  if (name === undefined || !isDoor(door)) return undefined;
  switch (head) {
    case 'servers':
      return { door, scope: () => scopes.server(name) };
    case 'toolsets':
      return { door, scope: () => scopes.toolset(name) };
    default:
      return undefined;
  }
};
