import type { CallStep } from '../../call/step.js';
import { toolKey } from '../../call/tool-key.js';
import type { CallLimits } from './call-limits.js';

/** Refuses calls beyond the limits. What was sent already was counted then. */
export const limitRates = (limits: CallLimits): readonly CallStep[] => {
  if (limits.isEmpty) return [];
  return [
    async (call, next) => {
      const { route } = call;
      if (route?.kind !== 'upstream' || call.sent !== undefined) return next(call);
      const leave = limits.enter({
        caller: call.client.caller.principal,
        server: route.server.id,
        tool: toolKey(route.tool),
      });
      try {
        return await next(call);
      } finally {
        leave();
      }
    },
  ];
};
