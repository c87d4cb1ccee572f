import type { BenchReport, BenchRun, BenchStartInput } from '@plugboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useChange } from './change.js';
import { useHttp } from './hub.js';

const LIST = '/v1/benchmarks';
const one = (id: string): string => `${LIST}/${encodeURIComponent(id)}`;
const LIST_POLL_MS = 3000;
const POLL_MS = 500;

const isOpen = ({ state }: BenchRun): boolean => state !== 'finished';

/** All runs, read again while one of them is in progress. */
export const useBenchRuns = () => {
  const http = useHttp();
  return useQuery({
    queryKey: ['benchmarks', 'list'],
    queryFn: ({ signal }) => http.json<readonly BenchRun[]>(LIST, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(isOpen) === true ? LIST_POLL_MS : false),
  });
};

/** A run, read again and again while it is in progress. */
export const useBenchRun = (id: string) => {
  const http = useHttp();
  return useQuery({
    queryKey: ['benchmarks', 'one', id],
    queryFn: ({ signal }) => http.json<BenchRun>(one(id), { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'finished' ? false : POLL_MS),
  });
};

export const useBenchReport = (id: string, finished: boolean) => {
  const http = useHttp();
  return useQuery({
    queryKey: ['benchmarks', 'report', id],
    queryFn: ({ signal }) => http.json<BenchReport>(`${one(id)}/report`, { signal }),
    enabled: finished,
  });
};

export const benchReportUrl = (id: string): string => `${one(id)}/report?format=html`;

export const useStartBench = () =>
  useChange(['benchmarks'], (http, body: BenchStartInput) => http.json<BenchRun>(LIST, { method: 'POST', body }));

export const useCancelBench = (id: string) =>
  useChange(['benchmarks'], (http) => http.json<BenchRun>(`${one(id)}/cancel`, { method: 'POST' }));

export const useDeleteBench = (id: string) =>
  useChange(['benchmarks'], (http) => http.json<undefined>(one(id), { method: 'DELETE' }));
