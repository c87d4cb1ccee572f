import { randomUUID } from 'node:crypto';
import { keepConfig, revealConfig, type ConnectConfig, type Server, type ServerId } from '@plugboard/contract';
import type { SecretBox } from '../secret/secret-box.js';
import { createEnvelopeSecretBox } from '../secret/envelope-secret-box.js';
import type { Store, StoredTool } from '../store/store.js';

/** How the suite gets at an engine: every `open` of one instance sees the same, at first empty, database. */
export interface StoreUnderTest {
  open(box: SecretBox): Promise<Store>;
  /** Every text that the database holds, for what must not be in it. */
  dump(): Promise<string>;
  /** Runs one statement behind the store's back. */
  tamper(statement: string): Promise<void>;
  dispose(): Promise<void>;
}

/** A store that is open, and what it stands on. */
export interface OpenStore {
  readonly subject: StoreUnderTest;
  readonly store: Store;
}

export const AT = '2026-01-02T03:04:05.678Z';
export const box = createEnvelopeSecretBox({ masterKey: new Uint8Array(32).fill(7) });

export const sampleServer = (name: string, config?: ConnectConfig): Server => ({
  id: `mcp_server-${randomUUID()}`,
  server_name: name,
  config: keepConfig(config ?? { mcp_server_type: 'stdio', command: 'node', args: ['server.js'] }),
  enabled: true,
  protocol: null,
  last_sync: null,
  created_at: AT,
  updated_at: AT,
});

/** Secrets look all alike when they are compared, so they are opened first. */
export const opened = (server: Server) => ({ ...server, config: revealConfig(server.config) });

export const sampleTool = (serverId: ServerId, upstreamName: string, position = 0): StoredTool => ({
  id: `tool-${randomUUID()}`,
  serverId,
  upstreamName,
  position,
  definition: {
    name: upstreamName,
    description: 'Zürich → \u0000 ✓',
    inputSchema: { type: 'object' },
    _meta: { x: 1 },
  },
  grade: { status: 'STRICT_COMPLIANT', reasons: [] },
  providers: undefined,
  tags: ['mine'],
  switchedOff: false,
  contractHash: 'hash',
  normalised: undefined,
  quarantine: undefined,
  absentSince: undefined,
  createdAt: AT,
  updatedAt: AT,
});

export const insert = (store: Store, server: Server): Promise<void> =>
  store.transaction((tx) => tx.insertServer(server));

export const everything = async (store: Store) => (await store.changesSince(0)).changed;
