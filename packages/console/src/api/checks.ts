import type { CheckReport, CheckRun, CheckTargetInput } from '@plugboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useChange } from './change.js';
import { useHttp } from './hub.js';

const LIST = '/v1/checks';
const one = (id: string): string => `${LIST}/${encodeURIComponent(id)}`;
const POLL_MS = 1000;

export const useCheckRuns = () => {
  const http = useHttp();
  return useQuery({
    queryKey: ['checks', 'list'],
    queryFn: ({ signal }) => http.json<readonly CheckRun[]>(LIST, { signal }),
  });
};

/** A run, polled while it is in progress. */
export const useCheckRun = (id: string) => {
  const http = useHttp();
  return useQuery({
    queryKey: ['checks', 'one', id],
    queryFn: ({ signal }) => http.json<CheckRun>(one(id), { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'finished' ? false : POLL_MS),
  });
};

export const useCheckReport = (id: string, finished: boolean) => {
  const http = useHttp();
  return useQuery({
    queryKey: ['checks', 'report', id],
    queryFn: ({ signal }) => http.json<CheckReport>(`${one(id)}/report`, { signal }),
    enabled: finished,
  });
};

export const useStartCheck = () =>
  useChange(['checks'], (http, body: CheckTargetInput) => http.json<CheckRun>(LIST, { method: 'POST', body }));

export const useDeleteCheck = (id: string) => useChange(['checks'], (http) => http.json(one(id), { method: 'DELETE' }));

export const useCancelCheck = (id: string) =>
  useChange(['checks'], (http) => http.json<CheckRun>(`${one(id)}/cancel`, { method: 'POST' }));
