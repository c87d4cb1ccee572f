import type { MonitoredServer, MonitorHistory, MonitorView } from '@plugboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useChange } from './change.js';
import { useHttp } from './hub.js';

const ALL = '/v1/monitor';
const one = (server: string): string => `${ALL}/${encodeURIComponent(server)}`;
const POLL_MS = 10_000;

/** What probes of the servers found. */
export const useMonitor = () => {
  const http = useHttp();
  return useQuery({
    queryKey: ['monitor', 'view'],
    queryFn: ({ signal }) => http.json<MonitorView>(ALL, { signal }),
    refetchInterval: POLL_MS,
  });
};

export interface HistorySpan {
  readonly hours: number;
  readonly bucketMinutes: number;
}

export const useMonitorHistory = (server: string, { hours, bucketMinutes }: HistorySpan) => {
  const http = useHttp();
  return useQuery({
    queryKey: ['monitor', 'history', server, hours],
    queryFn: ({ signal }) =>
      http.json<MonitorHistory>(`${one(server)}/history`, { query: { hours, bucket_minutes: bucketMinutes }, signal }),
    refetchInterval: POLL_MS,
  });
};

export const useProbe = (server: string) =>
  useChange(['monitor'], (http) => http.json<MonitoredServer>(`${one(server)}/probe`, { method: 'POST' }));
