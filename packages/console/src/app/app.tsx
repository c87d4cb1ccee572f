import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { ApiError } from '../api/api-error.js';
import { type Hub, HubProvider } from '../api/hub.js';
import { Http } from '../api/http.js';
import { LiveEvents } from '../api/live-events.js';
import { refreshOnEvents } from '../api/refresh.js';
import { forgetSession, recheckSession } from '../api/session.js';
import { ToastProvider } from '../ui/toast.js';
import { Gate } from './gate.js';

const RETRIES = 2;

/** A refusal stays one; a hub that is away may come back. */
const mayRetry = (failures: number, thrown: unknown): boolean =>
  failures < RETRIES && thrown instanceof ApiError && thrown.status === 0;

const compose = (): Hub & { readonly queries: QueryClient } => {
  const http = new Http();
  const live = new LiveEvents();
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: mayRetry, staleTime: 15_000, refetchOnWindowFocus: true } },
  });
  http.onSignedOut = () => forgetSession(http, queries);
  live.onLost = () => void recheckSession(queries);
  live.onReturn = () => {
    void recheckSession(queries);
    void queries.invalidateQueries();
  };
  return { http, live, queries };
};

export const App = () => {
  const [{ queries, ...hub }] = useState(compose);
  useEffect(() => refreshOnEvents(hub.live, queries), [hub.live, queries]);
  return (
    <HubProvider value={hub}>
      <QueryClientProvider client={queries}>
        <Router hook={useHashLocation}>
          <ToastProvider>
            <Gate />
          </ToastProvider>
        </Router>
      </QueryClientProvider>
    </HubProvider>
  );
};
