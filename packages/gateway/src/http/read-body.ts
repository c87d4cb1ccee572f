import type { IncomingMessage } from 'node:http';
import { ByteParts, strictUtf8 } from '@plugboard/base';
import { type NoRoom, READ_TURNS, type Room, type SlowWatch, UNCOUNTED_BYTES, type Watched } from '@plugboard/client';
import { bodyTooLarge, PlugboardError } from '@plugboard/contract';
import { overloaded } from './overloaded.js';
import { sharedWatches } from './shared-watches.js';

export interface BodyLimits {
  readonly maxBytes: number;
  /** How long the whole body may take to arrive. */
  readonly deadlineMs: number;
}

export const DEFAULT_BODY_LIMITS: BodyLimits = { maxBytes: 4 * 1024 * 1024, deadlineMs: 30_000 };

const tooSlow = (): PlugboardError =>
  new PlugboardError('INVALID_REQUEST', 'The body did not arrive in time.', { hint: 'Send it without pauses.' });

const hungUp = (): PlugboardError =>
  new PlugboardError('CANCELLED', 'The caller disconnected before it had sent the whole body.');

/** Throws INVALID_JSON for bytes that are no UTF-8. */
export const textOf = (bytes: Buffer): string => {
  const text = strictUtf8(bytes);
  if (text !== undefined) return text;
  throw new PlugboardError('INVALID_JSON', 'The body is not valid UTF-8.', { hint: 'Encode it as UTF-8.' });
};

/** A larger body of known length is gathered in one place while it arrives: to join megabytes at its end blocks everybody. */
const GATHERED_BYTES = 128 * 1024;
/** The place is made when this part of the body is there, so that no memory waits for those who only announce one. */
const GATHERED_SHARE = 1 / 8;

const joined = (parts: readonly Uint8Array[]): Buffer => {
  const [first] = parts;
  return parts.length === 1 && Buffer.isBuffer(first) ? first : Buffer.concat(parts);
};

/** Who gets the body of a request, or hears why there is none. Exactly one of the two is called, once. */
export interface BodyTaker {
  /** Room for a large body, for as long as it is needed; asked for at most once. */
  room?(): Room | undefined;
  onBody(bytes: Buffer): void;
  onFailure(error: PlugboardError): void;
}

const watchFor = sharedWatches();

class BodyReading implements Watched {
  since = performance.now();
  before: Watched | undefined;
  after: Watched | undefined;
  private readonly limits: BodyLimits;
  private readonly taker: BodyTaker;
  private readonly watch: SlowWatch;
  private readonly parts = new ByteParts();
  private declaredBytes = 0;
  /** Where a large body is gathered. */
  private gathering: Buffer | undefined;
  private room: Room | undefined;
  private counted = 0;
  private size = 0;
  private settled = false;

  constructor(limits: BodyLimits, taker: BodyTaker) {
    this.limits = limits;
    this.taker = taker;
    this.watch = watchFor(limits.deadlineMs);
  }

  /** The listeners go with the request. */
  begin(request: IncomingMessage): void {
    this.watch.add(this);
    this.declaredBytes = Number(request.headers['content-length'] ?? 0);
    request.on('data', (chunk: Buffer) => {
      this.add(chunk);
      if (this.size > UNCOUNTED_BYTES && READ_TURNS.spend(chunk.length)) {
        request.pause();
        READ_TURNS.wait(() => request.resume());
      }
    });
    request.on('end', () => this.finish());
    const onGone = (): void => this.fail(hungUp);
    request.on('close', onGone).on('error', onGone);
  }

  tooSlow(): void {
    this.fail(tooSlow);
  }

  private add(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.settled) return;
    const refused = this.size > UNCOUNTED_BYTES ? this.count() : undefined;
    if (this.size > this.limits.maxBytes) this.fail(() => bodyTooLarge(this.limits.maxBytes));
    else if (refused !== undefined) this.fail(() => overloaded(refused));
    else this.keep(chunk);
  }

  private keep(chunk: Buffer): void {
    if (this.gathering === undefined) this.parts.push(chunk);
    else chunk.copy(this.gathering, this.size - chunk.length);
    if (this.gathering === undefined && this.size > GATHERED_BYTES && this.size > this.declaredBytes * GATHERED_SHARE) {
      this.gather();
    }
  }

  private gather(): void {
    // Less than what is there: nothing was declared.
    if (this.declaredBytes < this.size) return;
    const place = Buffer.allocUnsafe(this.declaredBytes);
    let at = 0;
    for (const part of this.parts.take()) {
      place.set(part, at);
      at += part.length;
    }
    this.gathering = place;
  }

  private whole(): Buffer {
    return this.gathering?.subarray(0, this.size) ?? joined(this.parts.take());
  }

  private count(): NoRoom | undefined {
    this.room ??= this.taker.room?.();
    const refused = this.room?.grow(this.size - this.counted);
    if (refused === undefined) this.counted = this.size;
    return refused;
  }

  private finish(): void {
    if (this.settle()) this.taker.onBody(this.whole());
  }

  private fail(error: () => PlugboardError): void {
    if (!this.settle()) return;
    this.parts.take();
    this.gathering = undefined;
    this.taker.onFailure(error());
  }

  /** True the first time. */
  private settle(): boolean {
    if (this.settled) return false;
    this.settled = true;
    this.watch.remove(this);
    return true;
  }
}

/** Reads the whole body; refused as soon as it is known to be too large, without keeping it. */
export const takeBody = (request: IncomingMessage, limits: BodyLimits, taker: BodyTaker): void => {
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) taker.onFailure(bodyTooLarge(limits.maxBytes));
  else new BodyReading(limits, taker).begin(request);
};

/** The whole body as text. */
export const readBody = async (
  request: IncomingMessage,
  limits: BodyLimits = DEFAULT_BODY_LIMITS,
  room?: BodyTaker['room'],
): Promise<string> =>
  textOf(
    await new Promise<Buffer>((resolve, reject) =>
      takeBody(request, limits, { onBody: resolve, onFailure: reject, ...(room === undefined ? {} : { room }) }),
    ),
  );
