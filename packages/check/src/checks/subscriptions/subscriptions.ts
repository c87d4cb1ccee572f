import { at, isObject, listAt, show, type JsonObject } from '../../connection/json.js';
import { declares, type Capability } from '../../model/capability.js';
import { ALL_TRANSPORTS, MODERN_TRANSPORTS, defineCheck, type Check } from '../../model/check.js';
import { doubtful, notApplicable, notVerified, type Finding } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { errorOf } from '../../session/answer.js';
import { META } from '../../session/meta.js';
import { openListeningStream } from '../instrument/unsolicited-messages.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';
import { callAllowedTools } from '../instrument/call-allowed-tools.js';
import { isTrouble } from '../instrument/server-down.js';
import { endsInGoodOrder } from './closure.js';
import { listen, tagOf, type Listening } from './listen.js';

const modern = { family: 'subscriptions', eras: ['modern'], transports: MODERN_TRANSPORTS } as const;
const PAGE = 'basic/patterns/subscriptions';
const ACK = 'notifications/subscriptions/acknowledged';
const UPDATED = 'notifications/resources/updated';

const OPTIONS: readonly (readonly [Capability, string])[] = [
  ['tools.listChanged', 'toolsListChanged'],
  ['prompts.listChanged', 'promptsListChanged'],
  ['resources.listChanged', 'resourcesListChanged'],
];

/** Asks for everything that the server declares; undefined when it declares nothing of the kind. */
const fullFilter = async (probe: Probe): Promise<JsonObject | undefined> => {
  const { capabilities } = probe.session();
  const flags = OPTIONS.filter(([capability]) => declares(capabilities, capability)).map(([, flag]) => [flag, true]);
  const [first] = declares(capabilities, 'resources.subscribe') ? await probe.resources() : [];
  const filter = {
    ...Object.fromEntries(flags),
    ...(first === undefined ? {} : { resourceSubscriptions: [first['uri']] }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
};

const NOTHING_OFFERED = notApplicable('The server declares nothing that a client could subscribe to.');

/** Runs with a filter of everything, or says that there is nothing to subscribe to. */
const withFilter =
  (run: (probe: Probe, filter: JsonObject) => Promise<Finding>): Check['run'] =>
  async (probe) => {
    const filter = await fullFilter(probe);
    return filter === undefined ? NOTHING_OFFERED : await run(probe, filter);
  };

const own = ({ id, messages }: Listening): readonly JsonObject[] =>
  messages().filter((message) => tagOf(message) === id || String(message['id']) === String(id));

const ackFlaws = (listening: Listening, filter: JsonObject): readonly Flaw[] => {
  const [first] = own(listening);
  const exchange = listening.exchange();
  if (first === undefined) return [{ detail: 'No message names the subscription.', exchange }];
  if (first['method'] !== ACK) return [{ detail: `First came ${show(first['method'] ?? first)}.`, exchange }];
  const granted = at(first, 'params', 'notifications');
  if (!isObject(granted)) return [{ detail: `It grants ${show(granted)}.`, exchange }];
  const beyond = Object.keys(granted).filter((key) => granted[key] !== false && !(key in filter));
  const uris = listAt(granted, 'resourceSubscriptions').filter(
    (uri) => !listAt(filter, 'resourceSubscriptions').includes(uri),
  );
  return [...beyond, ...uris].map((what) => ({
    detail: `It grants ${show(what)}, which was not requested.`,
    exchange,
    beyond: true,
  }));
};

export const acknowledged = defineCheck({
  ...modern,
  id: 'SUB-01',
  title: 'a subscription begins with an acknowledgement that grants no more than was requested',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    `${PAGE}#acknowledgment`,
    "The server MUST send notifications/subscriptions/acknowledged as the first message carrying the subscription's ID in _meta under io.modelcontextprotocol/subscriptionId, and MUST NOT send any notification on the subscription before it.",
  ),
  remedy: 'Send notifications/subscriptions/acknowledged with the granted subset before anything else.',
  run: withFilter(async (probe, filter) => {
    const listening = await listen(probe, await probe.open(), filter, 'sub-1');
    const refusal = own(listening).find((message) => 'error' in message);
    // Nothing can be acknowledged of what was not begun. That a server refuses what it declares is worth a warning.
    if (refusal !== undefined) {
      const { error } = refusal;
      if (isTrouble({ error: errorOf(refusal), http: undefined })) {
        return notVerified(`It came back with ${show(error)}.`, 'a server whose subscriptions work');
      }
      const detail = `subscriptions/listen came back with ${show(error)}.`;
      return doubtful({ detail, expected: ACK, exchange: listening.exchange() });
    }
    if (listening.refused !== undefined) {
      return notVerified(`It came back with HTTP ${listening.refused}.`, 'a server whose subscriptions work');
    }
    return judged(ackFlaws(listening, filter), `${ACK} first, with a subset of the filter`);
  }),
});

export const tagged = defineCheck({
  ...modern,
  id: 'SUB-02',
  title: 'every message of a subscription contains the id of its request, with the same type',
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    `${PAGE}#receiving-notifications`,
    'All notifications delivered on the stream carry io.modelcontextprotocol/subscriptionId in _meta, identifying the subscriptions/listen request that opened the stream. The value is the JSON-RPC ID of the subscriptions/listen request.',
  ),
  remedy: `Put _meta["${META.subscriptionId}"] with the id of the request, unchanged as a number or string, into each.`,
  run: withFilter(async (probe, filter) => {
    const session = await probe.open();
    const listening = await listen(probe, session, filter, 70_001);
    await callAllowedTools(probe, session);
    const kinds = new Set([
      ACK,
      UPDATED,
      ...['tools', 'prompts', 'resources'].map((what) => `notifications/${what}/list_changed`),
    ]);
    const flaws = listening
      .messages()
      .filter((message) => kinds.has(String(message['method'])) && tagOf(message) !== listening.id)
      .map((message) => ({
        detail: `${String(message['method'])} has the subscription id ${JSON.stringify(tagOf(message)) ?? 'none'}.`,
        exchange: listening.exchange(),
      }));
    return judged(
      [...flaws, ...(listening.messages().length === 0 ? ackFlaws(listening, filter) : [])],
      'the number 70001',
    );
  }),
});

const unwanted = (listening: Listening, allowed: readonly string[]): readonly Flaw[] =>
  own(listening)
    .filter(
      (message) => 'method' in message && message['method'] !== ACK && !allowed.includes(String(message['method'])),
    )
    .map((message) => ({ detail: `${String(message['method'])} came.`, exchange: listening.exchange() }));

export const onlyRequested = defineCheck({
  ...modern,
  id: 'SUB-03',
  title: 'a subscription sends only what was requested, and nothing for an empty filter',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    `${PAGE}#opening-a-stream`,
    'The server MUST NOT send notification types the client has not explicitly requested.',
  ),
  remedy: 'Compare each notification with the filter of the subscription.',
  run: withFilter(async (probe, filter) => {
    const session = await probe.open();
    const nothing = await listen(probe, session, {}, 'sub-empty');
    const uris = listAt(filter, 'resourceSubscriptions');
    const some = await listen(probe, session, { resourceSubscriptions: uris }, 'sub-updates');
    await callAllowedTools(probe, session);
    const foreign = own(some)
      .filter((message) => message['method'] === UPDATED)
      .map((message) => String(at(message, 'params', 'uri')))
      .filter((uri) => !uris.some((wanted) => uri.startsWith(String(wanted))))
      .map((uri) => ({ detail: `An update of ${show(uri)} came.`, exchange: some.exchange() }));
    return judged([...unwanted(nothing, []), ...unwanted(some, [UPDATED]), ...foreign], 'only what the filter names');
  }),
});

export const requestScopedStaysOff = defineCheck({
  ...modern,
  id: 'SUB-04',
  title: 'progress and log messages are never sent on a subscription',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'server/utilities/logging#per-request-log-level',
    'notifications/message is request-scoped: the server MUST NOT deliver it on a subscriptions/listen stream or on any stream other than the one carrying the response to the request that set the log level.',
  ),
  remedy: 'Send progress and log messages on the stream of their request.',
  run: withFilter(async (probe, filter) => {
    const session = await probe.open();
    const listening = await listen(probe, session, filter, 'sub-scoped');
    await callAllowedTools(probe, session, { meta: { [META.logLevel]: 'debug', progressToken: 'sub-progress' } });
    const scoped = new Set(['notifications/message', 'notifications/progress']);
    const candidates = probe.transport === 'stdio' ? own(listening) : listening.messages();
    const flaws = candidates
      .filter((message) => scoped.has(String(message['method'])))
      .map((message) => ({ detail: `${String(message['method'])} came.`, exchange: listening.exchange() }));
    return judged(flaws, 'no notifications of a request');
  }),
});

export const keptApart = defineCheck({
  ...modern,
  id: 'SUB-05',
  title: 'two concurrent subscriptions are acknowledged and served independently',
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    `${PAGE}#multiple-concurrent-subscriptions`,
    'Each subscription is identified by the JSON-RPC request ID of its subscriptions/listen request, and every notification on the stream carries that ID in io.modelcontextprotocol/subscriptionId so clients can demultiplex them.',
  ),
  remedy: 'Store subscriptions by the id of their request, and allow several at the same time.',
  run: withFilter(async (probe, filter) => {
    const session = await probe.open();
    const all = await listen(probe, session, filter, 'sub-all');
    const none = await listen(probe, session, {}, 'sub-none');
    await callAllowedTools(probe, session);
    return judged(
      [...ackFlaws(all, filter), ...ackFlaws(none, {}), ...unwanted(none, [])],
      'two acknowledgements, each with its own id',
    );
  }),
});

export const cancelStops = defineCheck({
  ...modern,
  transports: ['stdio'],
  id: 'SUB-07',
  title: 'a cancelled subscription sends nothing more',
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    `${PAGE}#cancellation`,
    'The client cancels it — close the SSE stream (HTTP) or send notifications/cancelled referencing the subscriptions/listen request ID (stdio).',
  ),
  remedy: 'Drop the subscription when notifications/cancelled names its request.',
  run: withFilter(async (probe, filter) => {
    const session = await probe.open();
    const listening = await listen(probe, session, filter, 'sub-cancelled');
    await listening.stop();
    const until = listening.messages().length;
    await callAllowedTools(probe, session);
    const flaws = listening
      .messages()
      .slice(until)
      .filter((message) => tagOf(message) === listening.id && 'method' in message)
      .map((message) => ({ detail: `${String(message['method'])} still came.`, exchange: listening.exchange() }));
    return judged(flaws, 'silence');
  }),
});

export const declaredChanges = defineCheck({
  family: 'subscriptions',
  eras: ['legacy'],
  transports: ALL_TRANSPORTS,
  id: 'SUB-08',
  title: 'list_changed is sent only if listChanged is declared',
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    'server/tools#capabilities',
    'listChanged indicates whether the server will emit notifications when the list of available tools changes.',
  ),
  remedy: 'Declare listChanged for the lists whose changes you announce.',
  async run(probe) {
    const session = await probe.open();
    await openListeningStream(session);
    await callAllowedTools(probe, session);
    const flaws = ['tools', 'resources', 'prompts'].flatMap((what) => {
      const sent = session.incoming.some((message) => message['method'] === `notifications/${what}/list_changed`);
      const declared = declares(session.capabilities, `${what}.listChanged` as Capability);
      return sent && !declared
        ? [{ detail: `${what}/list_changed was sent, but is not declared.`, exchange: session.opening.exchange }]
        : [];
    });
    return judged(flaws, 'capabilities with listChanged: true');
  },
});

export const subscriptionChecks = [
  acknowledged,
  tagged,
  onlyRequested,
  requestScopedStaysOff,
  keptApart,
  endsInGoodOrder,
  cancelStops,
  declaredChanges,
];
