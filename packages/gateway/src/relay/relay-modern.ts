import { isOfCall } from './call-notification.js';
import { callUpstream } from './call-upstream.js';
import type { UpstreamExchange } from './exchange.js';

/** Modern client, modern server: the request and its result pass as they are, also one that asks for input. */
export const relayModern = (exchange: UpstreamExchange): Promise<unknown> => {
  const { call, route } = exchange;
  return callUpstream(exchange, {
    params: route.params,
    signal: call.signal,
    allowInputRequired: true,
    reply: () => call.reply,
    onNotification: (notification) => {
      if (isOfCall(notification)) call.reply.notify(notification);
    },
  });
};
