import { at, isObject, show, type JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, defineCheck } from '../../model/check.js';
import { broken, holds, notVerified } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { describe } from '../../session/answer.js';
import { declares } from '../../model/capability.js';
import { openListeningStream, notificationsOf } from '../instrument/unsolicited-messages.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';
import { callAllowedTools } from '../instrument/call-allowed-tools.js';

const legacy = { family: 'resources', eras: ['legacy'], transports: ALL_TRANSPORTS } as const;
const UPDATED = 'notifications/resources/updated';

const firstUri = async (probe: Probe): Promise<string | undefined> =>
  (await probe.resources()).map(({ uri }) => uri).find((uri): uri is string => typeof uri === 'string');

const updates = (messages: readonly JsonObject[]): readonly string[] =>
  notificationsOf(messages, UPDATED).map((message) => String(at(message, 'params', 'uri')));

export const subscriptionsHonoured = defineCheck({
  ...legacy,
  id: 'RES-07',
  title: 'updates arrive only for subscribed resources, and stop after unsubscribing',
  level: 'SHOULD',
  tier: 'standard',
  needs: 'resources.subscribe',
  source: spec(
    '2025-11-25',
    'server/resources#subscriptions',
    'Clients can subscribe to specific resources and receive notifications when they change',
  ),
  remedy: 'Answer resources/subscribe and resources/unsubscribe with {}, and keep the URIs per session.',
  async run(probe) {
    const uri = await firstUri(probe);
    if (uri === undefined) return notVerified('No resource is listed.', 'a server with a resource');
    const session = await probe.open();
    await openListeningStream(session);
    const asked = [await session.request('resources/subscribe', { uri })];
    await callAllowedTools(probe, session);
    const during = updates(session.incoming);
    asked.push(await session.request('resources/unsubscribe', { uri }));
    await session.settle();
    const until = session.incoming.length;
    await callAllowedTools(probe, session);
    const after = updates(session.incoming.slice(until));
    const flaws: readonly Flaw[] = [
      ...asked
        .filter(({ result }) => !isObject(result))
        .map((answer) => ({
          detail: `${String(answer.request['method'])} came back with ${describe(answer)}.`,
          exchange: answer.exchange,
        })),
      ...during
        .filter((one) => one !== uri && !one.startsWith(uri))
        .map((one) => ({
          detail: `An update of ${show(one)} came although the client did not subscribe to it.`,
          exchange: asked[0]?.exchange,
        })),
      ...after.map((one) => ({
        detail: `An update of ${show(one)} came after unsubscribing.`,
        exchange: asked[1]?.exchange,
      })),
    ];
    return judged(flaws, 'empty results, and updates only in between', `${during.length} updates came.`);
  },
});

export const subscribeDeclared = defineCheck({
  ...legacy,
  id: 'RES-08',
  title: 'resources/subscribe is served if and only if the capability is declared',
  level: 'SHOULD',
  tier: 'standard',
  needs: 'resources',
  source: spec(
    '2025-11-25',
    'server/resources#capabilities',
    'subscribe: whether the client can subscribe to be notified of changes to individual resources.',
  ),
  remedy: 'Declare resources.subscribe if you serve it; otherwise answer with -32601.',
  async run(probe) {
    const session = await probe.open();
    const declared = declares(session.capabilities, 'resources.subscribe');
    const uri = (await firstUri(probe)) ?? 'plugboard-check://nothing';
    const answer = await session.request('resources/subscribe', { uri });
    const missing = answer.error?.code === -32601;
    if (declared !== missing) {
      return holds(declared ? 'It is declared and served.' : 'It is neither declared nor served.');
    }
    return broken({
      detail: `It is ${declared ? '' : 'not '}declared, and came back with ${describe(answer)}.`,
      expected: declared ? 'a result' : 'error -32601',
      exchange: answer.exchange,
    });
  },
});
