import { createHash } from 'node:crypto';
import type { ServerId, ToolId } from '@plugboard/contract';

/**
 * The id of a new tool. It follows from the server and the name that the server uses, so what refers to the id, such as
 * the denials of an agent, still means this tool when its row was forgotten and the server lists it again.
 */
export const toolIdOf = (serverId: ServerId, upstreamName: string): ToolId => {
  const hex = createHash('sha256')
    .update(JSON.stringify([serverId, upstreamName]))
    .digest('hex');
  // the shape of a UUID made by hashing (RFC 9562, version 8)
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `tool-${parts.join('-')}`;
};
