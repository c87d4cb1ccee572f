import type { Span } from '@plugboard/wire';

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const COLON = 0x3a;

/** `more`: it has not come yet. `unusual`: it is not one plain message, so somebody else must read the stream. */
export type FirstEvent = Span | 'more' | 'unusual';

/** A server that sends more lines before its answer is read by somebody who takes what comes piece by piece. */
const MAX_LINES = 200;

const startsWith = (bytes: Buffer, at: number, name: string): boolean => {
  for (let index = 0; index < name.length; index += 1) {
    if (bytes[at + index] !== name.charCodeAt(index)) return false;
  }
  return true;
};

/** Where the value of a field begins: after the colon and one space. */
const valueAt = (bytes: Buffer, at: number): number => (bytes[at] === 0x20 ? at + 1 : at);

/** Finds the data of the first event with any in the beginning of an event stream. No line is looked at twice. */
export class FirstEventSearch {
  /** Where the event that was found ends. */
  at = 0;
  /** Did the server name an event, so that the stream can be resumed after it? */
  hasId = false;
  private lines = 0;
  private data: Span | undefined;

  /** `bytes` is the stream from its beginning, as far as it has come. */
  look(bytes: Buffer): FirstEvent {
    for (;;) {
      const { at } = this;
      const feed = bytes.indexOf(LINE_FEED, at);
      if (feed === -1) return 'more';
      this.lines += 1;
      if (this.lines > MAX_LINES) return 'unusual';
      const end = bytes[feed - 1] === RETURN && feed > at ? feed - 1 : feed;
      this.at = feed + 1;
      if (end === at) {
        // An event without data only tells its id.
        if (this.data !== undefined && this.data.end > this.data.start) return this.data;
        this.data = undefined;
      } else if (!this.takeLine(bytes, at, end)) {
        return 'unusual';
      }
    }
  }

  private takeLine(bytes: Buffer, at: number, end: number): boolean {
    if (startsWith(bytes, at, 'data:')) {
      if (this.data !== undefined) return false;
      this.data = { start: valueAt(bytes, at + 5), end };
      return true;
    }
    if (startsWith(bytes, at, 'event:')) return bytes.toString('latin1', valueAt(bytes, at + 6), end) === 'message';
    if (startsWith(bytes, at, 'id:')) {
      this.hasId = true;
      return true;
    }
    return bytes[at] === COLON || startsWith(bytes, at, 'retry:');
  }
}
