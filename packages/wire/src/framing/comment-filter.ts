const FEED = 0x0a;
const RETURN = 0x0d;
const COLON = 0x3a;

const EMPTY = new Uint8Array(0);

/**
 * Takes the comments out of an event stream, however it is cut into chunks: they mean nothing, and a server can send
 * hundreds of thousands of them in a megabyte.
 */
export class CommentFilter {
  #atLineStart = true;
  #inComment = false;
  /** A comment ended with a return; a line feed right after it belongs to it. */
  #dropsFeed = false;

  /** What is left of the chunk: the chunk itself when it has no comment. */
  strip(chunk: Uint8Array): Uint8Array {
    const kept: Uint8Array[] = [];
    let [at, from, size] = [0, 0, 0];
    const keepUntil = (end: number): void => {
      if (end <= from) return;
      kept.push(chunk.subarray(from, end));
      size += end - from;
    };
    let isWhole = true;
    while (at < chunk.length) {
      if (this.#dropsFeed && chunk[at] === FEED) {
        at += 1;
        from = at;
        isWhole = false;
      }
      this.#dropsFeed = false;
      if (at === chunk.length) break;
      if (!this.#inComment && this.#atLineStart && chunk[at] === COLON) {
        keepUntil(at);
        this.#inComment = true;
        isWhole = false;
      }
      if (this.#inComment) {
        isWhole = false;
        from = lastComment(chunk, at);
        const end = endOfComment(chunk, from);
        this.#inComment = end === chunk.length;
        this.#atLineStart = !this.#inComment;
        this.#dropsFeed = chunk[end] === RETURN;
        at = this.#inComment ? end : end + 1;
        from = at;
      } else {
        const end = endOfLine(chunk, at);
        this.#atLineStart = end < chunk.length;
        at = this.#atLineStart ? end + 1 : end;
      }
    }
    if (isWhole) return chunk;
    keepUntil(chunk.length);
    return joined(kept, size);
  }
}

/** Where the last of several comments begins that follow each other: one loop for all of them, because they can be many. */
const lastComment = (chunk: Uint8Array, from: number): number => {
  const { length } = chunk;
  let start = from;
  let before = 0;
  for (let at = from; at < length; at += 1) {
    const byte = chunk[at];
    if (before === FEED || before === RETURN) {
      if (byte === COLON) start = at;
      else if (before === FEED || byte !== FEED) break;
    }
    before = byte ?? 0;
  }
  return start;
};

/** Comments in great number are short: a loop is faster than a search for each. */
const endOfComment = (chunk: Uint8Array, from: number): number => {
  let at = from;
  while (at < chunk.length && chunk[at] !== FEED && chunk[at] !== RETURN) at += 1;
  return at;
};

const endOfLine = (chunk: Uint8Array, from: number): number => {
  const feed = chunk.indexOf(FEED, from);
  const end = feed === -1 ? chunk.length : feed;
  // A line may end with a return alone.
  const alone = chunk.subarray(from, end).indexOf(RETURN);
  return alone === -1 ? end : from + alone;
};

const joined = (parts: readonly Uint8Array[], size: number): Uint8Array => {
  const [first] = parts;
  if (first === undefined) return EMPTY;
  if (parts.length === 1) return first;
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};
