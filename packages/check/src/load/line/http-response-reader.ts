/** The head of an answer, as far as load needs it. */
export interface ResponseHead {
  readonly status: number;
  readonly isStream: boolean;
  /** The connection ends with this answer. */
  readonly closes: boolean;
  readonly sessionId: string | undefined;
}

export interface ResponseSink {
  onHead(head: ResponseHead): void;
  onBody(chunk: Buffer): void;
  onEnd(): void;
  /** Bytes that belong to no answer of ours. */
  onSurplus(chunk: Buffer): void;
  /** The server gives up an idle connection, and says so. */
  onIdleTimeout(): void;
  onMalformed(why: string): void;
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'head' }
  | { readonly kind: 'length'; left: number }
  | { readonly kind: 'chunk-size' }
  | { readonly kind: 'chunk'; left: number }
  | { readonly kind: 'chunk-end' }
  | { readonly kind: 'trailer' }
  | { readonly kind: 'until-close' };

const MAX_HEAD = 64 * 1024;
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const CRLF = Buffer.from('\r\n');

/** The head is in lower case already. */
const headerOf = (head: string, name: string): string | undefined => {
  const at = head.indexOf(`\r\n${name}:`);
  if (at === -1) return undefined;
  const start = at + name.length + 3;
  const end = head.indexOf('\r\n', start);
  return head.slice(start, end === -1 ? head.length : end).trim();
};

/** What servers send before they close a connection that was idle for too long (RFC 9110, 15.5.9). */
const isIdleTimeout = (bytes: Buffer): boolean => /^HTTP\/1\.\d 408 /u.test(bytes.toString('latin1', 0, 13));

const NO_BODY = new Set([204, 304]);

interface ParsedHead {
  readonly head: ResponseHead;
  readonly body: number | 'chunked' | 'until-close';
}

const parseHead = (text: string): ParsedHead | undefined => {
  const status = Number(text.slice(9, 12));
  if (!text.startsWith('HTTP/1.') || !Number.isInteger(status) || status < 100) return undefined;
  const lower = text.toLowerCase();
  const length = headerOf(lower, 'content-length');
  const isChunked = headerOf(lower, 'transfer-encoding')?.includes('chunked') === true;
  const known = length !== undefined && /^\d+$/u.test(length) ? Number(length) : undefined;
  const at = lower.indexOf('\r\nmcp-session-id:');
  return {
    head: {
      status,
      isStream: headerOf(lower, 'content-type')?.startsWith('text/event-stream') === true,
      closes: headerOf(lower, 'connection') === 'close',
      // Its case matters.
      sessionId: at === -1 ? undefined : headerOf(`\r\nid${text.slice(at + 16)}`, 'id'),
    },
    body: isChunked ? 'chunked' : (known ?? (NO_BODY.has(status) ? 0 : 'until-close')),
  };
};

/**
 * Reads answers of HTTP/1.1 from the bytes of one kept connection. A library would hide what it does not expect, and
 * surplus bytes after an answer are a defect that load has to find.
 */
export class HttpResponseReader {
  readonly #sink: ResponseSink;
  #state: State = { kind: 'idle' };
  #rest: Buffer | undefined;
  #lastText = '';
  #lastHead: ParsedHead | undefined;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  /** A request was sent: what comes next answers it. */
  expect(): void {
    this.#state = { kind: 'head' };
  }

  get isIdle(): boolean {
    return this.#state.kind === 'idle';
  }

  push(chunk: Buffer): void {
    let bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = undefined;
    while (bytes.length > 0) {
      if (this.#state.kind === 'idle') {
        if (isIdleTimeout(bytes)) this.#sink.onIdleTimeout();
        else this.#sink.onSurplus(bytes);
        return;
      }
      const next = this.#step(bytes);
      if (next === undefined) {
        this.#rest = bytes;
        return;
      }
      bytes = next;
    }
  }

  /** The connection was closed; true when that completes an answer without a length. */
  end(): boolean {
    if (this.#state.kind !== 'until-close') return false;
    this.#finish();
    return true;
  }

  /** What is left after one step; undefined when the step needs more bytes. */
  #step(bytes: Buffer): Buffer | undefined {
    const state = this.#state;
    switch (state.kind) {
      case 'head':
        return this.#head(bytes);
      case 'length':
      case 'chunk':
        return this.#counted(bytes, state);
      case 'chunk-size':
        return this.#chunkSize(bytes);
      case 'chunk-end':
        if (bytes.length < 2) return undefined;
        this.#state = { kind: 'chunk-size' };
        return bytes.subarray(2);
      case 'trailer':
        return this.#trailer(bytes);
      case 'until-close':
        this.#sink.onBody(bytes);
        return bytes.subarray(bytes.length);
      case 'idle':
        return bytes;
      default:
        return state satisfies never;
    }
  }

  #head(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf(END_OF_HEAD);
    if (end === -1) {
      if (bytes.length > MAX_HEAD) return this.#malformed('The head of an answer is longer than 64 KiB.', bytes);
      return undefined;
    }
    const text = bytes.toString('latin1', 0, end);
    // Servers repeat themselves: most heads are the same as the one before.
    const parsed = text === this.#lastText ? this.#lastHead : parseHead(text);
    if (parsed === undefined) return this.#malformed('The answer does not begin as HTTP/1.1 does.', bytes);
    this.#lastText = text;
    this.#lastHead = parsed;
    const rest = bytes.subarray(end + END_OF_HEAD.length);
    const { head, body } = parsed;
    if (head.status < 200) return rest;
    this.#sink.onHead(head);
    if (body === 'chunked') this.#state = { kind: 'chunk-size' };
    else if (body === 'until-close') this.#state = { kind: 'until-close' };
    else if (body > 0) this.#state = { kind: 'length', left: body };
    else this.#finish();
    return rest;
  }

  #counted(bytes: Buffer, state: { readonly kind: 'length' | 'chunk'; left: number }): Buffer {
    const taken = bytes.length <= state.left ? bytes : bytes.subarray(0, state.left);
    state.left -= taken.length;
    this.#sink.onBody(taken);
    if (state.left === 0) {
      if (state.kind === 'chunk') this.#state = { kind: 'chunk-end' };
      else this.#finish();
    }
    return bytes.subarray(taken.length);
  }

  #chunkSize(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf(CRLF);
    if (end === -1) return bytes.length > 1_024 ? this.#malformed('A chunk has no size.', bytes) : undefined;
    const size = Number.parseInt(bytes.toString('latin1', 0, end), 16);
    if (Number.isNaN(size)) return this.#malformed('A chunk has no size.', bytes);
    this.#state = size === 0 ? { kind: 'trailer' } : { kind: 'chunk', left: size };
    return bytes.subarray(end + 2);
  }

  #trailer(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf(CRLF);
    if (end === -1) return undefined;
    if (end === 0) this.#finish();
    return bytes.subarray(end + 2);
  }

  #finish(): void {
    this.#state = { kind: 'idle' };
    this.#sink.onEnd();
  }

  #malformed(why: string, bytes: Buffer): Buffer {
    this.#state = { kind: 'idle' };
    this.#sink.onMalformed(why);
    return bytes.subarray(bytes.length);
  }
}
