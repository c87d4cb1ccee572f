import type { Writable } from 'node:stream';
import { pino, stdTimeFunctions } from 'pino';
import type { LogLevel } from '../settings/log-level.js';

/** Where the parts of the hub report; fields never hold a secret. */
export interface Logger {
  /** Would a line of this level be written? Asked before anything is prepared for one. */
  isEnabled?(level: 'trace' | 'debug'): boolean;
  trace?(message: string, fields?: Readonly<Record<string, unknown>>): void;
  debug?(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** For lines that come in crowds: members of a JSON object that hold nothing secret, written without a second look. */
  written?(message: string, members: string): void;
  /** From now on. */
  setLevel?(level: LogLevel): void;
  /** Writes what waits. */
  flush?(): void;
}

/** Second line of defence: the code hands over no secrets, and if it did, these members would not be written. */
const REDACTED = ['auth_token', 'custom_headers', 'env', 'authorization', 'headers', 'config'].flatMap((name) => [
  name,
  `*.${name}`,
]);

/** The time as text, written once for all lines of a millisecond. */
const isoClock = (): (() => string) => {
  let last = { ms: 0, text: '' };
  return () => {
    const ms = Date.now();
    if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
    return last.text;
  };
};

const MAX_CHARS = 65_536;

/** Lines of one turn of the event loop become one write. */
class LineBuffer {
  readonly #destination: Writable;
  readonly #readable: ((line: string) => string) | undefined;
  #text = '';
  #waits = false;

  constructor(destination: Writable, readable: ((line: string) => string) | undefined) {
    this.#destination = destination;
    this.#readable = readable;
  }

  write(line: string): void {
    this.#text += this.#readable?.(line) ?? line;
    if (this.#text.length > MAX_CHARS) {
      this.flush();
    } else if (!this.#waits) {
      this.#waits = true;
      setImmediate(() => this.flush());
    }
  }

  flush(): void {
    this.#waits = false;
    const text = this.#text;
    this.#text = '';
    if (text !== '') this.#destination.write(text);
  }
}

export interface LogTarget {
  readonly level: LogLevel;
  readonly destination: Writable;
  /** How a line of JSON is written for people; JSON as it is when left out. */
  readonly readable?: ((line: string) => string) | undefined;
}

/** One line per event on the given stream. */
export const createLogger = ({ level, destination, readable }: LogTarget): Logger => {
  const lines = new LineBuffer(destination, readable);
  const clock = isoClock();
  const log = pino({ level, base: null, timestamp: stdTimeFunctions.isoTime, redact: REDACTED }, lines);
  return {
    isEnabled: (asked) => log.isLevelEnabled(asked),
    trace: (message, fields) => log.trace(fields ?? {}, message),
    debug: (message, fields) => log.debug(fields ?? {}, message),
    setLevel: (wanted) => {
      log.level = wanted;
    },
    info: (message, fields) => log.info(fields ?? {}, message),
    written: (message, members) => {
      if (!log.isLevelEnabled('info')) return;
      lines.write(`{"level":30,"time":"${clock()}",${members},"msg":"${message}"}\n`);
    },
    // What is wrong is written at once: the process may not live to see the next turn.
    warn: (message, fields) => {
      log.warn(fields ?? {}, message);
      lines.flush();
    },
    error: (message, fields) => {
      log.error(fields ?? {}, message);
      lines.flush();
    },
    flush: () => lines.flush(),
  };
};
