import type { Scope } from '../scope/scope.js';
import type { UpstreamLink } from '../upstream/upstream-link.js';
import type { UpstreamPool } from '../upstream/upstream-pool.js';
import { objectAt } from '../rpc/members.js';

const LOOK_MS = 5000;
const CONNECT_MS = 30_000;

const announces = (link: UpstreamLink): boolean =>
  ['tools', 'prompts', 'resources'].some((area) => objectAt(link.facts?.capabilities, area)['listChanged'] === true);

/** Keeps a connection to each server that announces changes open, and opens it again when it is lost. */
export const keepOpen = (upstream: UpstreamPool, scope: Scope): (() => void) => {
  const stop = new AbortController();
  const held = new Map<UpstreamLink, () => void>();
  const look = (): void => {
    for (const server of scope.servers()) {
      if (upstream.facts(server.id) === undefined) continue;
      const link = upstream.link(server);
      if (!held.has(link)) held.set(link, link.hold());
      if (link.client.isInitialized || (link.facts !== undefined && !announces(link))) continue;
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(CONNECT_MS)]);
      // A server that is down is tried again at the next look.
      void link.client.connect({ signal }).catch(() => undefined);
    }
  };
  const quietly = (): void => {
    try {
      look();
    } catch {
      // The server of this endpoint is gone; the endpoint will be, too.
    }
  };
  quietly();
  const timer = setInterval(quietly, LOOK_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    stop.abort();
    for (const letGo of held.values()) letGo();
  };
};
