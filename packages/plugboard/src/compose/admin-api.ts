import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type AdminAppOptions, createAdminApp } from '@plugboard/registry';
import type { ComposedAccess } from './compose-access.js';

export interface AdminApi {
  /** Answers a request of a node:http server. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;
  /** Answers a caller in this process, who has already opened the store. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

export const openAdminApi = (
  parts: AdminAppOptions,
  { admit, challenging }: Pick<ComposedAccess, 'admit' | 'challenging'>,
): AdminApi => ({
  // The library would replace the global Request and Response, which other code compares with.
  handle: getRequestListener(challenging(createAdminApp({ ...parts, admit })), { overrideGlobalObjects: false }),
  fetch: createAdminApp(parts).fetch,
});
