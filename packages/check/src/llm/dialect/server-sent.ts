import { tryJson } from '../../connection/json.js';
import { SseParser } from '../../connection/sse-parser.js';
import type { SeenEvent } from '../ask.js';

const DONE = '[DONE]';

/** Reads a stream of server-sent events whose data is JSON. */
export const readServerSent = (
  bytes: Uint8Array,
  read: (data: unknown, event: string) => readonly SeenEvent[],
): readonly SeenEvent[] => {
  const parser = new SseParser();
  const seen = parser.push(bytes).flatMap((event): readonly SeenEvent[] => {
    if (event.strange.length > 0) return [{ kind: 'broken', why: `The line "${event.strange[0]}" has no field name.` }];
    if (event.data === '') return [];
    if (event.data === DONE) return [{ kind: 'end' }];
    const data = tryJson(event.data);
    if (data === undefined) return [{ kind: 'broken', why: `The data of an event is not JSON: ${event.data}` }];
    return read(data, event.event);
  });
  return parser.unfinished ? [...seen, { kind: 'broken', why: 'The stream stops in the middle of an event.' }] : seen;
};
