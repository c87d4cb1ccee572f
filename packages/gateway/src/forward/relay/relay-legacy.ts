import { reaches } from '../../rpc/log-level.js';
import { isJsonObject, type JsonRpcNotification } from '@plugboard/wire';
import { askThrough } from '../../call/ask-client.js';
import { isOfCall } from './call-notification.js';
import { callUpstream, type UpstreamCallDetails } from './call-upstream.js';
import type { LeasedCall } from './leased-call.js';

/** Where progress goes when it may come after the answer. */
export type ProgressRoute = Pick<UpstreamCallDetails, 'reply' | 'progressUntil'>;

/** On a shared connection the server logs for the most curious; each client hears what it asked for. */
const isWanted = ({ method, params }: JsonRpcNotification, level: string | undefined): boolean =>
  method !== 'notifications/message' ||
  level === undefined ||
  reaches(isJsonObject(params) ? params['level'] : undefined, level);

/** Legacy client, legacy server: request, result, notifications and the server's questions pass as they are. */
export const relayLegacy = (leased: LeasedCall, progress?: ProgressRoute): Promise<unknown> => {
  const { call, route } = leased;
  return callUpstream(leased, {
    params: route.params,
    signal: call.signal,
    reply: progress?.reply ?? (() => call.reply),
    progressUntil: progress?.progressUntil,
    onNotification: (notification) => {
      if (isOfCall(notification) && isWanted(notification, call.session?.logLevel)) call.reply.notify(notification);
    },
    onRequest: askThrough(call.reply),
  });
};
