import type { ServerProtocol, ToolDefinition, ToolResult } from '@plugboard/contract';
import { buildNotification, isJsonObject, RPC_CODE, type JsonObject, type JsonRpcNotification } from '@plugboard/wire';
import { DEFAULT_DEADLINES, type Deadlines, type McpClientOptions } from './client-options.js';
import { composeStack } from './compose-policies.js';
import { deadlineSignal } from './deadline/deadline-signal.js';
import { linkSignals } from './deadline/linked-signal.js';
import { isRepeatableMethod, isRepeatableTool } from './delivery/repeatable.js';
import { McpClientError } from './error/client-error.js';
import { McpCancelledError } from './error/error-family.js';
import { createRedact, type Redact } from './error/redact.js';
import { toClientError } from './error/to-client-error.js';
import type { ClientIdentity } from './negotiate/agreement.js';
import type { CallContext, Policy } from './policy/policy.js';
import type { RequestOptions } from './request-options.js';
import { serverLabel } from './server-label.js';
import { exchangeCall } from './session/exchange-call.js';
import { fulfilInput } from './session/input-required.js';
import type { LiveSession } from './session/live-session.js';
import { NotificationFeed, type ListenFilter } from './session/notification-feed.js';
import { ServerRequests, type RequestHandler } from './session/server-requests.js';
import { SessionKeeper } from './session/session-keeper.js';
import { SessionOpener } from './session/session-opener.js';
import { subscribe, type Subscription } from './session/subscription.js';
import { paramHeadersOf, ToolFacts } from './session/tool-facts.js';
import { TransportSource } from './session/transport-source.js';
import type { Incoming, Transport } from './transport/transport.js';
import * as typed from './typed-access.js';

const ANSWER_MS = 30_000;
const IDEMPOTENCY_META = 'dev.plugboard/idempotencyKey';

interface Call {
  readonly method: string;
  readonly params: unknown;
  readonly options: RequestOptions;
  readonly tool: ToolDefinition | undefined;
}

/**
 * A client of one MCP server, of any revision and transport. It opens its session with the first call,
 * opens it again when it is lost, and repeats a call only when that can do no harm.
 */
export class McpClient implements AsyncDisposable {
  readonly name: string;
  readonly #options: McpClientOptions;
  readonly #deadlines: Deadlines;
  readonly #host: string;
  readonly #redact: Redact;
  readonly #policy: Policy;
  readonly #source: TransportSource;
  readonly #opener: SessionOpener;
  readonly #keeper: SessionKeeper;
  readonly #feed: NotificationFeed;
  readonly #requests = new ServerRequests();
  readonly #tools = new ToolFacts();
  readonly #listeners = new Set<(notification: JsonRpcNotification) => void>();
  #life = new AbortController();
  #lastId = 0;
  #disposing: Promise<void> | undefined;

  constructor(options: McpClientOptions) {
    const label = serverLabel(options.config, options.name);
    this.name = label.name;
    this.#host = label.host;
    this.#options = options;
    this.#deadlines = { ...DEFAULT_DEADLINES, ...options.deadlines };
    this.#redact = createRedact(options.config);
    this.#policy = composeStack({
      policies: options.policies,
      replay: {
        maxRetries: options.maxRetries ?? 1,
        onReplay: ({ method, attempt }, error) => options.onEvent?.({ type: 'replay', method, attempt, error }),
      },
    });
    this.#source = new TransportSource(options, this.name, this.#redact);
    this.#feed = new NotificationFeed(async (live, filter, signal) => {
      await (
        await this.#subscribe(live, filter, signal)
      ).closed;
    });
    this.#opener = new SessionOpener({
      client: options,
      source: this.#source,
      deadlines: this.#deadlines,
      host: this.#host,
      redact: this.#redact,
      identity: () => this.#identity(),
      nextId: this.#nextId,
      onIncoming: (incoming, transport) => this.#receive(incoming, transport),
      onLost: (generation, cause) => this.#noteLoss(generation, toClientError(cause)),
    });
    this.#keeper = new SessionKeeper({
      open: (generation, signal) => this.#opener.open(generation, signal),
      onLive: (live) => this.#startFeed(live),
      onGone: () => void this.#feed.stop(),
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

  /** Opens the session now and not with the first call. */
  async connect(options: Pick<RequestOptions, 'signal'> = {}): Promise<void> {
    using linked = linkSignals(options.signal, this.#life.signal);
    await this.#keeper.acquire(linked.signal);
  }

  /** Sends any request and returns its result as it came. */
  async request(method: string, params?: unknown, options: RequestOptions = {}): Promise<unknown> {
    using linked = linkSignals(options.signal, this.#life.signal);
    const { signal } = linked;
    const send = (current: unknown): Promise<unknown> => this.#call(method, current, { ...options, signal });
    try {
      return options.allowInputRequired === true
        ? await send(params)
        : await fulfilInput({ params, requests: this.#requests, signal, send });
    } catch (thrown) {
      throw toClientError(thrown);
    }
  }

  async notify(method: string, params?: unknown, options: Pick<RequestOptions, 'signal'> = {}): Promise<void> {
    using linked = linkSignals(options.signal, this.#life.signal);
    const live = await this.#keeper.acquire(linked.signal);
    await live.transport.send(buildNotification(method, params), linked.signal);
  }

  /** Every tool, all pages. Tools whose header annotations are invalid cannot be called over modern HTTP and are left out. */
  async listTools(options: RequestOptions = {}): Promise<readonly ToolDefinition[]> {
    const { tools, rejected } = await typed.listTools(this, options, () => this.#mirrorsParams());
    for (const { tool, reason } of rejected) {
      this.#options.onEvent?.({ type: 'tool-rejected', tool, reason });
    }
    this.#tools.remember(tools);
    return tools;
  }

  async callTool(name: string, args: JsonObject = {}, options: RequestOptions = {}): Promise<ToolResult> {
    try {
      return await typed.callTool(this, { name, arguments: args }, options);
    } catch (thrown) {
      // The tool's schema has changed: its parameters are mirrored into other headers now.
      if (!(thrown instanceof McpClientError) || thrown.rpc?.code !== RPC_CODE.headerMismatch) {
        throw thrown;
      }
      const tools = await this.listTools({ signal: options.signal });
      const tool = tools.find((candidate) => candidate.name === name);
      return typed.callTool(this, { name, arguments: args }, { ...options, tool });
    }
  }

  listResources(options: RequestOptions = {}): Promise<readonly JsonObject[]> {
    return typed.listObjects(this, 'resources/list', 'resources', options);
  }

  listResourceTemplates(options: RequestOptions = {}): Promise<readonly JsonObject[]> {
    return typed.listObjects(this, 'resources/templates/list', 'resourceTemplates', options);
  }

  readResource(uri: string, options: RequestOptions = {}): Promise<JsonObject> {
    return typed.requestObject(this, 'resources/read', { uri }, options);
  }

  listPrompts(options: RequestOptions = {}): Promise<readonly JsonObject[]> {
    return typed.listObjects(this, 'prompts/list', 'prompts', options);
  }

  getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: RequestOptions = {},
  ): Promise<JsonObject> {
    return typed.requestObject(this, 'prompts/get', { name, arguments: args }, options);
  }

  complete(params: typed.CompletionParams, options: RequestOptions = {}): Promise<JsonObject> {
    return typed.requestObject(this, 'completion/complete', params, options);
  }

  /** Is the server there? Modern servers have no ping; discovery answers the same question. */
  async ping(options: RequestOptions = {}): Promise<void> {
    using linked = linkSignals(options.signal, this.#life.signal);
    const live = await this.#keeper.acquire(linked.signal);
    await this.request(live.agreement.revision.features.ping ? 'ping' : 'server/discover', undefined, options);
  }

  /** Hears everything that the server tells unasked. */
  onNotification(listener: (notification: JsonRpcNotification) => void): () => void {
    this.#listeners.add(listener);
    const { live } = this.#keeper;
    if (live !== undefined) {
      this.#startFeed(live);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0 && this.#requests.isEmpty) {
        void this.#feed.stop();
      }
    };
  }

  /** Answers what the server asks: `sampling/createMessage`, `elicitation/create`, `roots/list`, or `*` for the rest. */
  onRequest(method: string, handler: RequestHandler): () => void {
    return this.#requests.register(method, handler);
  }

  /** A subscription of its own to a modern server's changes. */
  async listen(filter: ListenFilter, options: Pick<RequestOptions, 'signal'> = {}): Promise<Subscription> {
    using linked = linkSignals(options.signal, this.#life.signal);
    const live = await this.#keeper.acquire(linked.signal);
    return this.#subscribe(live, filter, options.signal);
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

  readonly #nextId = (): number => {
    this.#lastId += 1;
    return this.#lastId;
  };

  async #release(): Promise<void> {
    this.#life.abort(new McpCancelledError('CANCELLED', 'The client was disposed.'));
    this.#life = new AbortController();
    this.#requests.cancelAll();
    this.#tools.clear();
    try {
      await this.#feed.stop();
      await this.#keeper.dispose();
    } finally {
      await this.#source.close();
    }
  }

  #identity(): ClientIdentity {
    return {
      clientInfo: this.#options.clientInfo ?? { name: 'plugboard', version: '0.1.0' },
      capabilities: this.#requests.declare(this.#options.capabilities ?? {}),
    };
  }

  #mirrorsParams(): boolean {
    const live = this.#keeper.live;
    return live?.agreement.revision.features.methodHeaders === true && live.transport.kind === 'streamable_http';
  }

  async #call(method: string, params: unknown, options: RequestOptions & { signal: AbortSignal }): Promise<unknown> {
    const toolName =
      method === 'tools/call' && isJsonObject(params) && typeof params['name'] === 'string'
        ? params['name']
        : undefined;
    const tool = options.tool ?? this.#tools.find(toolName);
    const idempotent =
      options.readOnly ??
      (options.idempotencyKey !== undefined ||
        isRepeatableMethod(method) ||
        (toolName !== undefined && isRepeatableTool(tool)));
    const context: CallContext = {
      serverName: this.name,
      method,
      toolName,
      attempt: 1,
      idempotent,
      signal: options.signal,
    };
    return this.#policy(context, (current) => this.#attempt(current, { method, params, options, tool }));
  }

  async #attempt(context: CallContext, call: Call): Promise<unknown> {
    const live = await this.#keeper.acquire(context.signal);
    const { method, options } = call;
    const key = options.idempotencyKey;
    const params = key === undefined ? call.params : withMeta(call.params, { [IDEMPOTENCY_META]: key });
    try {
      return await exchangeCall(live, {
        method,
        params,
        signal: context.signal,
        deadlineMs: options.deadlineMs ?? (method.endsWith('/list') ? this.#deadlines.listMs : this.#deadlines.callMs),
        maxMs: Math.max(this.#deadlines.maxCallMs, options.deadlineMs ?? 0),
        idleMs: this.#deadlines.idleMs,
        headers: {
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(method === 'tools/call' && this.#mirrorsParams() ? paramHeadersOf(call.tool, call.params) : {}),
          ...options.headers,
        },
        logLevel: options.logLevel,
        onProgress: options.onProgress,
        onIncoming: (incoming) => this.#receive(incoming, live.transport, options),
        identity: this.#identity(),
        nextId: this.#nextId,
        host: this.#host,
        redact: this.#redact,
      });
    } catch (thrown) {
      const error = toClientError(thrown);
      if (error.kind === 'session' || error.kind === 'process') {
        await this.#opener.forgetStored();
        this.#noteLoss(live.generation, error);
      }
      throw error;
    }
  }

  #noteLoss(generation: number, error: McpClientError): void {
    if (this.#keeper.lose(generation)) {
      this.#options.onEvent?.({ type: 'session-lost', generation, error });
    }
  }

  #startFeed(live: LiveSession): void {
    const wanted = this.#listeners.size > 0 || !this.#requests.isEmpty;
    if (wanted && this.#options.serverStream !== 'never') {
      this.#feed.start(live);
    }
  }

  async #subscribe(live: LiveSession, filter: ListenFilter, signal: AbortSignal | undefined): Promise<Subscription> {
    using opening = deadlineSignal(this.#deadlines.callMs);
    return subscribe(live, {
      filter,
      identity: this.#identity(),
      nextId: this.#nextId,
      redact: this.#redact,
      opening: opening.signal,
      life: signal ?? this.#life.signal,
      onNotification: (notification) => this.#emit(notification),
    });
  }

  #receive(incoming: Incoming, transport: Transport, options: RequestOptions = {}): void {
    if (incoming.kind === 'request') {
      void this.#answer(incoming, transport, options.onRequest);
      return;
    }
    if (incoming.message.method === 'notifications/cancelled') {
      this.#requests.cancel(incoming.message.params);
    }
    options.onNotification?.(incoming.message);
    this.#emit(incoming.message);
  }

  #emit(notification: JsonRpcNotification): void {
    for (const listener of this.#listeners) {
      listener(notification);
    }
  }

  async #answer(incoming: Incoming & { kind: 'request' }, transport: Transport, own?: RequestHandler): Promise<void> {
    const live = this.#keeper.live;
    if (live?.transport === transport && !live.agreement.revision.features.serverRequests) {
      return;
    }
    const response = await this.#requests.answer(incoming.message, own);
    using deadline = deadlineSignal(ANSWER_MS);
    // Nobody can be told that an answer did not arrive, except by the call that needed it.
    await transport.send(response, deadline.signal).catch(() => undefined);
  }
}

const withMeta = (params: unknown, extra: JsonObject): JsonObject => {
  const given = isJsonObject(params) ? params : {};
  return { ...given, _meta: { ...(isJsonObject(given['_meta']) ? given['_meta'] : {}), ...extra } };
};
