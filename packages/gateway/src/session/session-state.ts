import { type KeptEvents, type KeptSession, PlugboardError } from '@plugboard/contract';
import { findRevision, type JsonObject } from '@plugboard/wire';
import { bindingOfCaller } from '../call/caller.js';
import type { ClientFacts } from '../call/mcp-call.js';
import type { LoggedEvent } from './event-log.js';
import type { HttpSession } from './http-session.js';
import { numbersBefore, type SessionPast } from './session-past.js';
import type { SessionSeal } from './session-seal.js';

/** Grows when the text changes in a way that earlier programs cannot read. */
const FORMAT = 1;
/** A larger event is kept in memory only. */
const MAX_EVENT_CHARS = 64 * 1024;

/** A session whose state is larger is not kept. */
const MAX_STATE_BYTES = 256 * 1024;
/** As Base64, with what the seal adds. */
const MAX_SEALED_CHARS = Math.ceil((MAX_STATE_BYTES + 64) / 3) * 4;
/** What is kept of a request in progress has at least so many characters. */
const MIN_INTERRUPTION_CHARS = 100;

interface WrittenState {
  readonly format: number;
  readonly endpoint: string;
  readonly binding: string;
  readonly revision: string;
  readonly capabilities: JsonObject;
  readonly clientInfo?: JsonObject | undefined;
  readonly logLevel?: string | undefined;
  readonly subscriptions: readonly string[];
  readonly prefix: string;
  readonly delivered: number;
  readonly interrupted: SessionPast['interrupted'];
}

/** A session as it was when it was last written. */
export interface ReadState {
  readonly endpoint: string;
  /** Whose session it is. */
  readonly binding: string;
  readonly client: Omit<ClientFacts, 'caller'>;
  /** As the next holder continues it. Its events are decrypted only now. */
  readonly readPast: () => SessionPast;
}

const tooLarge = (): PlugboardError =>
  new PlugboardError(
    'PAYLOAD_TOO_LARGE',
    `A session has more than ${MAX_STATE_BYTES / 1024} KiB of state. It is not kept, and ends with this process.`,
    { hint: 'Its client has very many subscriptions or requests in progress.' },
  );

/** Throws when the session is too large to be kept. */
export const writeState = (holder: HttpSession, seal: SessionSeal): string => {
  const atLeast = holder.session.subscriptionChars + holder.interruptionCount * MIN_INTERRUPTION_CHARS;
  if (atLeast > MAX_STATE_BYTES) throw tooLarge();
  const { session, log, delivered, interruptions } = holder;
  const { revision, capabilities, clientInfo, caller } = session.client;
  const state: WrittenState = {
    format: FORMAT,
    endpoint: session.endpoint.id,
    binding: bindingOfCaller(caller),
    revision: revision.id,
    capabilities,
    clientInfo,
    logLevel: session.logLevel,
    subscriptions: session.subscriptions,
    prefix: log.prefix,
    delivered,
    interrupted: interruptions,
  };
  const text = JSON.stringify(state);
  if (Buffer.byteLength(text) > MAX_STATE_BYTES) throw tooLarge();
  return seal.seal(text);
};

/** The events as they are written. Those that are too large are replaced by what stands for them. */
export const writeEvents = (events: readonly LoggedEvent[], seal: SessionSeal): string => {
  const small = events.flatMap(({ instead, ...event }): readonly LoggedEvent[] => {
    if (event.data.length <= MAX_EVENT_CHARS) return [event];
    const data = instead?.();
    return data === undefined || data.length > MAX_EVENT_CHARS ? [] : [{ ...event, data }];
  });
  return seal.seal(JSON.stringify(small));
};

const readEvents = (parts: readonly KeptEvents[], seal: SessionSeal): readonly LoggedEvent[] =>
  parts.flatMap(({ sealed }) => JSON.parse(seal.open(sealed) ?? '[]') as readonly LoggedEvent[]);

interface Kept {
  readonly session: KeptSession;
  readonly events: readonly KeptEvents[];
}

/** Undefined when it was written with another id, or by a program of another format. */
export const readState = (id: string, { session, events }: Kept, seal: SessionSeal): ReadState | undefined => {
  if (session.sealed.length > MAX_SEALED_CHARS) return undefined;
  const text = seal.open(session.sealed);
  const state = text === undefined ? undefined : (JSON.parse(text) as WrittenState);
  const revision = state?.format === FORMAT ? findRevision(state.revision) : undefined;
  if (state === undefined || revision === undefined) return undefined;
  const generation = session.generation + 1;
  const numbers = numbersBefore(generation);
  const { endpoint, binding, capabilities, clientInfo, logLevel, subscriptions, prefix, delivered, interrupted } =
    state;
  return {
    endpoint,
    binding,
    client: { revision, capabilities, clientInfo },
    readPast: () => ({
      id,
      generation,
      prefix,
      events: { events: readEvents(events, seal), last: numbers },
      delivered,
      lastStream: numbers,
      lastId: numbers,
      interrupted,
      logLevel,
      subscriptions,
    }),
  };
};
