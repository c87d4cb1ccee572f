import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepConfig, PlugboardError, type ServerCreate } from '@plugboard/contract';
import type { Registry } from '@plugboard/registry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Logger } from '../log/logger.js';
import { freshSettings } from '../test-support/fresh-settings.js';
import { ConfigWatch } from './config-watch.js';
import { applyDeclared } from './declared-servers.js';
import { addSamples, seedDeclaredServers, seedDemo } from './seed-servers.js';

const http = (server_name: string, members: object = {}): ServerCreate => ({
  server_name,
  config: { mcp_server_type: 'streamable_http', server_url: `https://${server_name}.example/mcp`, ...members },
});

interface Entry {
  readonly id: string;
  readonly server_name: string;
  readonly config: ReturnType<typeof keepConfig>;
  readonly enabled: boolean;
}

/** A registry over a map, as far as what is declared uses it. */
const registryOf = (...present: readonly ServerCreate[]) => {
  const entries = new Map<string, Entry>();
  const changes: string[] = [];
  const put = ({ server_name, config }: ServerCreate): Entry => {
    if (server_name === 'broken') throw new PlugboardError('URL_REFUSED', 'Not there.', { hint: 'Elsewhere.' });
    const entry = { id: `id of ${server_name}`, server_name, config: keepConfig(config), enabled: true };
    entries.set(server_name, entry);
    return entry;
  };
  present.forEach(put);
  const registry = {
    findServerByName: async (name: string) => entries.get(name),
    listServers: async () => [...entries.values()],
    registerServer: async (create: ServerCreate) => {
      const server = put(create);
      changes.push(`register ${create.server_name}`);
      return { server, sync: { status: create.server_name === 'slow' ? 'failed' : 'ok' } };
    },
    updateServer: async (id: string, update: object) => void changes.push(`update ${id} ${JSON.stringify(update)}`),
    deleteServer: async (id: string) => void changes.push(`delete ${id}`),
    restServer: async (id: string) => void changes.push(`rest ${id}`),
    services: {
      declare: async ({ name }: { name: string }) => {
        if (name === 'broken') throw new PlugboardError('CONFLICT', 'Twice.');
        changes.push(`service ${name}`);
      },
    },
  } as unknown as Registry;
  return { registry, changes };
};

const logOf = () => {
  const lines: string[] = [];
  const level =
    (name: string) =>
    (message: string, fields: object = {}): void =>
      void lines.push(`${name}: ${message} ${JSON.stringify(fields)}`);
  const log: Logger = {
    info: level('info'),
    warn: level('warn'),
    error: level('error'),
    setLevel: (to) => void lines.push(`level ${to}`),
  };
  return { log, lines };
};

const never = new AbortController().signal;
const declared = (create: ServerCreate, enabled = true) => ({ create, enabled });

describe('servers of the configuration file', () => {
  it('are registered, changed and left alone as the file says', async () => {
    const { registry, changes } = registryOf(http('same'), http('changed', { auth_header: 'X-Key' }));
    const { log, lines } = logOf();
    await seedDeclaredServers({ registry, log, signal: never }, [
      declared(http('same')),
      declared(http('changed')),
      declared(http('new'), false),
      declared(http('broken')),
      declared({ server_name: 'same', config: { mcp_server_type: 'stdio', command: 'x', args: [] } }),
    ]);
    expect(changes).toEqual([
      'update id of changed {"config":{"auth_header":null,"mcp_server_type":"streamable_http","server_url":"https://changed.example/mcp"},"enabled":true}',
      'register new',
      'update id of new {"enabled":false}',
    ]);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('"server":"broken","code":"URL_REFUSED","reason":"Not there.","hint":"Elsewhere."');
    expect(lines[1]).toContain('plugboard remove same');
  });

  it('are not touched any more once the hub stops', async () => {
    const { registry, changes } = registryOf();
    await seedDeclaredServers({ registry, log: logOf().log, signal: AbortSignal.abort() }, [declared(http('new'))]);
    expect(changes).toEqual([]);
  });
});

describe('servers to try', () => {
  it('are registered where there is none', async () => {
    const { registry, changes } = registryOf();
    const { log, lines } = logOf();
    const options = { registry, log, signal: never };
    expect(await seedDemo(options, [http('a'), http('slow')])).toBe(true);
    expect(changes).toEqual(['register a', 'register slow', 'rest id of a', 'rest id of slow']);
    expect(lines.join()).toContain('A sample server did not start.');
    expect(await seedDemo({ ...options, registry: registryOf(http('own')).registry }, [http('a')])).toBe(false);
  });
});

describe('samples that somebody asks for', () => {
  it('are added beside other servers, but for names that are taken', async () => {
    const { registry, changes } = registryOf(http('own'), http('a'));
    const added = await addSamples({ registry, log: logOf().log, signal: never }, [http('a'), http('b')]);
    expect(added.map(({ server_name }) => server_name)).toEqual(['a', 'b']);
    expect(changes).toEqual(['register b', 'rest id of b']);
  });
});

describe('a configuration file that changes', () => {
  let home = '';
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plugboard-declared-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  const settingsOf = (names: readonly string[], prune = false) => ({
    ...freshSettings(home),
    prune,
    declaredServers: names.map((name) => declared(http(name))),
    declaredServices: [
      { name: 'web', url: 'https://web.example/', interval_seconds: 30 },
      { name: 'broken', url: 'https://web.example/', interval_seconds: 30 },
    ],
  });

  it('takes servers out that have left it, when it may', async () => {
    const { registry, changes } = registryOf();
    const { log, lines } = logOf();
    const options = { registry, log, signal: never };
    await applyDeclared(options, settingsOf(['a', 'b']));
    await applyDeclared(options, settingsOf(['b']));
    expect(lines.join()).toContain('stays registered');
    await applyDeclared(options, settingsOf(['a', 'b']));
    await applyDeclared(options, settingsOf(['b'], true));
    expect(changes.filter((change) => change.startsWith('delete'))).toEqual(['delete id of a']);
    expect(changes).toContain('service web');
    expect(lines.join()).toContain('A service of the configuration file could not be registered.');
  });

  it('is read again at SIGHUP, and stays in force when it is wrong', async () => {
    const { registry, changes } = registryOf();
    const { log, lines } = logOf();
    let hangUp = (): void => undefined;
    const reloads = [
      async () => ({ ...settingsOf(['late']), logLevel: 'debug' as const, maxRetries: 7 }),
      () => Promise.reject(new PlugboardError('CONFIG_INVALID', 'No JSON.')),
    ];
    await writeFile(join(home, 'plugboard.json'), '{}');
    const watch = new ConfigWatch({
      registry,
      log,
      signal: never,
      settings: { ...settingsOf([]), configFile: join(home, 'plugboard.json') },
      reload: () => reloads.shift()?.() ?? Promise.reject(new Error('read too often')),
      process: {
        onHangup: (listener) => {
          hangUp = listener;
          return () => undefined;
        },
      },
    });
    let ready = (): void => undefined;
    watch.start(new Promise<void>((resolve) => (ready = resolve)));
    hangUp();
    hangUp();
    await new Promise((resolve) => setImmediate(resolve));
    expect(reloads).toHaveLength(2);
    ready();
    await watch.stop();
    expect(changes).toContain('register late');
    expect(lines).toContain('level debug');
    expect(lines.join()).toContain('"settings":"maxRetries"');
    expect(lines.at(-1)).toContain('The previous one stays in effect');
  });
});
