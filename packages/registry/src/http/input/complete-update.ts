import { isJsonObject } from '@plugboard/base';
import type { ServerType } from '@plugboard/contract';

/** Letta's clients may leave the kind of server out of a change: it is the one that the server has. */
export const completeServerUpdate = (body: unknown, type: ServerType): unknown =>
  isJsonObject(body) && isJsonObject(body['config']) && body['config']['mcp_server_type'] === undefined
    ? { ...body, config: { ...body['config'], mcp_server_type: type } }
    : body;
