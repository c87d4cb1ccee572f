import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ConnectConfig } from '@plugboard/contract';
import { PlugboardError } from '@plugboard/contract';

/** Names the hub that a request has passed through. */
export const HOP_HEADER = 'x-plugboard-hop';
/** The same for a program of a hub that is a client of a hub. */
export const HOP_VARIABLE = 'PLUGBOARD_HOP';

/** The same for all processes on one store, and telling nothing of their key. */
export const hubId = (taskKey: Uint8Array): string =>
  createHash('sha256').update('hub id').update(taskKey).digest('base64url').slice(0, 16);

/** The config with the name of this hub in every request; a program gets it in its environment. */
export const withHop = <Config extends ConnectConfig>(config: Config, id: string): Config =>
  config.mcp_server_type === 'stdio'
    ? { ...config, env: { ...config.env, [HOP_VARIABLE]: id } }
    : { ...config, custom_headers: { ...config.custom_headers, [HOP_HEADER]: id } };

/** A hub that is a server of its own would list its tools within its tools, and so on without end. */
export const assertNoLoop = (headers: IncomingHttpHeaders, id: string): void => {
  const hops = headers[HOP_HEADER];
  if (hops === undefined || ![hops].flat().join(',').includes(id)) return;
  throw new PlugboardError('LOOP_DETECTED', 'This request comes from this hub itself.', {
    hint: 'Remove the server that leads back to this hub, and register the servers behind it instead.',
  });
};
