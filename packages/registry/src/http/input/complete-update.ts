import type { ServerType } from '@plugboard/contract';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Letta's clients may leave the kind of server out of a change: it is the one that the server has. */
export const completeServerUpdate = (body: unknown, type: ServerType): unknown =>
  isObject(body) && isObject(body['config']) && body['config']['mcp_server_type'] === undefined
    ? { ...body, config: { ...body['config'], mcp_server_type: type } }
    : body;
