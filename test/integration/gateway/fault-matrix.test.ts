import { isDeepStrictEqual } from 'node:util';
import { deadPort, type Era, fakeServer, type FakeServer, fakeServerCommand, hangingServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVER_NAME } from '../../support/echo-call.js';
import { connectThrough, DOORS, type EraClient } from '../../support/era-client.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';
import { oauthRig } from '../oauth/rig.js';
import { addServer, httpConfig } from './rig.js';

/** What a server speaks, and over what; HTTP+SSE and stdio carry what their names say. */
type Kind = 'legacy' | 'modern' | 'sse';
const KINDS: readonly Kind[] = ['legacy', 'modern', 'sse'];
const CELLS = DOORS.flatMap((door) => KINDS.map((kind) => [door, kind] as const));
const ERA_CELLS = DOORS.flatMap((door) => (['legacy', 'modern'] as const).map((era) => [door, era] as const));
const eraOf = (kind: Kind): Era => (kind === 'modern' ? 'modern' : 'legacy');
const TOOLS = ['echo', 'counter', 'sleep', 'hang'] as const;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** A fake server that can be replaced at its place. */
class Place {
  server: FakeServer;
  url = '';
  readonly #kind: Kind;

  constructor(kind: Kind) {
    this.#kind = kind;
    this.server = fakeServer({ tools: [...TOOLS], eras: eraOf(kind) });
  }

  get config(): object {
    return this.#kind === 'sse' ? { mcp_server_type: 'sse', server_url: this.url } : httpConfig(this.url);
  }

  async open(options: { readonly port?: number } = {}): Promise<void> {
    const listener = await (this.#kind === 'sse' ? this.server.listenSse(options) : this.server.listenHttp(options));
    this.url = listener.url;
  }

  /** The program ends and starts again, as the same or as another one. */
  async restart(eras = eraOf(this.#kind)): Promise<void> {
    await this.server.close();
    this.server = fakeServer({ tools: [...TOOLS], eras });
    await this.open({ port: Number(new URL(this.url).port) });
  }
}

describe('one hub, every kind of client and server', () => {
  let hub: RealHub;
  const places = new Map<Kind, Place>();
  const steady = fakeServer({ tools: ['counter'] });
  const placeOf = (kind: Kind): Place => places.get(kind) as Place;
  beforeAll(async () => {
    // A minute of silence is the same as a second or two, except for who waits for it.
    hub = await startRealHub({ settings: { deadlines: { connectMs: 10_000, listMs: 10_000, callMs: 2000 } } });
    await addServer(hub, 'steady', httpConfig((await steady.listenHttp()).url));
    for (const kind of KINDS) {
      const place = new Place(kind);
      places.set(kind, place);
      await place.open();
      await addServer(hub, kind, place.config);
    }
    for (const eras of ['legacy', 'modern'] as const) {
      const { command, args } = fakeServerCommand({ tools: ['pid', 'echo'], eras });
      await addServer(hub, `child-${eras}`, { mcp_server_type: 'stdio', command, args });
    }
  });
  afterAll(async () => {
    await hub.close();
    await steady.close();
    for (const place of places.values()) await place.server.close();
  });

  /** What the same client gets before and after, and how often a server beside it was called in between. */
  const survives = async (client: EraClient, server: string, fault: () => Promise<void>): Promise<object> => {
    const before = await client.call(`${server}__echo`, { text: 'before' });
    const count = Number(await client.call('steady__counter'));
    const sessions = steady.sessionIds;
    await fault();
    const after = await client.call(`${server}__echo`, { text: 'after' });
    const beside = Number(await client.call('steady__counter')) - count;
    return { before, after, beside, sessionsKept: isDeepStrictEqual(steady.sessionIds, sessions) };
  };
  const UNNOTICED = { before: 'before', after: 'after', beside: 1, sessionsKept: true };

  it.each(ERA_CELLS)('kill -9 of its process: %s client, %s server', async (door, era) => {
    await using client = await connectThrough(door, hub.url, '');
    expect(
      await survives(client, `child-${era}`, async () => {
        const pid = Number(await client.call(`child-${era}__pid`));
        process.kill(pid, 'SIGKILL');
        await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
      }),
    ).toEqual(UNNOTICED);
  });

  it.each(CELLS)('a restart that forgets everything: %s client, %s server', async (door, kind) => {
    await using client = await connectThrough(door, hub.url, '');
    expect(await survives(client, kind, () => placeOf(kind).restart())).toEqual(UNNOTICED);
  });

  it.each(CELLS)('sessions that are dropped: %s client, %s server', async (door, kind) => {
    await using client = await connectThrough(door, hub.url, '');
    expect(await survives(client, kind, async () => placeOf(kind).server.dropSessions())).toEqual(UNNOTICED);
  });

  it.each(DOORS)('a replacement that speaks the other era, and back: %s client', async (door) => {
    await using client = await connectThrough(door, hub.url, '');
    expect(await survives(client, 'legacy', () => placeOf('legacy').restart('modern'))).toEqual(UNNOTICED);
    expect(await survives(client, 'legacy', () => placeOf('legacy').restart('legacy'))).toEqual(UNNOTICED);
  });

  it('silence beyond the deadline of a call: every client, every server, side by side', async () => {
    const beSilent = async (client: EraClient, kind: Kind): Promise<void> => {
      const outcome = client.call(`${kind}__hang`).then(
        () => 'answered',
        (thrown: unknown) => String(thrown),
      );
      // Nobody waits for it, not even at the same server.
      expect(await client.call(`${kind}__echo`, { text: 'beside' })).toBe('beside');
      expect(await outcome).toContain('did not answer');
      expect(await client.call(`${kind}__echo`, { text: 'after' })).toBe('after');
    };
    await Promise.all(
      CELLS.map(async ([door, kind]) => {
        await using client = await connectThrough(door, hub.url, '');
        await beSilent(client, kind);
      }),
    );
  });

  it.each(CELLS)('a connection that is cut while a call runs: %s client, %s server', async (door, kind) => {
    await using client = await connectThrough(door, hub.url, '');
    const { server } = placeOf(kind);
    const before = server.counters.executed('counter');
    expect(
      await survives(client, kind, async () => {
        server.script.on('tools/call', { name: 'counter' }).first().cutSocket('after-handler');
        await expect(client.call(`${kind}__counter`)).rejects.toThrow('may have been executed');
      }),
    ).toEqual(UNNOTICED);
    expect(server.counters.executed('counter')).toBe(before + 1);
    server.script.clear();
  });
});

describe('a token that expires', () => {
  it.each(ERA_CELLS)('%s client, %s server', async (door, eras) => {
    const rig = await oauthRig({ eras });
    await rig.enter();
    await using client = await connectThrough(door, rig.hub.url, '');
    expect(await client.call(`${SERVER_NAME}__echo`, { text: 'before' })).toBe('before');
    rig.authorization.expireAccessTokens();
    expect(await client.call(`${SERVER_NAME}__echo`, { text: 'after' })).toBe('after');
  });
});

it('a hub that is told to stop answers what is under way, to every kind of client', async () => {
  const hub = await startRealHub();
  const servers = (['legacy', 'modern'] as const).map((eras) => fakeServer({ tools: ['sleep'], eras }));
  for (const [index, server] of servers.entries()) {
    await addServer(hub, `s${index}`, httpConfig((await server.listenHttp()).url));
  }
  const clients = await Promise.all(DOORS.map((door) => connectThrough(door, hub.url, '')));
  const each = 5;
  const answers = clients.flatMap((client) =>
    servers.flatMap((_, index) => Array.from({ length: each }, () => client.call(`s${index}__sleep`, { ms: 2000 }))),
  );
  await expect
    .poll(() => servers.map(({ log }) => log.methods().filter((method) => method === 'tools/call').length), {
      timeout: 30_000,
    })
    .toEqual(servers.map(() => clients.length * each));
  const stopped = hub.stop(600_000);
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['awake']));
  for (const client of clients) await client[Symbol.asyncDispose]();
  await stopped;
  for (const server of servers) await server.close();
});

it.each(DOORS)('one dead and one hanging server delay nobody: %s client', async (door) => {
  const hanging = await hangingServer();
  await using server = fakeServer({ tools: ['echo'] });
  // Whoever waited for the hanging one would wait longer than this test may take.
  const hub = await startRealHub({ settings: { deadlines: { connectMs: 600_000, listMs: 600_000, callMs: 600_000 } } });
  try {
    await addServer(hub, 'well', httpConfig((await server.listenHttp()).url));
    await addServer(hub, 'dead', httpConfig((await deadPort()).url));
    void addServer(hub, 'hanging', httpConfig(`http://127.0.0.1:${hanging.port}/mcp`)).catch(() => undefined);
    await using client = await connectThrough(door, hub.url, '');
    expect(await client.tools()).toContain('well__echo');
    expect(await client.call('well__echo', { text: 'ok' })).toBe('ok');
  } finally {
    await hub.close();
    await hanging.close();
  }
});
