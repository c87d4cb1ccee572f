import { pause } from '../../connection/deadline.js';
import type { SseEvent } from '../../connection/sse-parser.js';
import { defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notApplicable } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import type { Session } from '../../session/session.js';
import { spec } from '../instrument/spec.js';
import { HTTP, listening } from './raw.js';
import { streamedAnswer, type Streamed } from './streamed.js';

const PAGE = 'basic/transports#resumability-and-redelivery';
const legacy = { ...HTTP, eras: ['legacy'] } as const;
/** Enough for a coin to fall on both sides. */
const ROUNDS = 3;
const MAX_IDS = 4;
const NOT_RESUMABLE = notApplicable('No stream that could be opened has events with ids.');

const idsOf = (events: readonly SseEvent[]): readonly string[] =>
  events.flatMap(({ id }) => (id === undefined ? [] : [id]));

const identified = async (probe: Probe, session: Session): Promise<Streamed | undefined> => {
  const streamed = await streamedAnswer(probe, session);
  return streamed !== undefined && idsOf(streamed.events).length > 0 ? streamed : undefined;
};

/** What the server sends to a client that says it has seen this event last. */
const replayed = async (probe: Probe, session: Session, lastEventId: string): Promise<readonly SseEvent[]> => {
  const http = await probe.stream(listening(session, { 'last-event-id': lastEventId }));
  if (http.status !== 200 || !http.isStream) return [];
  await http.endsWithin(probe.target.budgets.quietMs * 2);
  await pause(probe.target.budgets.quietMs, probe.signal);
  return http.events.items;
};

export const eventIds = defineCheck({
  ...legacy,
  id: 'HTP-26',
  title: 'event ids are unique in a session, and a replay contains the events of one stream, in order',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    PAGE,
    'If present, the ID MUST be globally unique across all streams within that session—or all streams with that specific client, if session management is not in use.',
  ),
  remedy:
    'Number the events of each stream, with the id of the stream as prefix. Replay only later events of that stream.',
  async run(probe) {
    const session = await probe.open();
    const one = await identified(probe, session);
    const two = await identified(probe, session);
    if (one === undefined || two === undefined) return NOT_RESUMABLE;
    const [mine, others] = [idsOf(one.events), idsOf(two.events)];
    const all = [...mine, ...others];
    const twice = all.find((id, index) => all.indexOf(id) !== index);
    if (twice !== undefined) {
      return broken({ detail: `Two events have the id ${twice}.`, expected: 'unique ids', exchange: two.exchange });
    }
    const replay = idsOf(await replayed(probe, session, mine[0] ?? ''));
    const foreign = replay.find((id) => others.includes(id));
    const expected = 'the events of the same stream after that one, in order';
    if (foreign !== undefined) {
      return broken({
        detail: `The replay has an event of another stream, ${foreign}.`,
        expected,
        exchange: one.exchange,
      });
    }
    const again = replay.filter((id) => mine.includes(id));
    const order = mine.slice(1).slice(0, again.length);
    if (again.join('\n') === order.join('\n')) return holds(`${again.length} events were replayed.`);
    // No sentence says in which order; a client that counts on it gets a remark.
    return doubtful({ detail: `The replay is ${again.join(', ')}.`, expected, exchange: one.exchange });
  },
});

export const foreignReplay = defineCheck({
  ...legacy,
  id: 'HTP-27',
  title: 'a session cannot replay the events of another',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    PAGE,
    'The server MUST NOT replay messages that would have been delivered on a different stream.',
  ),
  remedy: 'Look up Last-Event-ID among the streams of the session that asks.',
  async run(probe) {
    const owner = await probe.open();
    if (owner.sessionId === undefined) return NOT_RESUMABLE;
    const stranger = await probe.open();
    for (let round = 0; round < ROUNDS; round += 1) {
      const streamed = await identified(probe, owner);
      if (streamed === undefined) return NOT_RESUMABLE;
      const ids = idsOf(streamed.events);
      // Which event is the last one may be a matter of chance: a server may order them by a clock of milliseconds.
      for (const last of ids.slice(0, MAX_IDS)) {
        const stolen = idsOf(await replayed(probe, stranger, last)).find((id) => ids.includes(id));
        if (stolen === undefined) continue;
        return broken({
          detail: `Another session received the event ${stolen}.`,
          expected: 'a refusal, or nothing',
          exchange: streamed.exchange,
        });
      }
    }
    return holds();
  },
});

export const primingEvent = defineCheck({
  ...legacy,
  id: 'HTP-28',
  title: 'a resumable stream begins with an event that has an id and no data',
  level: 'SHOULD',
  tier: 'full',
  source: spec(
    '2025-11-25',
    'basic/transports#sending-messages-to-the-server',
    'The server SHOULD immediately send an SSE event consisting of an event ID and an empty data field in order to prime the client to reconnect (using that event ID as Last-Event-ID).',
  ),
  remedy: 'Begin each stream with id: … and an empty data: line.',
  async run(probe) {
    const streamed = await identified(probe, await probe.open());
    if (streamed === undefined) return NOT_RESUMABLE;
    const first = streamed.events[0];
    if (first?.id !== undefined && first.data === '') return holds();
    return broken({
      detail: 'The first event already contains a message.',
      expected: 'an event with an id and empty data',
      exchange: streamed.exchange,
    });
  },
});
