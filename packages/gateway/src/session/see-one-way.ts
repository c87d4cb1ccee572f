import type { JsonRpcMessage } from '@plugboard/wire';
import type { FollowedMessage } from '../call/flow-watch.js';
import type { Scope } from '../call/scope.js';
import type { AnswerParts } from './answer-call.js';

/** Shows a message that is no part of a call: a greeting, a notification, an answer to a question of a server. */
export const seeOneWay = (
  { flows, transport = 'http' }: Pick<AnswerParts, 'flows' | 'transport'>,
  scope: Scope,
  message: JsonRpcMessage | string,
  direction: FollowedMessage['direction'] = 'received',
): void => {
  if (flows?.followsMessages !== true) return;
  flows.see({ direction, transport, endpoint: scope.id, message, callId: undefined });
};
