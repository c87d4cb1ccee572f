import type { ClientEvent } from '@plugboard/client';
import { createServerPolicies, createUrlGuard } from '@plugboard/client';
import { PlugboardError, Secret, type Server } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { DEFAULTS } from '../settings/settings.js';
import { serviceAsker } from './ask-health-service.js';
import { noteClientEvent } from './client-events.js';
import { deadlineHint, deadlinesOf } from './config/server-deadlines.js';
import { networkOf, sharedNetwork } from './config/server-network.js';
import { LaunchedServers, keepingOf } from './program/launched-servers.js';
import { ServerJournals } from './program/server-journals.js';
import { hiddenFrom, inheritedBy, withSandbox } from './program/program-sandbox.js';
import { upstreamReach } from './upstream-reach.js';
import { KnownHubs } from '../hub-loop/known-hubs.js';
import { PoliciesByServer } from './policies-by-server.js';

const AT = '2026-01-02T03:04:05.000Z';
const serverOf = (config: Server['config'], seed = 1): Server => ({
  id: `mcp_server-00000000-0000-4000-8000-00000000000${seed}`,
  server_name: 'my files',
  config,
  enabled: true,
  protocol: null,
  last_sync: null,
  created_at: AT,
  updated_at: AT,
});
const program = { mcp_server_type: 'stdio' as const, command: 'node', args: ['a.js'] };
const http = { mcp_server_type: 'streamable_http' as const, server_url: 'https://a.example/mcp' };

describe('the deadlines of a server', () => {
  const hub = { connectMs: 1, listMs: 2, callMs: 3 };

  it('are its own, else those of the hub', () => {
    expect(deadlinesOf({}, hub)).toEqual({ ...hub, toolMs: {} });
    const deadlines = { connect: 1.5, call: null, tools: { slow: 300 } };
    expect(deadlinesOf({ deadlines }, hub)).toEqual({
      connectMs: 1500,
      listMs: 2,
      callMs: 3,
      toolMs: { slow: 300_000 },
    });
  });

  it('are named with the command and the request that change them', () => {
    const hint = deadlineHint(serverOf({ ...program, deadlines: { tools: { slow: 5 } } }));
    expect(hint('call', 'slow')).toMatchObject({
      cli: expect.stringContaining("plugboard set 'my files' --tool-deadline slow=300") as string,
      api: expect.stringContaining('{"config":{"deadlines":{"tools":{"slow":300}}}}') as string,
    });
    expect(hint('call', 'other')).toMatchObject({
      cli: expect.stringContaining("--deadline call=300, or for this tool: plugboard set 'my files'") as string,
    });
    expect(hint('list', undefined)).toMatchObject({ cli: expect.stringMatching(/--deadline list=300$/u) as string });
  });
});

describe('the network of a server', () => {
  const urls = createUrlGuard({ mode: 'deny-private', loopback: 'deny' });
  const hub = { ca: 'HUB', proxy: 'http://proxy:1', noProxy: ['x'] } as never;

  it('has its own proxy and authorities before those of the hub', () => {
    expect(networkOf(program, hub, urls)).toEqual({ lookup: expect.any(Function) as unknown });
    expect(networkOf(http, hub, urls)).toMatchObject({ proxy: 'http://proxy:1', noProxy: ['x'] });
    const own = networkOf({ ...http, proxy: 'none', ca: 'OWN' }, hub, urls);
    expect(own.proxy).toBeUndefined();
    expect(own.ca?.slice(-2)).toEqual(['HUB', 'OWN']);
    expect(networkOf({ ...http, proxy: 'http://own:2' }, hub, urls)).toMatchObject({ proxy: 'http://own:2' });
    expect(sharedNetwork({ ca: undefined, proxy: undefined, noProxy: [] } as never).ca).toBeUndefined();
  });

  it('keeps the questions to services from private addresses', async () => {
    const asker = serviceAsker(urls);
    await expect(asker.ask('http://169.254.169.254/', new AbortController().signal)).rejects.toMatchObject({
      code: 'URL_REFUSED',
    });
    await asker.close();
  });
});

describe('the life of a connection', () => {
  const noted = (event: ClientEvent, level = 'debug'): unknown[] => {
    const lines: unknown[] = [];
    noteClientEvent(
      {
        info: () => undefined,
        warn: () => undefined,
        error: () => undefined,
        debug: (...line) => void lines.push(line),
        isEnabled: (asked) => asked === level,
      },
      'files',
      event,
    );
    return lines;
  };
  const error = new PlugboardError('UPSTREAM_UNAVAILABLE', 'gone') as never;

  it.each([
    [
      { type: 'session-lost', generation: 2, error },
      { code: 'UPSTREAM_UNAVAILABLE', generation: 2 },
    ],
    [{ type: 'transport-fallback', from: 'streamable-http', to: 'sse' }, { to: 'sse' }],
    [{ type: 'retry', method: 'tools/list', attempt: 2, error }, { attempt: 2 }],
    [{ type: 'noise', text: 'häh' }, { bytes: 4 }],
    [
      { type: 'tool-rejected', tool: 'x', reason: 'y' },
      { tool: 'x', reason: 'y' },
    ],
    [
      {
        type: 'session-opened',
        generation: 1,
        protocol: { era: 'legacy', revision: '2025-11-25', transport: 'stdio' },
      },
      { server: 'files', era: 'legacy', revision: '2025-11-25', transport: 'stdio' },
    ],
  ])('is noted: %j', (event, fields) => {
    expect(noted(event as ClientEvent)).toEqual([[expect.any(String), expect.objectContaining(fields)]]);
    expect(noted(event as ClientEvent, 'trace')).toEqual([]);
  });
});

describe('the journal of a server', () => {
  it('has the starts, the lines and the ends of its programs, and its sessions', () => {
    const notes: { kind: string; text: string }[] = [];
    const journals = new ServerJournals(() => ({ note: (entry) => void notes.push(entry) }), {});
    const server = serverOf(program);
    const journal = journals.journalFor(server);
    journal.started?.(7);
    journal.line?.(7, 'hello');
    journal.ended?.(7, {
      code: 1,
      signal: null,
      reason: 'exited',
      stderrTail: ['Error: no'],
    } as never);
    journal.failed?.('There is no such program.');
    journals.opened(server, { revision: '2025-11-25', era: 'legacy', transport: 'stdio' } as never);
    journals.lost(server, new PlugboardError('UPSTREAM_UNAVAILABLE', 'It went away.'));
    expect(notes.map(({ kind }) => kind)).toEqual([
      'started',
      'output',
      'exited',
      'not_started',
      'connected',
      'disconnected',
    ]);
    expect(notes[2]).toMatchObject({ exit: { code: 1, error: 'Error: no', last_lines: ['Error: no'] } });
    expect(notes[5]?.text).toBe('The session was lost: It went away. (UPSTREAM_UNAVAILABLE)');
  });
});

describe('programs that listen', () => {
  interface Kept {
    readonly spec: () => { readonly env: object };
    readonly listen: unknown;
    readonly probe?: unknown;
    readonly memoryLimitBytes?: number;
  }
  const rig = () => {
    const supervised: Kept[] = [];
    const ended: string[] = [];
    const supervisor = {
      supervise: (options: Kept) => {
        const number = supervised.push(options);
        return {
          reset: async () => void ended.push(`reset ${number}`),
          stop: async () => void ended.push(`stop ${number}`),
          [Symbol.asyncDispose]: async () => void ended.push(`dispose ${number}`),
        };
      },
    };
    const launched = new LaunchedServers({
      supervisor: supervisor as never,
      inheritedBy: () => ({ PATH: '/bin' }),
      idleMs: 1000,
      journalFor: () => ({}) as never,
    });
    return { launched, supervised, ended };
  };
  const listening = { ...program, listen: { port: 4000, path: '/rpc', health: '/well' }, limits: { memory_mb: 2 } };

  it('are started once for one config, and reached at their port', async () => {
    const { launched, supervised, ended } = rig();
    const server = serverOf({ ...listening, env: { KEY: Secret.of('x') } });
    const first = launched.clientFor(server, server.config as never, []);
    launched.clientFor(server, server.config as never, []);
    expect(first.config).toMatchObject({ server_url: 'http://127.0.0.1:4000/rpc' });
    expect(supervised).toHaveLength(1);
    expect(supervised[0]?.spec().env).toEqual({ PATH: '/bin', KEY: 'x' });
    expect(supervised[0]).toMatchObject({
      listen: { port: { kind: 'fixed', port: 4000 } },
      memoryLimitBytes: 2_097_152,
    });
    expect(supervised[0]?.probe).toBeDefined();
    await launched.forgive(server.id);
    await launched.stop(server.id);
    expect(ended).toEqual(['reset 1', 'stop 1']);
  });

  it('end when their server changes or goes', () => {
    const { launched, supervised, ended } = rig();
    const before = serverOf({ ...program, listen: {} });
    launched.clientFor(before, before.config as never, []);
    const after = serverOf({ ...program, args: ['b.js'], listen: {} });
    launched.clientFor(after, after.config as never, []);
    expect(supervised).toHaveLength(2);
    expect(supervised[1]).toMatchObject({ listen: { port: { kind: 'free' } } });
    expect(ended).toEqual(['dispose 1']);
    launched.retain(new Set([after.id]));
    launched.retain(new Set());
    expect(ended).toEqual(['dispose 1', 'dispose 2']);
  });

  it('need the network in a sandbox', () => {
    const server = serverOf({ ...program, listen: {}, sandbox: {} });
    expect(() => rig().launched.clientFor(server, server.config as never, [])).toThrow(
      expect.objectContaining({ code: 'PROCESS_NOT_STARTED' }),
    );
  });

  it('are kept as their config says', () => {
    expect(keepingOf({})).toEqual({});
    expect(keepingOf({ restart: 'always' })).toEqual({ restart: { mode: 'always' } });
  });
});

describe('the sandbox of a program', () => {
  it('is its own, or that of all', () => {
    const required = { processes: { ...DEFAULTS.processes, sandbox: 'required' as const } };
    const optional = { processes: { ...DEFAULTS.processes, sandbox: 'optional' as const } };
    expect(withSandbox(http, required)).toBe(http);
    expect(withSandbox(program, optional)).toBe(program);
    expect(withSandbox(program, required)).toEqual({ ...program, sandbox: {} });
  });

  it('hides the hub, and passes on what it names', () => {
    const hidden = hiddenFrom({
      home: '/home',
      configFile: '/etc/pb.json',
      masterKey: { from: 'file', path: '/key', create: true },
    });
    expect(hidden.hidden).toEqual(['/home', '/etc/pb.json', '/key']);
    const settings = {
      environment: { PATH: '/bin', TEAM: 'blue', OTHER: 'x' },
      templateEnvironment: DEFAULTS.templateEnvironment,
    };
    expect(inheritedBy({ env: ['TEAM', 'MISSING'] }, settings)).not.toHaveProperty('OTHER');
  });
});

describe('how the registry reaches servers', () => {
  it('uses the connections of the gateway, and notes the hubs behind them', async () => {
    const used: unknown[] = [];
    const client = {
      listTools: async () => [{ name: 'a' }],
      toolsMeta: undefined,
      isInitialized: false,
      instructions: undefined as string | undefined,
      connect: async () => {
        client.isInitialized = true;
        client.instructions = 'Be brief.';
      },
    };
    const pool = {
      use: async (_server: unknown, work: (given: typeof client) => unknown, ...rest: readonly unknown[]) => {
        used.push(rest);
        return work(client);
      },
      protocol: () => 'protocol',
      release: async () => void used.push('release'),
      releaseAgent: () => 'agent',
      releaseLogin: () => 'login',
      peek: () => ({ toolsTtlMs: 5 }),
      onOpened: () => 'opened',
      onToolsChanged: () => 'changed',
    };
    const told: string[] = [];
    const reach = upstreamReach({
      pool: pool as never,
      policies: new PoliciesByServer(() => createServerPolicies()),
      supervisor: { forgive: (name) => void told.push(`forgive ${name}`) },
      launched: { forgive: async () => void told.push('forgive'), stop: async () => void told.push('stop') },
      hubs: new KnownHubs('me', () => false),
      runTool: async (_server, { name }) => ({ content: [{ type: 'text', text: name }] }),
    });
    const server = serverOf(program);
    expect(await reach.listTools(server)).toEqual([{ name: 'a' }]);
    expect(await reach.instructions?.(server)).toBe('Be brief.');
    client.instructions = undefined;
    expect(await reach.instructions?.(server)).toBe('');
    expect(await reach.callTool(server, { name: 'x', arguments: {} })).toMatchObject({ content: [{ text: 'x' }] });
    await reach.forgive?.(server);
    await reach.stop?.(server);
    await reach.release(server.id);
    expect(told).toEqual(['forgive my files', 'forgive', 'stop']);
    expect(used.filter((each) => each === 'release')).toHaveLength(2);
    expect(reach.toolsTtlMs?.(server.id)).toBe(5);
    expect(reach.protocol(server.id)).toBe('protocol');
  });
});
