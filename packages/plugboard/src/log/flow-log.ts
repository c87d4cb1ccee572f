import { randomBytes } from 'node:crypto';
import type { FlowWatch, FollowedMessage } from '@plugboard/gateway';
import type { Logger } from './logger.js';
import { sketchMessage } from './message-sketch.js';

const MAX_BODY = 1500;

const bounded = (value: unknown, redact: (text: string) => string): unknown => {
  const text = JSON.stringify(value);
  if (text === undefined) return undefined;
  const clean = redact(text);
  if (clean.length > MAX_BODY) return `${clean.slice(0, MAX_BODY)}…`;
  // The text is shown where a secret was cut out in a way that leaves no JSON.
  return clean === text ? value : clean;
};

/** Writes down the flow of requests at the level debug, and every message at trace. */
export class FlowLog implements FlowWatch {
  readonly #log: Logger;
  /** Ids of several processes with one log differ. */
  readonly #prefix = randomBytes(3).toString('hex');
  #last = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  get followsCalls(): boolean {
    return this.#log.isEnabled?.('debug') === true;
  }

  get followsMessages(): boolean {
    return this.#log.isEnabled?.('trace') === true;
  }

  newCallId(): string {
    this.#last += 1;
    return `${this.#prefix}-${this.#last.toString(36)}`;
  }

  see({ direction, server, transport, endpoint, message, callId, redact = (text) => text }: FollowedMessage): void {
    const { kind, id, method, bytes, params, result, error } = sketchMessage(message);
    const body = params ?? result ?? error;
    this.#log.trace?.(direction === 'sent' ? 'A message was sent.' : 'A message was received.', {
      direction,
      peer: server === undefined ? 'client' : 'server',
      server,
      transport,
      endpoint,
      kind,
      id,
      method,
      bytes,
      ...(body === undefined ? {} : { body: bounded(body, redact) }),
      call_id: callId,
    });
  }

  note(message: string, fields: Readonly<Record<string, unknown>>): void {
    this.#log.debug?.(message, fields);
  }
}
