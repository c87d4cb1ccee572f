import { createServer, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Duplex, duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { composeHub } from '../compose/compose-hub.js';
import type { Hub } from '../compose/hub.js';
import { quietLogger } from '../log/quiet-logger.js';
import type { Logger } from '../log/logger.js';
import type { Settings } from '../settings/settings.js';
import { freshSettings } from './fresh-settings.js';

export interface MemoryAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: () => unknown;
}

export interface MemoryRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface MemoryHub {
  readonly hub: Hub;
  readonly home: string;
  /** Over HTTP/1.1, on two streams that are tied together. */
  readonly ask: (path: string, request?: MemoryRequest) => Promise<MemoryAnswer>;
  readonly close: () => Promise<void>;
}

/** It may neither start programs nor reach a network. */
const ALONE: Pick<Settings, 'stdio' | 'urls'> = {
  stdio: { mode: 'off' },
  urls: { mode: 'deny-private', loopback: 'deny' },
};

/** The hub as it is composed for users, with its store in a directory of its own, and without a port. */
export const memoryHub = async (changes: Partial<Settings> = {}, log: Logger = quietLogger): Promise<MemoryHub> => {
  const home = changes.home ?? (await mkdtemp(join(tmpdir(), 'plugboard-memory-')));
  const hub = await composeHub({ ...freshSettings(home), ...ALONE, ...changes }, log);
  const server = createServer((request, response) => hub.handle(request, response));
  const connect = (): Duplex => {
    const [near, far] = duplexPair();
    // Where a socket says whose it is.
    server.emit('connection', Object.assign(far, { remoteAddress: '127.0.0.1' }));
    return near;
  };
  return {
    hub,
    home,
    ask: async (path, { method = 'GET', headers = {}, body } = {}) => {
      const sent = httpRequest({
        path,
        method,
        headers: { host: '127.0.0.1:2091', connection: 'close', ...headers },
        createConnection: connect,
      });
      const answered = new Promise<MemoryAnswer>((resolve, reject) => {
        sent.once('error', reject);
        sent.once('response', (response) => {
          text(response).then(
            (read) =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                text: read,
                json: () => JSON.parse(read) as unknown,
              }),
            reject,
          );
        });
      });
      sent.end(body);
      return answered;
    },
    close: async () => {
      server.closeAllConnections();
      await hub.close();
      if (changes.home === undefined) await rm(home, { recursive: true, force: true });
    },
  };
};
