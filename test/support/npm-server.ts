import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readFileSync } from 'node:fs';

const require = createRequire(import.meta.url);

/** The program of an MCP server that was installed from npm, to be run with Node. */
export const npmServerProgram = (name: string): string => {
  const path = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  const { bin } = JSON.parse(readFileSync(path, 'utf8')) as { bin: Record<string, string> };
  return join(dirname(path), Object.values(bin)[0] ?? '');
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

const answers = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1000) });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
};

export interface NpmHttpServer {
  readonly origin: string;
  close(): Promise<void>;
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};

/** server-everything over HTTP, as a real process. */
export const startEverything = async (transport: 'sse' | 'streamableHttp'): Promise<NpmHttpServer> => {
  const port = await freePort();
  const child = spawn(process.execPath, [npmServerProgram('everything'), transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  const origin = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`server-everything ended with ${child.exitCode}`);
    if (await answers(origin)) return { origin, close: () => end(child) };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await end(child);
  throw new Error('server-everything did not start');
};
