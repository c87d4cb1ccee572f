import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createRegistry } from '../create-registry.js';
import type { Registry } from '../facade/registry.js';
import { createEnvelopeSecretBox } from '../secret/envelope-secret-box.js';
import {
  freePort,
  listenSilently,
  PASSWORD,
  startPostgres,
  startRelay,
  type PostgresUnderTest,
} from '../test-support/postgres.js';
import { httpServer } from '../test-support/registry-fixture.js';
import { definition, ScriptedReach } from '../test-support/scripted-reach.js';
import { openPostgresStore, type PostgresStoreOptions } from './postgres-store.js';
import type { Store } from './store.js';
import { sampleServer } from '../test-support/store-samples.js';
import { describeStore } from './store.contract.js';

const secretBox = createEnvelopeSecretBox({ masterKey: new Uint8Array(32).fill(1) });

/** Longer than a crowded machine keeps an answer of Postgres back. */
const SILENCE_MS = 3000;

let postgres: PostgresUnderTest;
let databases = 0;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const freshDatabase = async (): Promise<string> => {
  databases += 1;
  const name = `suite_${databases}`;
  await postgres.createDatabase(name);
  return name;
};

describeStore('Postgres', async () => {
  const database = await freshDatabase();
  return {
    open: (box) => openPostgresStore({ url: postgres.urlOf(database), secretBox: box, poolSize: 4 }),
    dump: async () => {
      const oauth = ['oauth_sessions', 'oauth_credentials', 'oauth_clients'];
      const tables = ['mcp_servers', 'mcp_tools', 'store_meta', ...oauth];
      return JSON.stringify(
        await Promise.all(tables.map((table) => postgres.query(database, `select * from ${table}`))),
      );
    },
    tamper: async (statement) => {
      await postgres.query(database, statement);
    },
    dispose: () => postgres.dropDatabase(database),
  };
});

describe('openPostgresStore', () => {
  const failure = (url: string): Promise<unknown> =>
    openPostgresStore({ url, secretBox, connectTimeoutMs: 500 }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );

  it.each([
    ['nobody listens', async () => `postgres://postgres:${PASSWORD}@127.0.0.1:${await freePort()}/x`],
    ['the password is wrong', async () => postgres.urlOf('postgres', 'wrong')],
    ['the database is missing', async () => postgres.urlOf('missing')],
  ])('says that the store is unavailable when %s, without the password', async (_case, url) => {
    const error = await failure(await url());
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(JSON.stringify(error)).not.toContain(PASSWORD);
  });

  it('does not wait for ever for a server that accepts and says nothing', async () => {
    const { port, server } = await listenSilently();
    try {
      expect(await failure(`postgres://x:y@127.0.0.1:${port}/x`)).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    } finally {
      server.close();
    }
  });

  it('reports a connection that broke and goes on with a new one', async () => {
    const database = await freshDatabase();
    const store = await openPostgresStore({ url: postgres.urlOf(database), secretBox, poolSize: 1 });
    try {
      await postgres.query(
        'postgres',
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
      );
      const first = await store.version().catch((thrown: unknown) => thrown);
      if (first !== 0) expect(first).toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(await store.version()).toBe(0);
    } finally {
      await store.close();
    }
  });

  it('gives up a connection on which nothing arrives, and goes on with a new one', async () => {
    const database = await freshDatabase();
    const url = new URL(postgres.urlOf(database));
    const relay = await startRelay(Number(url.port));
    url.port = String(relay.port);
    const store = await openPostgresStore({ url: url.href, secretBox, poolSize: 1, silenceMs: SILENCE_MS });
    try {
      expect(await store.version()).toBe(0);
      relay.drop(true);
      await expect(store.version()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      relay.drop(false);
      expect(await store.version()).toBe(0);
    } finally {
      await store.close();
      relay.close();
    }
  });

  const relayed = async (options: Partial<PostgresStoreOptions>) => {
    const url = new URL(postgres.urlOf(await freshDatabase()));
    const relay = await startRelay(Number(url.port));
    const direct = url.href;
    url.port = String(relay.port);
    const store = await openPostgresStore({ url: url.href, secretBox, ...options });
    onTestFinished(async () => {
      await store.close();
      relay.close();
    });
    return { relay, store, url: direct };
  };

  it('gives up the connections that nobody uses with the first one on which nothing arrives', async () => {
    const { relay, store } = await relayed({ silenceMs: SILENCE_MS });
    await Promise.all(Array.from({ length: 6 }, () => store.version()));
    relay.cut();
    await expect(store.version()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await store.version()).toBe(0);
  });

  it('writes on a new connection when the one that was kept has died', async () => {
    const { relay, store } = await relayed({ silenceMs: SILENCE_MS });
    const server = sampleServer('x');
    expect(await store.version()).toBe(0);
    relay.cut();
    await store.transaction((tx) => tx.insertServer(server));
    expect(await store.transaction((tx) => tx.serverIdByName('x'))).toBe(server.id);
  });

  it('says that a change may have been saved when the connection ends while it is committed', async () => {
    const { relay, store, url } = await relayed({ silenceMs: SILENCE_MS });
    const other = await openPostgresStore({ url, secretBox });
    onTestFinished(() => other.close());
    relay.cutAfter('commit');
    let begun = 0;
    const change = store.transaction((tx) => {
      begun += 1;
      return tx.insertServer(sampleServer('x'));
    });
    await expect(change).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('may have been saved') as string,
      retryAfterMs: undefined,
    });
    expect(begun).toBe(1);
    expect(await other.transaction((tx) => tx.serverIdByName('x'))).toBeDefined();
  });

  it('keeps a connection whose answer came while the process itself stood still', async () => {
    const url = postgres.urlOf(await freshDatabase());
    const store = await openPostgresStore({ url, secretBox, poolSize: 1, silenceMs: SILENCE_MS });
    try {
      const version = store.version();
      await new Promise((resolve) => setImmediate(resolve));
      const until = performance.now() + SILENCE_MS + 500;
      while (performance.now() < until);
      expect(await version).toBe(0);
    } finally {
      await store.close();
    }
  });

  it('waits for other writers longer than the database may say nothing', async () => {
    const { store, url } = await relayed({ silenceMs: SILENCE_MS });
    const other = await openPostgresStore({ url, secretBox });
    const { id } = sampleServer('x');
    try {
      const writes: Promise<unknown>[] = [];
      await other.transaction(async (tx) => {
        for (let each = 0; each < 3; each += 1) writes.push(store.transaction((mine) => mine.tools(id)));
        const until = performance.now() + 2 * SILENCE_MS;
        while (performance.now() < until) {
          await tx.tools(id);
          await pause(50);
        }
      });
      expect(await Promise.all(writes)).toEqual([[], [], []]);
    } finally {
      await other.close();
    }
  });

  it('has one place in the line of those who write', async () => {
    const database = await freshDatabase();
    const url = postgres.urlOf(database);
    const [busy, store] = [await openPostgresStore({ url, secretBox }), await openPostgresStore({ url, secretBox })];
    const { id } = sampleServer('x');
    try {
      const writes: Promise<unknown>[] = [];
      await busy.transaction(async () => {
        for (let each = 0; each < 5; each += 1) writes.push(store.transaction((tx) => tx.tools(id)));
        const waiting = async (): Promise<number> =>
          (await postgres.query(database, `select 1 from pg_locks where locktype = 'advisory' and not granted`)).length;
        await expect.poll(waiting).toBeGreaterThan(0);
        for (let each = 0; each < 20; each += 1) await store.version();
        expect(await waiting()).toBe(1);
      });
      await expect(Promise.all(writes)).resolves.toHaveLength(5);
    } finally {
      await busy.close();
      await store.close();
    }
  });

  it('lends from a limit that another process was about to change when it was cut off', async () => {
    const { relay, store, url } = await relayed({});
    const other = await openPostgresStore({ url, secretBox });
    const rate = { perMinute: 60, burst: 10, charge: 0, want: 1 };
    const lend = async (from: Store) => (await from.fleet.lend('x', [{ subject: 's', rate }]))[0]?.tokens;
    try {
      relay.cutAfter('for update');
      const lost = lend(store).catch((thrown: unknown) => thrown);
      await expect.poll(() => relay.cuts()).toBe(1);
      expect(await lend(other)).toBe(1);
      expect(await lost).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    } finally {
      await other.close();
    }
  });

  it('reports a connection that ends between two statements of a transaction, and goes on', async () => {
    const database = await freshDatabase();
    const store = await openPostgresStore({ url: postgres.urlOf(database), secretBox, poolSize: 1 });
    const { id } = sampleServer('x');
    try {
      const cut = store.transaction(async (tx) => {
        await tx.tools(id);
        await postgres.query(
          'postgres',
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
        );
        // The connection says that it ended while nobody waits for an answer on it.
        await new Promise((next) => setTimeout(next, 200));
        await tx.tools(id);
      });
      await expect(cut).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(await store.version()).toBe(0);
    } finally {
      await store.close();
    }
  });

  it('is not writable while the database is read-only', async () => {
    const database = await freshDatabase();
    const store = await openPostgresStore({ url: postgres.urlOf(database), secretBox, poolSize: 1 });
    const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
      await postgres.query('postgres', `alter database ${database} set default_transaction_read_only = ${value}`);
      await postgres.query(
        'postgres',
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
      );
      await expect.poll(() => store.version().catch(() => undefined)).toBe(0);
    };
    const insert = () => store.transaction((tx) => tx.insertServer(sampleServer('one')));
    try {
      await setReadOnly('on');
      await expect(insert()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(await store.isWritable()).toBe(false);
      await setReadOnly('off');
      await expect.poll(() => store.isWritable(), { timeout: 60_000 }).toBe(true);
      await insert();
    } finally {
      await store.close();
    }
  });

  it('waits for its turn longer than a process that does nothing may keep the lock', async () => {
    const url = postgres.urlOf(await freshDatabase());
    const slow = await openPostgresStore({ url, secretBox });
    const waiting = await openPostgresStore({ url, secretBox });
    try {
      let waited: Promise<unknown> | undefined;
      await slow.transaction(async (tx) => {
        waited = waiting.transaction((other) => other.tools(sampleServer('x').id));
        // each step is short, as on a Postgres whose every answer takes long
        const until = Date.now() + 5500;
        while (Date.now() < until) {
          await tx.tools(sampleServer('x').id);
          await pause(200);
        }
      });
      await expect(waited).resolves.toEqual([]);
    } finally {
      await slow.close();
      await waiting.close();
    }
  });

  it('answers readers while its writers wait for their turn', async () => {
    const url = postgres.urlOf(await freshDatabase());
    const busy = await openPostgresStore({ url, secretBox });
    const store = await openPostgresStore({ url, secretBox, poolSize: 2, connectTimeoutMs: 10_000 });
    try {
      const writes: Promise<unknown>[] = [];
      await busy.transaction(async () => {
        for (let each = 0; each < 5; each += 1) writes.push(store.transaction((tx) => tx.tools(sampleServer('x').id)));
        await expect(store.version()).resolves.toBeTypeOf('number');
      });
      await expect(Promise.all(writes)).resolves.toHaveLength(5);
    } finally {
      await busy.close();
      await store.close();
    }
  });

  it('gives up after the lock timeout when another process keeps writing', async () => {
    const url = postgres.urlOf(await freshDatabase());
    const patient = await openPostgresStore({ url, secretBox });
    const hasty = await openPostgresStore({ url, secretBox, lockTimeoutMs: 50 });
    try {
      await patient.transaction(async () => {
        const write = hasty.transaction((tx) => tx.tools(sampleServer('x').id));
        await expect(write).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', message: 'The store is busy.' });
      });
    } finally {
      await patient.close();
      await hasty.close();
    }
  });
});

describe('two registries on one Postgres', () => {
  it('agree: one of two equal names wins, and each sees what the other wrote', async () => {
    const url = postgres.urlOf(await freshDatabase());
    const reach = new ScriptedReach();
    reach.list = async (server) => [definition('same'), definition(`of_${server.server_name}`)];
    const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const open = async (): Promise<Registry> =>
      createRegistry({ store: await openPostgresStore({ url, secretBox }), reach, clock: Date, log: quiet });
    const registries = await Promise.all([open(), open()]);
    try {
      const outcomes = await Promise.allSettled(
        ['a', 'a', 'b', 'b'].map((name, index) => registries[index % 2]?.registerServer(httpServer(name))),
      );
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
      expect(refused).toEqual([
        expect.objectContaining({ code: 'CONFLICT' }),
        expect.objectContaining({ code: 'CONFLICT' }),
      ]);
      const [one, two] = await Promise.all(registries.map((registry) => registry.listTools()));
      expect(one?.map((tool) => tool.name)).toEqual(['a__same', 'a__of_a', 'b__same', 'b__of_b']);
      expect(two).toEqual(one);
    } finally {
      await Promise.all(registries.map((registry) => registry.close()));
    }
  });

  it('read keys and agents again when the other one changed them', async () => {
    const url = postgres.urlOf(await freshDatabase());
    const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
    // Time stands still, so nothing is read again because it is old.
    const clock = { now: () => 1_000_000 };
    const open = async (): Promise<Registry> =>
      createRegistry({
        store: await openPostgresStore({ url, secretBox }),
        reach: new ScriptedReach(),
        clock,
        log: quiet,
      });
    const [one, two] = [await open(), await open()];
    const opens = (key: string): Promise<boolean> =>
      two.keys.authenticate(key).then(
        () => true,
        () => false,
      );
    try {
      expect(await opens('pb_unknown')).toBe(false);
      await two.agents.refresh();
      const { key, id } = await one.keys.create({ name: 'laptop', role: 'admin' });
      await expect.poll(() => opens(key)).toBe(true);
      await one.keys.revoke(id);
      await expect.poll(() => opens(key)).toBe(false);
      const agent = await one.agents.create({ name: 'bot' });
      await expect.poll(() => two.agents.known(agent.id)?.name).toBe('bot');
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  });
});
