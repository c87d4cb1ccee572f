import { anySignal } from '@plugboard/base';
import type { Server } from '@plugboard/contract';
import type { Scope } from '../../call/scope.js';
import { SHARED } from '../../connection/link-identity.js';
import type { UpstreamLink } from '../../connection/upstream-link.js';
import type { UpstreamPool } from '../../connection/upstream-pool.js';
import { objectAt } from '../../rpc/members.js';

const LOOK_MS = 5000;
const CONNECT_MS = 30_000;

const announces = (link: UpstreamLink): boolean =>
  ['tools', 'prompts', 'resources'].some((area) => objectAt(link.facts?.capabilities, area)['listChanged'] === true);

/** Keeps a connection to each server that announces changes open, and opens it again when it is lost. */
export const keepOpen = (upstream: UpstreamPool, scope: Scope): (() => void) => {
  const stop = new AbortController();
  const kept = new Map<UpstreamLink, () => void>();
  /** A process that was ended in favour of others is not started again while they need the room. */
  const isSpared = (server: Server): boolean => server.config.mcp_server_type === 'stdio' && upstream.isCrowded();
  const look = (): void => {
    for (const [link, letGo] of kept) {
      if (upstream.find(link.server.id, link.identity.key) === link) continue;
      letGo();
      kept.delete(link);
    }
    for (const server of scope.servers()) {
      if (upstream.facts(server.id) === undefined) continue;
      const open = upstream.find(server.id, SHARED.key);
      if (open?.client.isInitialized !== true && isSpared(server)) continue;
      const link = upstream.link(server);
      if (!kept.has(link)) kept.set(link, link.keep());
      if (link.client.isInitialized || (link.facts !== undefined && !announces(link))) continue;
      const signal = anySignal(stop.signal, AbortSignal.timeout(CONNECT_MS));
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
    for (const letGo of kept.values()) letGo();
  };
};
