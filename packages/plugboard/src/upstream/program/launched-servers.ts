import { createHash } from 'node:crypto';
import {
  type ChildJournal,
  launchedDispatcher,
  type McpClientOptions,
  pollReady,
  secretsOf,
  type SupervisedProcess,
  type Supervisor,
} from '@plugboard/client';
import {
  type KeptConfig,
  PlugboardError,
  revealConfig,
  revealed,
  type Secret,
  sandboxOf,
  type SandboxSettings,
  sameConfig,
  type Server,
  type ServerId,
} from '@plugboard/contract';

type ProgramConfig = Extract<KeptConfig, { mcp_server_type: 'stdio' }>;

export interface LaunchedServersOptions {
  readonly supervisor: Supervisor;
  /** What a program inherits, in a sandbox or without one. */
  readonly inheritedBy: (sandbox: SandboxSettings | undefined) => Readonly<Record<string, string>>;
  /** A program that no connection needs any more is ended after this long. */
  readonly idleMs: number;
  /** Where the life of a server's programs is written down. */
  readonly journalFor: (server: Server) => ChildJournal;
}

interface Launched {
  readonly server: Server;
  readonly program: SupervisedProcess<number>;
}

const HOST = '127.0.0.1';
const DEFAULT_PATH = '/mcp';
const MEGABYTE = 1024 * 1024;

/** Does the program say that it is well? */
const isWell = async (url: string, signal: AbortSignal): Promise<void> => {
  const response = await fetch(url, { redirect: 'manual', signal });
  await response.body?.cancel();
  if (!response.ok) throw new PlugboardError('UPSTREAM_UNAVAILABLE', `GET ${url} answered ${response.status}.`);
};

const PROBE = { everyMs: 15_000, timeoutMs: 5_000, maxFailures: 3 };

/** Any answer shows that somebody listens; whether it is MCP, the handshake shows. */
const answers = async (url: string, signal: AbortSignal): Promise<void> => {
  const response = await fetch(url, { headers: { accept: 'application/json' }, redirect: 'manual', signal });
  await response.body?.cancel();
};

const needsNetwork = (): PlugboardError =>
  new PlugboardError('PROCESS_NOT_STARTED', 'A program that listens on a port cannot be reached without a network.', {
    hint: 'Set "network": true in its sandbox (--sandbox-network), or let it speak over its standard streams.',
  });

const digestOf = (config: ProgramConfig): string =>
  createHash('sha256')
    .update(JSON.stringify(revealConfig(config)))
    .digest('base64url');

/** How a child of a server is kept: what it may take, and what happens when it ends. */
export const keepingOf = ({ limits, restart }: Pick<ProgramConfig, 'limits' | 'restart'>) => ({
  ...(typeof limits?.memory_mb === 'number' ? { memoryLimitBytes: limits.memory_mb * MEGABYTE } : {}),
  ...(typeof restart === 'string' ? { restart: { mode: restart } } : {}),
});

/** Programs of servers that listen on a port: one for all connections with the same config. */
export class LaunchedServers {
  readonly #options: LaunchedServersOptions;
  readonly #launched = new Map<string, Launched>();

  constructor(options: LaunchedServersOptions) {
    this.#options = options;
  }

  /**
   * What a client needs to reach the program of this server; it is started by the first request.
   *
   * @param secrets what was filled in anywhere in its config
   */
  clientFor(
    server: Server,
    config: ProgramConfig,
    secrets: readonly Secret[],
  ): Pick<McpClientOptions, 'config' | 'createDispatcher'> {
    const path = config.listen?.path ?? DEFAULT_PATH;
    const program = this.#program(server, config, { path, secrets });
    return {
      config: { mcp_server_type: 'streamable_http', server_url: `http://${HOST}:${config.listen?.port ?? 0}${path}` },
      createDispatcher: () => launchedDispatcher({ program, host: HOST }),
    };
  }

  /** Forgets earlier failures of the programs of a server. */
  async forgive(id: ServerId): Promise<void> {
    await Promise.all(this.#of(id).map(({ program }) => program.reset()));
  }

  /** Ends the programs of a server; the next use starts them. */
  async stop(id: ServerId): Promise<void> {
    await Promise.all(this.#of(id).map(({ program }) => program.stop()));
  }

  /** Ends the programs of servers that are gone or switched off. */
  retain(ids: ReadonlySet<ServerId>): void {
    for (const [key, { server }] of this.#launched) if (!ids.has(server.id)) this.#end(key);
  }

  #of(id: ServerId): readonly Launched[] {
    return [...this.#launched.values()].filter(({ server }) => server.id === id);
  }

  #program(
    server: Server,
    config: ProgramConfig,
    { path, secrets }: { readonly path: string; readonly secrets: readonly Secret[] },
  ): SupervisedProcess<number> {
    for (const [key, each] of this.#launched) {
      if (each.server.id === server.id && !sameConfig(each.server.config, server.config)) this.#end(key);
    }
    const key = `${server.id} ${digestOf(config)}`;
    const known = this.#launched.get(key);
    if (known !== undefined) return known.program;
    const { supervisor, inheritedBy, idleMs } = this.#options;
    const sandbox = sandboxOf(config.sandbox);
    if (sandbox !== undefined && sandbox.network !== true) throw needsNetwork();
    const own = Object.fromEntries(Object.entries(config.env ?? {}).map(([name, value]) => [name, revealed(value)]));
    const { port, health } = config.listen ?? {};
    const program = supervisor.supervise<number>({
      name: server.server_name,
      spec: () => ({
        command: config.command,
        args: config.args,
        env: { ...inheritedBy(sandbox), ...own },
        cwd: config.cwd ?? undefined,
        ...(sandbox === undefined ? {} : { sandbox }),
      }),
      listen: { host: HOST, port: typeof port === 'number' ? { kind: 'fixed', port } : { kind: 'free' } },
      secrets: secretsOf(config, secrets),
      journal: this.#options.journalFor(server),
      idleMs,
      ...keepingOf(config),
      connect: async (child, signal) => {
        const base = `http://${HOST}:${child.port}`;
        const asked = (deadline: AbortSignal): Promise<void> =>
          typeof health === 'string' ? isWell(base + health, deadline) : answers(base + path, deadline);
        await pollReady(asked, { signal });
        return child.port ?? 0;
      },
      ...(typeof health === 'string'
        ? {
            probe: {
              ...PROBE,
              run: (at: number, signal: AbortSignal) => isWell(`http://${HOST}:${at}${health}`, signal),
            },
          }
        : {}),
    });
    this.#launched.set(key, { server, program });
    return program;
  }

  #end(key: string): void {
    const launched = this.#launched.get(key);
    this.#launched.delete(key);
    void launched?.program[Symbol.asyncDispose]();
  }
}
