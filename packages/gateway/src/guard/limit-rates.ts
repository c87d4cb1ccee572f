import type { McpCall } from '../call/mcp-call.js';
import type { CallStep } from '../call/step.js';
import type { UpstreamRoute } from '../route/route.js';
import { CallLimits, type CallLimitsOptions, type LimitKeys } from './call-limits.js';

const keysOf = (call: McpCall, { server, tool }: UpstreamRoute): LimitKeys => ({
  caller: call.client.caller.principal,
  server: server.id,
  tool: tool === undefined ? undefined : `${server.id} ${tool.name}`,
});

/** Refuses calls beyond the limits. What was sent already was counted then. */
export const limitRates = (options: CallLimitsOptions | CallLimits): readonly CallStep[] => {
  const limits = options instanceof CallLimits ? options : new CallLimits(options);
  if (limits.isEmpty) return [];
  return [
    async (call, next) => {
      const { route } = call;
      if (route?.kind !== 'upstream' || call.sent !== undefined) return next(call);
      const leave = limits.enter(keysOf(call, route));
      try {
        return await next(call);
      } finally {
        leave();
      }
    },
  ];
};
