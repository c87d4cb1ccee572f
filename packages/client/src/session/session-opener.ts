import type { ServerProtocol } from '@plugboard/contract';
import { type Era, findRevision } from '@plugboard/wire';
import type { Deadlines } from '../deadline/deadlines.js';
import type { SessionOptions } from './session-options.js';
import { CallDeadline } from '../deadline/call-deadline.js';
import type { Redact } from '../redact/redaction.js';
import type { ClientIdentity } from '../negotiate/agreement.js';
import { negotiate, type Negotiated } from '../negotiate/negotiate.js';
import type { Incoming, Transport, TransportKind } from '../transport/transport.js';
import type { LiveSession } from './live-session.js';
import type { TransportSource } from './transport-source.js';

export interface SessionOpenerOptions {
  readonly client: SessionOptions;
  readonly source: TransportSource;
  readonly deadlines: Deadlines;
  readonly host: string;
  readonly redact: Redact;
  readonly identity: () => ClientIdentity;
  readonly nextId: () => number;
  readonly onIncoming: (incoming: Incoming, transport: Transport) => void;
  readonly onLost: (generation: number, cause: unknown) => void;
}

interface NewLink {
  readonly generation: number;
  readonly onQueued: () => () => void;
}

const DAY_MS = 24 * 3_600_000;

/** A server that spoke the legacy era only may have learned the modern one since: it is asked again after a day. */
const trustedVerdict = (verdict: ServerProtocol | undefined): ServerProtocol | undefined =>
  verdict === undefined || Date.now() - Date.parse(verdict.checked_at) > DAY_MS ? undefined : verdict;

const transportOf = (verdict: ServerProtocol | undefined): Pick<ServerProtocol, 'transport'> | undefined =>
  verdict && { transport: verdict.transport };

/** Opens sessions to one server, and remembers what it speaks. */
export class SessionOpener {
  readonly #options: SessionOpenerOptions;
  #remembered: ServerProtocol | undefined;
  #resumable = true;

  constructor(options: SessionOpenerOptions) {
    this.#options = options;
    this.#remembered = options.client.remembered;
  }

  /** The stored session is gone as well. */
  async forgetStored(): Promise<void> {
    this.#resumable = false;
    await this.#options.client.sessionStore?.clear();
  }

  async open(generation: number, parent: AbortSignal): Promise<LiveSession> {
    const { deadlines, host, client } = this.#options;
    using deadline = new CallDeadline({
      ms: deadlines.connectMs,
      parent,
      what: 'open a session',
      host,
      hint: client.deadlineHint?.('connect'),
    });
    // The time in our own queue is not the server's.
    const link = { generation, onQueued: () => deadline.pause() };
    const resumed = await this.#resume(link, deadline.signal);
    const negotiated = resumed ?? (await this.#negotiate(link, deadline.signal));
    const { transport, agreement } = negotiated;
    const { era } = agreement.revision;
    const protocol: ServerProtocol = {
      era,
      revision: agreement.version,
      transport: transport.kind,
      checked_at: this.#checkedAt(era),
    };
    if (resumed === undefined && transport.sessionId !== undefined) {
      const { version, serverInfo, capabilities, instructions } = agreement;
      const { sessionId } = transport;
      await client.sessionStore?.save({ sessionId, version, serverInfo, capabilities, instructions });
      this.#resumable = true;
    }
    this.#remembered = protocol;
    client.onProtocol?.(protocol);
    return { generation, transport, agreement, protocol };
  }

  /** A server that is greeted as before was not probed: the date of its verdict stays. */
  #checkedAt(era: Era): string {
    const { client } = this.#options;
    const trusted = trustedVerdict(this.#remembered);
    const isProbed = era === 'modern' || client.era !== undefined || trusted?.era !== era;
    return isProbed ? new Date().toISOString() : trusted.checked_at;
  }

  async #negotiate(link: NewLink, signal: AbortSignal): Promise<Negotiated> {
    const { client, deadlines, host, redact, identity, nextId } = this.#options;
    const kind = client.profile === 'post-sse' ? 'sse' : client.config.mcp_server_type;
    return negotiate({
      kind,
      remembered: trustedVerdict(this.#remembered) ?? transportOf(this.#remembered),
      onlyEra: client.era,
      probeMs: Math.min(deadlines.probeMs, deadlines.connectMs / 2),
      host,
      redact,
      identity: identity(),
      nextId,
      signal,
      onIncoming: () => undefined,
      open: (wanted, openSignal) => this.#openTransport(wanted, link, openSignal),
      onFallback: (from, to) => client.onEvent?.({ type: 'transport-fallback', from, to }),
    });
  }

  async #openTransport(
    kind: TransportKind,
    { generation, onQueued }: NewLink,
    signal: AbortSignal,
    sessionId?: string,
  ): Promise<Transport> {
    const { client, source, onIncoming, onLost } = this.#options;
    const transport: Transport = source.create({
      kind,
      sessionId,
      events: {
        onIncoming: (incoming) => onIncoming(incoming, transport),
        get pace() {
          return client.paceOf?.();
        },
        onQueued,
        onNoise: (text) => client.onEvent?.({ type: 'noise', text: this.#options.redact(text) }),
        onLost: (cause) => onLost(generation, cause),
      },
    });
    try {
      await transport.open(signal);
    } catch (thrown) {
      await transport.close().catch(() => undefined);
      throw thrown;
    }
    return transport;
  }

  /** A stored session is used without a handshake; if the server has dropped it, the first call finds out. */
  async #resume(link: NewLink, signal: AbortSignal): Promise<Negotiated | undefined> {
    const { client } = this.#options;
    if (!this.#resumable || client.sessionStore === undefined || client.config.mcp_server_type !== 'streamable_http') {
      return undefined;
    }
    const stored = await client.sessionStore.load(signal);
    const revision = stored === undefined ? undefined : findRevision(stored.version);
    if (stored === undefined || revision?.era !== 'legacy') return undefined;
    const transport = await this.#openTransport('streamable_http', link, signal, stored.sessionId);
    transport.adopt(revision);
    return {
      transport,
      agreement: {
        revision,
        version: stored.version,
        serverInfo: stored.serverInfo,
        capabilities: stored.capabilities ?? {},
        instructions: stored.instructions,
      },
    };
  }
}
