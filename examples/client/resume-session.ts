import { readFile, rm, writeFile } from 'node:fs/promises';
import { McpClient, type SessionStore, type StoredSession } from '@plugboard/client';

/** Keeps the session of a legacy server in a file, so that the next run continues it. */
const fileStore = (path: string): SessionStore => ({
  load: async () => {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as StoredSession);
  },
  save: (session) => writeFile(path, JSON.stringify(session), { mode: 0o600 }),
  clear: () => rm(path, { force: true }),
});

export const resumingClient = (url: string, path: string): McpClient =>
  new McpClient({
    config: { mcp_server_type: 'streamable_http', server_url: url },
    sessionStore: fileStore(path),
    keepSession: true,
  });
