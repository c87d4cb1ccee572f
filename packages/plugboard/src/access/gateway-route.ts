import type { RouteId } from './route-roles.js';

const DOORS: ReadonlySet<string> = new Set(['mcp', 'sse', 'messages']);

const ofServer = (rest: readonly string[]): RouteId | undefined => {
  const [area, tool, ...more] = rest;
  if (area === undefined) return 'gateway server';
  if (area !== 'tools' || more.length > 0) return undefined;
  return tool === undefined ? 'gateway tools' : 'gateway call';
};

/** Which row of the table a path of the gateway belongs to; undefined when it has none. */
export const gatewayRoute = (segments: readonly string[]): RouteId | undefined => {
  const [head = '', name, ...rest] = segments;
  if (DOORS.has(segments.at(-1) ?? '') && (segments.length === 1 || segments.length === 3)) return 'gateway mcp';
  if (head === 'servers' && name !== undefined) return ofServer(rest);
  if (head === 'toolsets' && name !== undefined && rest.length > 0) return ofServer(rest);
  if (segments.length !== 1) return undefined;
  switch (head) {
    case 'health':
      return 'gateway health';
    case 'ready':
      return 'gateway ready';
    case 'servers':
      return 'gateway servers';
    default:
      return undefined;
  }
};
