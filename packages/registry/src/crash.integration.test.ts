import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { deferred } from '@plugboard/base';
import { revealConfig, type ToolDefinition } from '@plugboard/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRegistry } from './create-registry.js';
import { createEnvelopeSecretBox } from './secret/envelope-secret-box.js';
import { openSqliteConnection } from './store/sqlite-binding.js';
import { openSqliteStore } from './store/sqlite-store.js';
import { ScriptedReach } from './test-support/scripted-reach.js';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../test/integration/fixtures/${name}`, import.meta.url));

const secretBox = createEnvelopeSecretBox({ masterKey: new Uint8Array(32).fill(3) });
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

const open = async (file: string, list: () => Promise<readonly ToolDefinition[]>) => {
  const store = await openSqliteStore({ file, secretBox });
  const reach = new ScriptedReach();
  reach.list = list;
  const registry = await createRegistry({ store, reach, clock: Date, log: quiet, pollMs: 0 });
  return { store, registry };
};

let home: string;
let file: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-crash-'));
  file = join(home, 'plugboard.db');
});
afterEach(() => rm(home, { recursive: true, force: true }));

const run = (script: string, ...args: readonly string[]) => {
  const child = spawn(process.execPath, [fixture(script), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  return { child, exited: once(child, 'exit'), errors };
};

/** Watches how long a sync takes, kills the next one at that part of it, and tells the last one acknowledged. */
const killDuringSync = async (generation: number, part: number): Promise<number> => {
  const { child, exited, errors } = run('sync-in-a-loop.mjs', file, String(generation));
  const acknowledged: { readonly generation: number; readonly at: number }[] = [];
  try {
    for await (const line of createInterface(child.stdout)) {
      acknowledged.push({ generation: (JSON.parse(line) as { generation: number }).generation, at: performance.now() });
      const [first, second, third] = acknowledged;
      if (first === undefined || second === undefined || third !== undefined) continue;
      setTimeout(() => child.kill('SIGKILL'), (second.at - first.at) * part);
    }
    await exited;
  } finally {
    child.kill('SIGKILL');
  }
  expect(errors.join('')).toBe('');
  expect(child.signalCode).toBe('SIGKILL');
  return acknowledged.at(-1)?.generation ?? 0;
};

describe('kill -9 during a sync of 300 tools', () => {
  it('leaves one whole generation in a sound file', { timeout: 180_000 }, async () => {
    let generation = 1;
    let ids = new Map<string, string>();
    for (const part of [0.2, 0.5, 0.7, 0.8, 0.9, 1]) {
      const acknowledged = await killDuringSync(generation, part);
      const { store, registry } = await open(file, () => new Promise(() => undefined));
      try {
        const tools = await registry.listTools();
        const found = new Set(tools.map((tool) => tool.description));
        expect(tools).toHaveLength(300);
        expect(found.size).toBe(1);
        const stored = Number([...found][0]?.replace('generation ', ''));
        // what was acknowledged is there; one more sync may have been stored without the word getting out
        expect([acknowledged, acknowledged + 1]).toContain(stored);
        for (const tool of tools) expect(tool.id).toBe(ids.get(tool.upstream_name) ?? tool.id);
        ids = new Map(tools.filter((tool) => !tool.upstream_name.includes('_of_')).map((t) => [t.upstream_name, t.id]));
        const [server] = await registry.listServers();
        expect(server?.last_sync).toMatchObject({ status: 'ok', total: 300 });
        expect(server && revealConfig(server.config)).toMatchObject({ env: { KEY: 'a-secret-of-the-loop' } });
        generation = stored + 1;
      } finally {
        await registry.close();
        await store.close();
      }
      await expectSound(file);
    }
  });

  it('is healed by the next start, which waits for nobody', async () => {
    const { child, exited, errors } = run('sync-in-a-loop.mjs', file, '1', '2');
    for await (const line of createInterface(child.stdout)) {
      if (line.includes('hanging')) child.kill('SIGKILL');
    }
    await exited;
    expect(errors.join('')).toBe('');
    const list = deferred<readonly ToolDefinition[]>();
    const { store, registry } = await open(file, () => list.promise);
    try {
      expect(registry.snapshot().entries[0]?.tools).toHaveLength(300);
      expect(await store.interruptedSyncs()).toHaveLength(1);
      list.resolve([{ name: 'healed', inputSchema: { type: 'object' } }]);
      await vi.waitFor(async () => expect(await store.interruptedSyncs()).toEqual([]), { timeout: 20_000 });
      expect((await registry.listTools()).map((tool) => tool.upstream_name)).toEqual(['healed']);
    } finally {
      await registry.close();
    }
  });
});

/** SQLite's own verdict, from a fresh connection. */
const expectSound = async (path: string): Promise<void> => {
  const connection = await openSqliteConnection(path, 5000);
  try {
    expect(connection.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(connection.prepare('pragma foreign_key_check').all()).toEqual([]);
  } finally {
    connection.close();
  }
};

describe('two processes on one file', () => {
  it('lose no write of each other, and see them', async () => {
    const writers = ['a', 'b', 'c'].map((prefix) => run('register-servers.mjs', file, prefix, '15'));
    for (const { exited, errors } of writers) {
      const ended = await exited;
      expect(errors.join('')).toBe('');
      expect(ended).toEqual([0, null]);
    }
    const { registry } = await open(file, async () => []);
    try {
      const servers = await registry.listServers();
      expect(servers).toHaveLength(45);
      expect(await registry.listTools()).toHaveLength(45);
      for (const server of servers) {
        expect(revealConfig(server.config)).toMatchObject({ auth_token: `secret-of-${server.server_name}` });
        expect(server.last_sync).toMatchObject({ status: 'ok', added: ['tool'] });
      }
    } finally {
      await registry.close();
    }
    await expectSound(file);
  });

  it('open a new file at the same moment', async () => {
    for (let round = 0; round < 6; round += 1) {
      const at = String(Date.now() + 1500);
      const fresh = join(home, `fresh-${round}.db`);
      const openers = Array.from({ length: 4 }, () => run('open-store-at.mjs', fresh, at));
      for (const { exited, errors } of openers) {
        await exited;
        expect(errors.join('')).toBe('');
      }
    }
  });
});
