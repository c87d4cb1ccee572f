import type { McpCall } from '../../call/mcp-call.js';
import { invalidParams } from '../../rpc/rpc-refusal.js';
import { findLegacyLink } from '../../connection/find-link.js';
import type { UpstreamPool } from '../../connection/upstream-pool.js';
import { isLogLevel } from '../../rpc/log-level.js';

/**
 * logging/setLevel of a legacy client. Its own connections to legacy servers are told; on shared ones only what the
 * client asked for reaches it; modern servers get the level with every request.
 */
export const setLogLevel = async ({ upstream }: { readonly upstream: UpstreamPool }, call: McpCall) => {
  const { level } = call.params;
  if (!isLogLevel(level)) throw invalidParams('"level" must be one of the eight levels of the protocol.');
  if (call.session === undefined) return {};
  call.session.logLevel = level;
  const links = call.scope.servers().flatMap((server) => findLegacyLink(upstream, server, call) ?? []);
  await Promise.all(
    links.map((link) =>
      link.identity.session === undefined
        ? link.logLevel.atLeast(level, call.signal)
        : link.logLevel.set(level, call.signal),
    ),
  );
  return {};
};
