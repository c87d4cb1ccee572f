import type { Server, ServerProtocol } from '@plugboard/contract';
import type { JsonRpcNotification } from '@plugboard/wire';
import type { LinkIdentity } from './link-identity.js';
import { LogLevelNeed } from './log-level-need.js';
import { ResourceWatch } from './resource-watch.js';
import { factsOf, type ServerFacts } from './server-facts.js';
import type { UpstreamClient } from './upstream-client.js';

export interface UpstreamLinkOptions {
  readonly server: Server;
  readonly identity: LinkIdentity;
  readonly makeClient: (identity: LinkIdentity & { readonly onOpened: () => void }) => UpstreamClient;
  readonly onNotification: (link: UpstreamLink, notification: JsonRpcNotification, ofCall: boolean) => void;
  /** Called with what the server said of itself whenever a session was opened. */
  readonly onFacts?: ((server: Server, facts: ServerFacts) => void) | undefined;
  /** Called whenever a session was opened: what the server held for the one before is gone. */
  readonly onOpened?: ((link: UpstreamLink) => void) | undefined;
  /** Called whenever the last of those who use it lets go. */
  readonly onIdle: (link: UpstreamLink) => void;
}

/** One connection to one server, with what was asked of it on behalf of its users. */
export class UpstreamLink {
  readonly server: Server;
  readonly client: UpstreamClient;
  readonly resources: ResourceWatch;
  readonly logLevel: LogLevelNeed;
  /** The server as it was last seen with the same config: comparing configs costs more than comparing this. */
  knownAs: Server;
  idle: NodeJS.Timeout | undefined;
  usedAt = performance.now();
  #identity: LinkIdentity;
  #users = 0;
  #keepers = 0;
  #served = false;
  #facts: ServerFacts | undefined;
  /** What the facts were read from: each session has one of its own. */
  #agreed: ServerProtocol | undefined;
  readonly #onIdle: (link: UpstreamLink) => void;
  readonly #onFacts: UpstreamLinkOptions['onFacts'];
  readonly #stopListening: () => void;

  constructor(options: UpstreamLinkOptions) {
    this.server = options.server;
    this.knownAs = options.server;
    this.#identity = options.identity;
    this.#onIdle = options.onIdle;
    this.#onFacts = options.onFacts;
    this.client = options.makeClient({
      ...options.identity,
      onOpened: () => {
        this.#opened();
        options.onOpened?.(this);
      },
    });
    this.resources = new ResourceWatch(this.client);
    this.logLevel = new LogLevelNeed(this.client);
    this.#stopListening = this.client.onNotification((notification, ofCall) =>
      options.onNotification(this, notification, ofCall),
    );
  }

  get identity(): LinkIdentity {
    return this.#identity;
  }

  get users(): number {
    return this.#users;
  }

  /** Is there somebody who would like it to stay open? */
  get isKept(): boolean {
    return this.#keepers > 0;
  }

  /** Has it done anything but say what the server offers? Then the server may hold state for its user. */
  get hasServed(): boolean {
    return this.#served;
  }

  /** From now on it belongs to somebody else; only for a connection that has not served anybody. */
  adopt(identity: LinkIdentity): void {
    clearTimeout(this.idle);
    this.idle = undefined;
    this.#identity = identity;
  }

  noteCall(): void {
    this.#served = true;
  }

  /** Keeps it open while there is room: it may still be closed in favour of others. The answer ends that. */
  keep(): () => void {
    this.#keepers += 1;
    let kept = true;
    return () => {
      if (!kept) return;
      kept = false;
      this.#keepers -= 1;
      if (this.#users === 0) this.#onIdle(this);
    };
  }

  /** Facts of the connection as it is, or as it last was. */
  get facts(): ServerFacts | undefined {
    const { protocol } = this.client;
    if (protocol !== undefined && protocol !== this.#agreed) {
      this.#agreed = protocol;
      this.#facts = factsOf(this.client, this.identity.era !== undefined) ?? this.#facts;
      if (this.#facts !== undefined) this.#onFacts?.(this.knownAs, this.#facts);
    }
    return this.#facts;
  }

  /** Keeps the connection from being closed as idle. The answer lets go; calling it twice does nothing more. */
  hold(): () => void {
    this.enter();
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.leave();
    };
  }

  /** The same for callers that are sure to call `leave` once. */
  enter(): void {
    this.#users += 1;
  }

  leave(): void {
    this.#users -= 1;
    this.usedAt = performance.now();
    if (this.#users === 0) this.#onIdle(this);
  }

  /** Opens the connection if need be, and says what the server is. */
  async ready(signal: AbortSignal): Promise<ServerFacts> {
    if (!this.client.isInitialized) await this.client.connect({ signal });
    const facts = this.facts;
    if (facts === undefined) throw new Error('a connected client has no protocol');
    return facts;
  }

  async dispose(): Promise<void> {
    clearTimeout(this.idle);
    this.#stopListening();
    this.resources.close();
    // The connection is closed even if the server fails to end its session.
    await this.client.dispose().catch(() => undefined);
  }

  /** A new session knows nothing of what was asked of the one before. */
  #opened(): void {
    void this.facts;
    void this.resources.restore();
    void this.logLevel.restore();
  }
}
