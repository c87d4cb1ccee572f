import type { AuditEntry, CallHistory, CallSummary, ReadyAnswer } from '@plugboard/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useHttp } from './hub.js';

const POLL_MS = 2000;
const PAGE = 100;

/** Figures of all calls since the hub started. */
export const useCallSummary = () => {
  const http = useHttp();
  return useQuery({
    queryKey: ['calls', 'summary'],
    queryFn: ({ signal }) => http.json<CallSummary>('/v1/calls', { signal }),
    refetchInterval: POLL_MS,
  });
};

const HISTORY_POLL_MS = 10_000;

/** How calls went in the last hour, minute by minute. */
export const useCallHistory = () => {
  const http = useHttp();
  return useQuery({
    queryKey: ['calls', 'history'],
    queryFn: ({ signal }) => http.json<CallHistory>('/v1/calls/history', { signal }),
    refetchInterval: HISTORY_POLL_MS,
  });
};

const isReadyAnswer = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'status' in body && 'store' in body;

/** A hub that is not ready answers with 503, and with what is known. */
export const useReady = () => {
  const http = useHttp();
  return useQuery({
    queryKey: ['hub', 'ready'],
    queryFn: ({ signal }) => http.json<ReadyAnswer>('/ready', { signal, answers: { status: 503, is: isReadyAnswer } }),
    refetchInterval: POLL_MS * 5,
  });
};

/** What was done, the newest first; `live` reads the newest again and again. */
export const useAudit = (kind: AuditEntry['kind'], live: boolean) => {
  const http = useHttp();
  return useInfiniteQuery({
    queryKey: ['audit', kind],
    queryFn: ({ pageParam, signal }) =>
      http.page<AuditEntry>('/v1/audit', { query: { kind, limit: PAGE, after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: live ? POLL_MS : false,
  });
};
