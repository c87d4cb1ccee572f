import type { ServerCreate, ServerLogEntry, ServerUpdate, ServerView, SyncReport } from '@plugboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useChange } from './change.js';
import { useHttp } from './hub.js';

const LIST = '/v1/mcp-servers';
const one = (id: string): string => `${LIST}/${encodeURIComponent(id)}`;

export const useServers = () => {
  const http = useHttp();
  return useQuery({
    queryKey: ['servers', 'list'],
    queryFn: ({ signal }) => http.json<readonly ServerView[]>(LIST, { signal }),
  });
};

/** The server that a page begins with: one that answers, if there is any. */
export const firstReady = (servers: readonly ServerView[]): ServerView | undefined =>
  servers.find(({ enabled, status }) => enabled && status.state === 'ready') ?? servers[0];

export const useServer = (id: string) => {
  const http = useHttp();
  return useQuery({
    queryKey: ['servers', 'one', id],
    queryFn: ({ signal }) => http.json<ServerView>(one(id), { signal }),
  });
};

const STALE = ['servers', 'tools', 'toolsets'] as const;

export const useAddServer = () =>
  useChange(STALE, (http, body: ServerCreate) => http.json<ServerView>(LIST, { method: 'POST', body }));

/** Adds the servers that come with the hub. */
export const useAddSamples = () =>
  useChange(STALE, (http) => http.json<readonly ServerView[]>('/v1/samples', { method: 'POST' }));

export const useUpdateServer = (id: string) =>
  useChange(STALE, (http, body: ServerUpdate) => http.json<ServerView>(one(id), { method: 'PATCH', body }));

export const useDeleteServer = (id: string) => useChange(STALE, (http) => http.json(one(id), { method: 'DELETE' }));

export const useRestartServer = (id: string) =>
  useChange(STALE, (http) => http.json<ServerView>(`${one(id)}/restart`, { method: 'POST' }));

export const useSyncServer = (id: string) =>
  useChange(STALE, (http, dryRun: boolean) =>
    http.json<SyncReport>(`${one(id)}/sync`, { method: 'POST', query: { dry_run: dryRun } }),
  );

/** The log of a server; `after` and `wait` follow it. */
export const readServerLogs = (
  http: ReturnType<typeof useHttp>,
  id: string,
  query: { readonly limit?: number; readonly after?: string | undefined; readonly wait?: number },
  signal: AbortSignal,
): Promise<readonly ServerLogEntry[]> => http.json(`${one(id)}/logs`, { query, signal });
