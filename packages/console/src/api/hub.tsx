import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Http } from './http.js';
import type { LiveEvents, LiveState } from './live-events.js';

/** The way of the pages to their hub. */
export interface Hub {
  readonly http: Http;
  readonly live: LiveEvents;
}

const HubContext = createContext<Hub | undefined>(undefined);

export const HubProvider = HubContext.Provider;

export const useHub = (): Hub => {
  const hub = useContext(HubContext);
  if (hub === undefined) throw new Error('A page needs a HubProvider around it.');
  return hub;
};

export const useHttp = (): Http => useHub().http;

export const useLiveState = (): LiveState => {
  const { live } = useHub();
  return useSyncExternalStore(
    (watcher) => live.watch(watcher),
    () => live.state,
  );
};
