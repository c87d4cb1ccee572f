import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { McpClient } from '@plugboard/client';
import { UpstreamPool } from '@plugboard/gateway';
import {
  createAdminApp,
  createEnvelopeSecretBox,
  createRegistry,
  openSqliteStore,
  type AdminAppOptions,
  type Registry,
} from '@plugboard/registry';

export interface AdminHub {
  readonly url: string;
  readonly registry: Registry;
  readonly close: () => Promise<void>;
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const openRegistry = async (file: string, pool: UpstreamPool): Promise<Registry> =>
  createRegistry({
    store: await openSqliteStore({ file, secretBox: createEnvelopeSecretBox({ masterKey: randomBytes(32) }) }),
    reach: {
      listTools: (server, options) => pool.use(server, (client) => client.listTools(options)),
      callTool: (server, call, options) =>
        pool.use(server, (client) => client.callTool(call.name, call.arguments, options)),
      protocol: (id) => pool.peek(id)?.protocol,
      release: (id) => pool.release(id),
      onToolsChanged: (listener) => pool.onToolsChanged(listener),
    },
    clock: { now: () => Date.now() },
    log: silent,
  });

/** The admin API on a real socket, over a real store in a folder of its own and real connections to servers. */
export const startAdminHub = async (limits: AdminAppOptions['limits'] = {}): Promise<AdminHub> => {
  const home = await mkdtemp(join(tmpdir(), 'plugboard-admin-'));
  const pool = new UpstreamPool({
    idleMs: 60_000,
    makeClient: ({ config, server_name: name }) => new McpClient({ config, name }),
  });
  const registry = await openRegistry(join(home, 'store.db'), pool);
  const app = createAdminApp({ registry, version: '0.0.0-test', log: silent, limits });
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    registry,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await registry.close();
      await pool.close();
      await rm(home, { recursive: true, force: true });
    },
  };
};
