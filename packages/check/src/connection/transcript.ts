import type { CheckTranscriptEntry } from '@plugboard/contract';
import type { HttpRequest } from './http-request.js';

const MAX_ENTRY = 16_384;
const MAX_ENTRIES = 200_000;
const REQUESTS_KEPT = 256;

/** Every byte of a run, with its direction and time; long entries keep their beginning. */
export class Transcript {
  readonly #origin = performance.now();
  readonly #entries: CheckTranscriptEntry[] = [];
  readonly #requests = new Map<number, HttpRequest>();
  #connections = 0;

  /** Told everything that is sent, in full. */
  onSent: ((text: string) => void) | undefined;

  /** A number for a new connection. */
  connect(): number {
    this.#connections += 1;
    return this.#connections;
  }

  get entries(): readonly CheckTranscriptEntry[] {
    return this.#entries;
  }

  /** The time of the transcript. */
  get now(): number {
    return Math.round((performance.now() - this.#origin) * 100) / 100;
  }

  /** Keeps a request as it was asked for, so that it can be sent again. */
  keep(connection: number, request: HttpRequest): void {
    this.#requests.set(connection, request);
    this.#requests.delete(connection - REQUESTS_KEPT);
  }

  requestOf(connection: number): HttpRequest | undefined {
    return this.#requests.get(connection);
  }

  get length(): number {
    return this.#entries.length;
  }

  record(connection: number, direction: CheckTranscriptEntry['direction'], data: string | Uint8Array): void {
    if (direction === 'sent') this.onSent?.(typeof data === 'string' ? data : Buffer.from(data).toString('utf8'));
    if (this.#entries.length >= MAX_ENTRIES) return;
    const bytes = typeof data === 'string' ? Buffer.byteLength(data) : data.byteLength;
    const text = (typeof data === 'string' ? data : Buffer.from(data).toString('utf8')).slice(0, MAX_ENTRY);
    const whole = Buffer.byteLength(text) === bytes;
    this.#entries.push({ at: this.now, connection, direction, text, ...(whole ? {} : { bytes }) });
  }

  /** What these connections carried from this position on. */
  since(position: number, connections: ReadonlySet<number>): readonly CheckTranscriptEntry[] {
    return this.#entries.slice(position).filter((entry) => connections.has(entry.connection));
  }
}
