import { isJsonObject } from '@plugboard/wire';
import { withModernEnvelope } from '../../rpc/era-members.js';
import { isOfCall } from './call-notification.js';
import { callUpstream } from './call-upstream.js';
import type { LeasedCall } from './leased-call.js';

/**
 * Modern client, modern server: the request and its result pass as they are, also one that asks for input. We take a
 * result without a type for complete, but our client need not take it from us.
 */
export const relayModern = async (leased: LeasedCall): Promise<unknown> => {
  const { call, route, lease } = leased;
  const result = await callUpstream(leased, {
    params: route.params,
    signal: call.signal,
    allowInputRequired: true,
    reply: () => call.reply,
    onNotification: (notification) => {
      if (isOfCall(notification)) call.reply.notify(notification);
    },
  });
  return isJsonObject(result) && result['resultType'] === undefined
    ? withModernEnvelope(route.method, result, { serverInfo: lease.facts.serverInfo })
    : result;
};
