import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerCreate } from '@plugboard/contract';
import { createRegistry, type RegistryOptions } from '../create-registry.js';
import type { Registry } from '../facade/registry.js';
import { createEnvelopeSecretBox } from '../secret/envelope-secret-box.js';
import { openSqliteStore } from '../store/sqlite-store.js';
import type { Store } from '../store/store.js';
import { ScriptedReach } from './scripted-reach.js';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface RegistryFixture extends AsyncDisposable {
  readonly registry: Registry;
  readonly store: Store;
  readonly reach: ScriptedReach;
  readonly lines: LogLine[];
  readonly clock: { now(): number; ms: number };
  readonly openStore: (keyByte?: number) => Promise<Store>;
  /** Another registry on the same file, as another process would open it. */
  readonly reopen: (options?: Partial<RegistryOptions>) => Promise<Registry>;
}

const logInto = (lines: LogLine[]): RegistryOptions['log'] => {
  const at =
    (level: LogLine['level']) =>
    (message: string, fields = {}): void => {
      lines.push({ level, message, fields });
    };
  return { info: at('info'), warn: at('warn'), error: at('error') };
};

export const httpServer = (server_name: string, extra: object = {}): ServerCreate => ({
  server_name,
  config: { mcp_server_type: 'streamable_http', server_url: 'https://tools.example/mcp', ...extra },
});

export const stdioServer = (server_name: string, extra: object = {}): ServerCreate => ({
  server_name,
  config: { mcp_server_type: 'stdio', command: 'node', args: ['server.js'], ...extra },
});

/** A registry on a fresh file, with servers in memory; everything is closed and removed at the end. */
export const registryFixture = async (options: Partial<RegistryOptions> = {}): Promise<RegistryFixture> => {
  const home = await mkdtemp(join(tmpdir(), 'plugboard-registry-'));
  const file = join(home, 'plugboard.db');
  const lines: LogLine[] = [];
  const clock = { ms: Date.parse('2026-01-01T00:00:00Z'), now: () => clock.ms };
  const opened: Registry[] = [];
  const openStore = (keyByte = 1): Promise<Store> =>
    openSqliteStore({
      file,
      secretBox: createEnvelopeSecretBox({ masterKey: new Uint8Array(32).fill(keyByte) }),
    });
  const reach = new ScriptedReach();
  const store = await openStore();
  const base = { reach, clock, log: logInto(lines), debounceMs: 1, pollMs: 0 };
  const reopen = async (more: Partial<RegistryOptions> = {}): Promise<Registry> => {
    const registry = await createRegistry({ ...base, ...more, store: more.store ?? (await openStore()) });
    opened.push(registry);
    return registry;
  };
  return {
    registry: await reopen({ ...options, store }),
    store,
    reach,
    lines,
    clock,
    openStore,
    reopen,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((registry) => registry.close()));
      await rm(home, { recursive: true, force: true });
    },
  };
};
