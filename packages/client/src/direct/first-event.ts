import type { Span } from '@plugboard/wire';

const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** `more`: it has not come yet. `unusual`: it is not one plain message, so somebody else must read the stream. */
export type FirstEvent = Span | 'more' | 'unusual';

const startsWith = (bytes: Buffer, at: number, name: string): boolean =>
  bytes.length >= at + name.length && bytes.toString('latin1', at, at + name.length) === name;

/** Where the value of a field begins: after the colon and one space. */
const valueAt = (bytes: Buffer, at: number): number => (bytes[at] === 0x20 ? at + 1 : at);

/** Where the data of the first event with any stands in the beginning of an event stream. */
export const firstEvent = (bytes: Buffer): FirstEvent => {
  let data: Span | undefined;
  for (let at = 0; ;) {
    const feed = bytes.indexOf(LINE_FEED, at);
    if (feed === -1) return 'more';
    const end = bytes[feed - 1] === RETURN && feed > at ? feed - 1 : feed;
    if (end === at) {
      // An event without data only tells its id.
      if (data !== undefined && data.end > data.start) return data;
      data = undefined;
    } else if (startsWith(bytes, at, 'data:')) {
      if (data !== undefined) return 'unusual';
      data = { start: valueAt(bytes, at + 5), end };
    } else if (startsWith(bytes, at, 'event:')) {
      if (bytes.toString('latin1', valueAt(bytes, at + 6), end) !== 'message') return 'unusual';
    } else if (bytes[at] !== 0x3a && !startsWith(bytes, at, 'id:') && !startsWith(bytes, at, 'retry:')) {
      return 'unusual';
    }
    at = feed + 1;
  }
};
