import type { ServerProtocol } from '@plugboard/contract';
import type { Era } from '@plugboard/wire';
import { CallDeadline } from '../deadline/call-deadline.js';
import { McpClientError } from '../error/client-error.js';
import { McpProtocolError } from '../error/error-family.js';
import { endedAtStart, leftInputUnread } from '../error/process-error.js';
import { toClientError } from '../error/to-client-error.js';
import type { Transport, TransportKind } from '../transport/transport.js';
import type { Agreement } from './agreement.js';
import { discover, type Probe } from './discover.js';
import type { Handshake } from './handshake.js';
import { initialize } from './initialize.js';

export interface NegotiateOptions extends Omit<Handshake, 'transport'> {
  /** The transport that the config names. */
  readonly kind: TransportKind;
  readonly open: (kind: TransportKind, signal: AbortSignal) => Promise<Transport>;
  readonly remembered?: Partial<Pick<ServerProtocol, 'era' | 'transport'>> | undefined;
  /** Leaves the other era out altogether. */
  readonly onlyEra?: Era | undefined;
  readonly probeMs: number;
  readonly onFallback: (from: TransportKind, to: TransportKind) => void;
}

export interface Negotiated {
  readonly transport: Transport;
  readonly agreement: Agreement;
}

const closeQuietly = (transport: Transport): Promise<void> => transport.close().catch(() => undefined);

const handshakeOver = (options: NegotiateOptions, transport: Transport, signal = options.signal): Handshake => ({
  transport,
  nextId: options.nextId,
  identity: options.identity,
  signal,
  host: options.host,
  redact: options.redact,
  onIncoming: options.onIncoming,
});

/** The probe has a shorter deadline of its own: a legacy server may ignore what it does not know. */
const probe = async (options: NegotiateOptions, transport: Transport): Promise<Probe> => {
  if (options.onlyEra === 'modern') return discover(handshakeOver(options, transport));
  using deadline = new CallDeadline({
    ms: options.probeMs,
    parent: options.signal,
    what: 'answer the probe',
    host: options.host,
  });
  const found = await discover(handshakeOver(options, transport, deadline.signal));
  if (options.signal.aborted) throw toClientError(options.signal.reason).with({ delivery: 'not-executed' });
  return found;
};

/** The server understood the old greeting and said no: it may be modern. */
const isRefusal = (thrown: unknown): boolean => thrown instanceof McpClientError && thrown.rpc !== undefined;

const greetLegacy = async (options: NegotiateOptions, transport: Transport): Promise<Negotiated> => ({
  transport,
  agreement: await initialize(handshakeOver(options, transport)),
});

/** The old greeting; undefined when it was refused and the modern one is worth a try. */
const tryLegacy = async (options: NegotiateOptions, transport: Transport): Promise<Negotiated | undefined> => {
  try {
    return await greetLegacy(options, transport);
  } catch (thrown) {
    if (options.onlyEra !== 'legacy' && isRefusal(thrown)) return undefined;
    throw thrown;
  }
};

/** After a probe that found nothing modern. */
const fallBack = async (options: NegotiateOptions, transport: Transport, found: Probe): Promise<Negotiated> => {
  const refusal = found.era === 'legacy' ? found.refusal : undefined;
  if (refusal?.kind !== 'timeout') return greetLegacy(options, transport);
  // The server may only have been slow to start: if it refuses the old greeting, it is asked once more, without haste.
  const settled = await tryLegacy(options, transport);
  if (settled !== undefined) return settled;
  const late = await discover(handshakeOver(options, transport));
  if (late.era === 'legacy') throw refusal;
  return { transport, agreement: late.agreement };
};

/** A conversation over a transport that both eras use. */
const onEitherEra = async (options: NegotiateOptions, kind: TransportKind): Promise<Negotiated> => {
  let transport = await options.open(kind, options.signal);
  try {
    if (options.onlyEra === 'legacy' || options.remembered?.era === 'legacy') {
      const settled = await tryLegacy(options, transport);
      if (settled !== undefined) return settled;
    }
    const found = await probe(options, transport);
    if (found.era === 'modern') return { transport, agreement: found.agreement };
    if (options.onlyEra === 'modern') throw found.refusal ?? noModernAnswer(options.host);
    if (found.refusal?.kind === 'process') {
      // It exited without reading the question: the legacy handshake would not help.
      if (leftInputUnread(found.refusal)) throw found.refusal;
      // It could not bear the question: a fresh process gets the old greeting.
      await closeQuietly(transport);
      transport = await options.open(kind, options.signal);
    }
    return await fallBack(options, transport, found);
  } catch (thrown) {
    await closeQuietly(transport);
    throw endedAtStart(toClientError(thrown));
  }
};

const noModernAnswer = (host: string): McpClientError =>
  new McpProtocolError('UPSTREAM_PROTOCOL', `${host} does not speak a modern revision.`, {
    hint: 'Allow the legacy era for this server.',
  });

const onHttpSse = async (options: NegotiateOptions): Promise<Negotiated> => {
  const transport = await options.open('sse', options.signal);
  try {
    return { transport, agreement: await initialize(handshakeOver(options, transport)) };
  } catch (thrown) {
    await closeQuietly(transport);
    throw thrown;
  }
};

const OTHER_TRANSPORT_STATUS: ReadonlySet<unknown> = new Set([400, 404, 405, 406, 410, 415, 501]);

/** Does the failure look like a server that only has the other HTTP transport? */
const suggestsOtherTransport = (error: McpClientError): boolean =>
  error.rpc === undefined &&
  (error.code === 'UPSTREAM_NOT_MCP' || OTHER_TRANSPORT_STATUS.has(error.details?.['http_status']));

const attempt = (options: NegotiateOptions, kind: TransportKind): Promise<Negotiated> =>
  kind === 'sse' ? onHttpSse(options) : onEitherEra(options, kind);

/** Finds transport, era and version that both sides speak, and opens the conversation. */
export const negotiate = async (options: NegotiateOptions): Promise<Negotiated> => {
  if (options.kind === 'stdio') return onEitherEra(options, 'stdio');
  const first = options.remembered?.transport === 'sse' ? 'sse' : options.kind;
  const second = first === 'sse' ? 'streamable_http' : 'sse';
  try {
    return await attempt(options, first);
  } catch (thrown) {
    const error = toClientError(thrown);
    if (options.signal.aborted || !suggestsOtherTransport(error)) throw error.with({ delivery: 'not-executed' });
    try {
      const negotiated = await attempt({ ...options, remembered: undefined }, second);
      options.onFallback(first, second);
      return negotiated;
    } catch {
      // The transport that was asked for has the more telling error.
      throw error.with({ delivery: 'not-executed' });
    }
  }
};
