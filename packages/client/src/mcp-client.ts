import { linkSignals } from '@plugboard/base';
import type { ServerProtocol, ToolDefinition, ToolResult } from '@plugboard/contract';
import { buildNotification, type JsonObject } from '@plugboard/wire';
import type { McpClientOptions } from './client-options.js';
import { DEFAULT_DEADLINES, type Deadlines } from './deadline/deadlines.js';
import { CallDeadline } from './deadline/call-deadline.js';
import type { FastLine } from './fast-path/line/fast-line.js';
import type { McpClientError } from './error/client-error.js';
import { McpCancelledError } from './error/error-family.js';
import { secretsOf } from './redact/config-secrets.js';
import { MAX_QUOTED, type Redact, redaction } from './redact/redaction.js';
import { toClientError } from './error/to-client-error.js';
import type { ClientIdentity } from './negotiate/agreement.js';
import type { ListToolsOptions, RequestOptions } from './call/request-options.js';
import { serverLabel } from './server-label.js';
import { CallPath } from './call/call-path.js';
import { withFreshTool } from './call/fresh-tool.js';
import { Inbox, type NotificationListener } from './session/inbox.js';
import { fulfilInput } from './call/input-required.js';
import type { LiveSession } from './session/live-session.js';
import { NotificationFeed, type ListenFilter } from './session/notification-feed.js';
import { ClientLife } from './session/client-life.js';
import { RequestIds } from './session/request-ids.js';
import type { RequestHandler } from './session/server-requests.js';
import { SessionKeeper } from './session/session-keeper.js';
import { SessionOpener } from './session/session-opener.js';
import { subscribe, type Subscription } from './session/subscription.js';
import { mirrorsParams, ToolFacts } from './call/tool-facts.js';
import { TransportSource } from './session/transport-source.js';
import { callTool, listTools } from './call/tool-access.js';
import { TypedRequests } from './call/typed-requests.js';
import { VERSION } from './version.js';

/**
 * A client of one MCP server, of any revision and transport. It opens its session with the first call,
 * opens it again when it is lost, and repeats a call only when that can do no harm.
 */
export class McpClient extends TypedRequests implements AsyncDisposable {
  readonly name: string;
  readonly #options: McpClientOptions;
  readonly #deadlines: Deadlines;
  readonly #host: string;
  readonly #redact: Redact;
  readonly #source: TransportSource;
  readonly #opener: SessionOpener;
  readonly #keeper: SessionKeeper;
  readonly #feed: NotificationFeed;
  readonly #inbox: Inbox;
  readonly #calls: CallPath;
  #toolsTtlMs: number | undefined;
  #toolsMeta: JsonObject | undefined;
  readonly #tools = new ToolFacts();
  #life = new ClientLife();
  readonly #ids = new RequestIds();
  readonly #nextId = (): number => this.#ids.next();
  #disposing: Promise<void> | undefined;

  constructor(options: McpClientOptions) {
    super();
    const label = serverLabel(options.config, options.name);
    this.name = label.name;
    this.#host = label.host;
    this.#options = options;
    this.#deadlines = { ...DEFAULT_DEADLINES, ...options.deadlines };
    this.#redact = redaction(secretsOf(options.config, options.secrets), MAX_QUOTED);
    this.#source = new TransportSource(options, this.name, this.#redact);
    this.#inbox = new Inbox({
      mayAsk: (transport) => {
        const live = this.#keeper.live;
        return live?.transport !== transport || live.agreement.revision.features.serverRequests;
      },
      onNotification: ({ method }) => {
        if (method === 'notifications/tools/list_changed') this.#tools.expire();
      },
    });
    this.#feed = new NotificationFeed(async (live, filter, signal) => {
      await (
        await this.#subscribe(live, filter, signal)
      ).closed;
    });
    const shared = {
      host: this.#host,
      redact: this.#redact,
      deadlines: this.#deadlines,
      identity: () => this.#identity(),
      nextId: this.#nextId,
    };
    this.#opener = new SessionOpener({
      ...shared,
      client: options,
      source: this.#source,
      onIncoming: (incoming, transport) => this.#inbox.receive(incoming, transport),
      onLost: (generation, cause) => void this.#noteLoss(generation, toClientError(cause)),
    });
    this.#keeper = new SessionKeeper({
      open: (generation, signal) => this.#opener.open(generation, signal),
      onLive: (live) => {
        const { generation, protocol } = live;
        options.onEvent?.({ type: 'session-opened', generation, protocol });
        this.#startFeed(live);
      },
      onGone: () => void this.#feed.stop(),
    });
    this.#calls = new CallPath({
      ...shared,
      serverName: this.name,
      policies: options.policies,
      retries: {
        maxRetries: options.maxRetries ?? 1,
        onRetry: ({ method, attempt }, error) => options.onEvent?.({ type: 'retry', method, attempt, error }),
      },
      deadlineHint: options.deadlineHint,
      keeper: this.#keeper,
      inbox: this.#inbox,
      tools: this.#tools,
      onLost: (live, error) => this.#noteLoss(live.generation, error),
      opening: () => this.#feed.opening,
    });
  }

  get isInitialized(): boolean {
    return this.#keeper.live !== undefined;
  }

  /** The server's id of the legacy session, where there is one. */
  get sessionId(): string | undefined {
    return this.#keeper.live?.transport.sessionId;
  }

  get protocol(): ServerProtocol | undefined {
    return this.#keeper.live?.protocol;
  }

  get serverInfo(): JsonObject | undefined {
    return this.#keeper.live?.agreement.serverInfo;
  }

  /** What the server said it can do. */
  get capabilities(): JsonObject | undefined {
    return this.#keeper.live?.agreement.capabilities;
  }

  get instructions(): string | undefined {
    return this.#keeper.live?.agreement.instructions;
  }

  /** The fast path to the server while a session is open; undefined where there is none. */
  get direct(): FastLine | undefined {
    return this.#feed.opening === undefined ? this.#calls.direct : undefined;
  }

  /** Opens the session now and not with the first call. */
  async connect(options: Pick<RequestOptions, 'signal'> = {}): Promise<void> {
    await this.#acquire(options.signal);
  }

  /** Sends any request and returns its result as it came. */
  override async request(method: string, params?: unknown, options: RequestOptions = {}): Promise<unknown> {
    // `using` would cost more than the rest of this.
    const end = this.#life.begin(options.signal);
    const send = (current: unknown): Promise<unknown> => this.#calls.send(method, current, options, end);
    try {
      return options.allowInputRequired === true
        ? await send(params)
        : await fulfilInput({ params, requests: this.#inbox.requests, signal: end.signal, send });
    } catch (thrown) {
      throw toClientError(thrown);
    } finally {
      end[Symbol.dispose]();
    }
  }

  async notify(method: string, params?: unknown, options: Pick<RequestOptions, 'signal'> = {}): Promise<void> {
    const live = await this.#acquire(options.signal);
    await live.transport.send(buildNotification(method, params), options.signal ?? this.#life.signal);
  }

  /** For how long the server said that the last list of tools is fresh. */
  get toolsTtlMs(): number | undefined {
    return this.#toolsTtlMs;
  }

  /** The metadata that came with the last list of tools. */
  get toolsMeta(): JsonObject | undefined {
    return this.#toolsMeta;
  }

  /**
   * Every tool, all pages. `cached` is content with the last list, until the server announces a change or the session
   * ends. Tools whose header annotations are invalid cannot be called over modern HTTP and are left out.
   */
  listTools({ cached, ...options }: ListToolsOptions = {}): Promise<readonly ToolDefinition[]> {
    const read = async (): Promise<readonly ToolDefinition[]> => {
      const { tools, rejected, ttlMs, meta } = await listTools(this, options, () => mirrorsParams(this.#keeper.live));
      this.#toolsTtlMs = ttlMs;
      this.#toolsMeta = meta;
      for (const { tool, reason } of rejected) {
        this.#options.onEvent?.({ type: 'tool-rejected', tool, reason });
      }
      return tools;
    };
    return cached === true ? this.#tools.list(read) : this.#tools.refresh(read);
  }

  async callTool(name: string, args: JsonObject = {}, options: RequestOptions = {}): Promise<ToolResult> {
    const repair = this.#options.repairResult;
    const call = (more: RequestOptions): Promise<ToolResult> =>
      callTool(this, { name, arguments: args }, { ...options, ...more, repair });
    return withFreshTool(name, () => this.listTools({ signal: options.signal }), {
      first: () => call({}),
      again: (tool) => call({ tool }),
    });
  }

  /** Is the server there? Modern servers have no ping; discovery answers the same question. */
  async ping(options: RequestOptions = {}): Promise<void> {
    const live = await this.#acquire(options.signal);
    await this.request(live.agreement.revision.features.ping ? 'ping' : 'server/discover', undefined, options);
  }

  /** Hears everything that the server tells unasked. */
  onNotification(listener: NotificationListener): () => void {
    this.#inbox.add(listener);
    this.#startFeed(this.#keeper.live);
    return () => {
      this.#inbox.remove(listener);
      if (!this.#inbox.isWatched) void this.#feed.stop();
    };
  }

  /** Answers what the server asks: `sampling/createMessage`, `elicitation/create`, `roots/list`, or `*` for the rest. */
  onRequest(method: string, handler: RequestHandler): () => void {
    const remove = this.#inbox.requests.register(method, handler);
    this.#startFeed(this.#keeper.live);
    return remove;
  }

  /** A subscription of its own to a modern server's changes. */
  async listen(filter: ListenFilter, options: Pick<RequestOptions, 'signal'> = {}): Promise<Subscription> {
    return this.#subscribe(await this.#acquire(options.signal), filter, options.signal);
  }

  /** Ends the session and releases everything. May be called twice; the client may be used again afterwards. */
  dispose(): Promise<void> {
    this.#disposing ??= this.#release().finally(() => {
      this.#disposing = undefined;
    });
    return this.#disposing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #acquire(signal: AbortSignal | undefined): Promise<LiveSession> {
    using linked = linkSignals(signal, this.#life.signal);
    return await this.#keeper.acquire(linked.signal);
  }

  async #release(): Promise<void> {
    const life = this.#life;
    this.#life = new ClientLife();
    life.end(new McpCancelledError('CANCELLED', 'The client was disposed.'));
    this.#inbox.requests.cancelAll();
    this.#tools.clear();
    try {
      await this.#feed.stop();
      const wasOpen = this.isInitialized;
      await this.#keeper.dispose();
      if (wasOpen && this.#options.keepSession !== true) await this.#options.sessionStore?.clear();
    } finally {
      await this.#source.close();
    }
  }

  #identity(): ClientIdentity {
    return {
      clientInfo: this.#options.clientInfo ?? { name: 'plugboard', version: VERSION },
      capabilities: this.#inbox.requests.declare(this.#options.capabilities ?? {}),
    };
  }

  async #noteLoss(generation: number, error: McpClientError): Promise<void> {
    if (this.#keeper.lose(generation)) {
      this.#tools.expire();
      this.#options.onEvent?.({ type: 'session-lost', generation, error });
      await this.#opener.forgetStored();
    }
  }

  #startFeed(live: LiveSession | undefined): void {
    if (live !== undefined && this.#inbox.isWatched) this.#feed.start(live);
  }

  async #subscribe(live: LiveSession, filter: ListenFilter, signal: AbortSignal | undefined): Promise<Subscription> {
    using opening = new CallDeadline({
      ms: this.#deadlines.callMs,
      what: 'acknowledge the subscription',
      host: this.#host,
    });
    return await subscribe(live, {
      filter,
      identity: this.#identity(),
      nextId: this.#nextId,
      redact: this.#redact,
      opening: opening.signal,
      life: [this.#life.signal, signal],
      onNotification: (notification) => this.#inbox.emit(notification),
    });
  }
}
