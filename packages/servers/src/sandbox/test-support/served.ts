import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { runServer } from '../../serve/run-server.js';
import type { ServerProgram } from '../../serve/command-line/server-program.js';

export interface Served {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** A program over HTTP on a free port, inside of the test's own process. */
export const serveHttp = async (program: ServerProgram, ...flags: readonly string[]): Promise<Served> => {
  const stop = new AbortController();
  const stderr = new PassThrough();
  const running = runServer(program, {
    argv: ['--transport', 'http', '--port', '0', ...flags],
    env: {},
    cwd: '/',
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr,
    signal: stop.signal,
  });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /listening on (?<url>http:\S+)/u.exec(said)?.groups?.['url'];
      if (found !== undefined) resolve(found);
    });
    void running.then((code) => reject(new Error(`ended with ${code}: ${said}`)));
  });
  return {
    url,
    stop: async () => {
      stop.abort();
      await running;
    },
  };
};

export type Era = 'legacy' | 'modern';

export const connectTo = async (url: string, era: Era): Promise<Client> => {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  const endpoint = url.endsWith('/mcp') ? url : new URL('/mcp', url).href;
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)));
  return client;
};

/** The first text of a result. */
export const firstText = (result: { readonly content?: unknown }): string =>
  (result.content as readonly { text: string }[])[0]?.text ?? '';
