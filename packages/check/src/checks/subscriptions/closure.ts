import { at, show, type JsonObject } from '../../connection/json.js';
import { defineCheck } from '../../model/check.js';
import type { Probe } from '../../probe/probe.js';
import { META } from '../../session/meta.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';
import { listen, type Listening } from './listen.js';

/** What is wrong with a message that ends a subscription. */
const flawOf = (message: JsonObject, { id }: Listening): string | undefined => {
  if (message['method'] === 'notifications/cancelled') {
    const named = at(message, 'params', 'requestId');
    return named === id ? undefined : `notifications/cancelled names ${show(named)}.`;
  }
  if ('method' in message || message['id'] !== id) return undefined;
  if ('error' in message) return `It ended with an error: ${show(at(message, 'error', 'message'))}.`;
  const tag = at(message, 'result', '_meta', META.subscriptionId);
  return tag === id ? undefined : `The last message names the subscription ${show(tag)}.`;
};

const flawsOf = (listening: Listening): readonly Flaw[] =>
  listening.messages().flatMap((message) => {
    const detail = flawOf(message, listening);
    return detail === undefined ? [] : [{ detail, exchange: listening.exchange() }];
  });

/** The last word of a subscription, if the server has one, when its client ends it. */
export const endsInGoodOrder = defineCheck({
  family: 'subscriptions',
  eras: ['modern'],
  transports: ['stdio'],
  id: 'SUB-06',
  title: 'a subscription ends with a result that has its id, or a cancellation that names it',
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'basic/patterns/subscriptions#graceful-closure',
    'it SHOULD respond to the original subscriptions/listen request with a completion result before closing the stream',
  ),
  remedy: 'Answer subscriptions/listen with an empty result that has the subscription id, or send nothing.',
  async run(probe: Probe) {
    const session = await probe.open();
    const listening = await listen(probe, session, { toolsListChanged: true }, 'sub-closing');
    await listening.stop();
    return judged(flawsOf(listening), 'a completion result, notifications/cancelled, or nothing');
  },
});
