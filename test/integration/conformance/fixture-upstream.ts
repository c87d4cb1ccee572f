import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { conformanceServer, fakeServerCommand, type Eras } from '@plugboard/testing';
import type { Cell } from './cell.js';

export type UpstreamTransport = 'http' | 'stdio' | 'sse';

export interface FixtureUpstream extends AsyncDisposable {
  /** The configuration under which a hub reaches it. */
  readonly config: object;
  /** Where the suite reaches it directly; only over Streamable HTTP. */
  readonly url: string | undefined;
}

const SDK_SERVER = fileURLToPath(new URL('sdk-server/sdk-server.mjs', import.meta.url));
const TYPES = { http: 'streamable_http', sse: 'sse' } as const;

/** Over stdio it is a process that the hub starts. */
const overStdio = (command: string, args: readonly string[]): FixtureUpstream => ({
  config: { mcp_server_type: 'stdio', command, args },
  url: undefined,
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

/** The first line of its output is its URL. `stateless`: both eras, without sessions in the legacy one. */
export const startSdkServer = async (eras: Eras | 'stateless', transport: 'http' | 'sse'): Promise<FixtureUpstream> => {
  const child = spawn(process.execPath, [SDK_SERVER, eras, transport], { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout });
  const gone = once(child, 'exit');
  const url = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    gone.then(() => Promise.reject(new Error('The server of the SDK did not start.'))),
  ]);
  return {
    config: { mcp_server_type: TYPES[transport], server_url: url },
    url: transport === 'http' ? url : undefined,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
};

const startOwn = async (eras: Eras, transport: 'http' | 'sse'): Promise<FixtureUpstream> => {
  const server = conformanceServer({ eras });
  const { url } = await (transport === 'sse' ? server.listenSse() : server.listenHttp());
  return {
    config: { mcp_server_type: TYPES[transport], server_url: url },
    url: transport === 'http' ? url : undefined,
    [Symbol.asyncDispose]: () => server.close(),
  };
};

/** A conformance fixture as an upstream. */
export const startFixture = async ({ fixture, eras, transport }: Omit<Cell, 'revision'>): Promise<FixtureUpstream> => {
  if (transport !== 'stdio') return fixture === 'sdk' ? startSdkServer(eras, transport) : startOwn(eras, transport);
  if (fixture === 'sdk') return overStdio(process.execPath, [SDK_SERVER, eras, 'stdio']);
  const { command, args } = fakeServerCommand({ fixture: 'conformance', eras });
  return overStdio(command, args);
};
