import type { HubEvent } from '@plugboard/contract';
import type { QueryClient } from '@tanstack/react-query';
import type { LiveEvents } from './live-events.js';

/** The first word of the key of every query. */
export type Subject =
  | 'servers'
  | 'tools'
  | 'toolsets'
  | 'checks'
  | 'benchmarks'
  | 'logins'
  | 'agents'
  | 'keys'
  | 'audit'
  | 'calls'
  | 'monitor'
  | 'hub';

/** What a person sees that an event makes stale. */
export const staleAfter = (event: HubEvent['event']): readonly Subject[] => {
  switch (event) {
    case 'server_added':
    case 'server_changed':
    case 'server_removed':
    case 'server_synced':
      return ['servers', 'tools', 'toolsets'];
    case 'server_status':
    case 'session_lost':
      return ['servers'];
    case 'tool_quarantined':
    case 'tool_approved':
    case 'tool_rejected':
      return ['servers', 'tools', 'toolsets'];
    case 'oauth_authorized':
    case 'oauth_refreshed':
    case 'oauth_required':
    case 'oauth_revoked':
      return ['servers', 'logins'];
    case 'toolset_changed':
    case 'toolset_removed':
      return ['toolsets'];
    case 'check_run_queued':
    case 'check_run_started':
    case 'check_run_reached':
    case 'check_run_finished':
      return ['checks'];
    case 'check_judged':
      return [];
    case 'monitor_alert':
      return ['monitor'];
    case 'events_missed':
      return ['servers', 'tools', 'toolsets', 'checks', 'logins'];
    default:
      event satisfies never;
      return [];
  }
};

/** Many servers may change at once: a list is read again at most this often. */
const SETTLE_MS = 400;

/** Reads again what events make stale. */
export const refreshOnEvents = (live: LiveEvents, queries: QueryClient): (() => void) => {
  const stale = new Set<Subject>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    timer = undefined;
    for (const subject of stale) void queries.invalidateQueries({ queryKey: [subject] });
    stale.clear();
  };
  const unsubscribe = live.subscribe(({ event }) => {
    for (const subject of staleAfter(event)) stale.add(subject);
    if (stale.size > 0) timer ??= setTimeout(flush, SETTLE_MS);
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
};
