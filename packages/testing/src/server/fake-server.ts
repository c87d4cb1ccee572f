import { randomBytes } from 'node:crypto';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { announce, legacySessions } from '../behaviour/announce.js';
import type { World } from '../behaviour/world.js';
import { revisionsOf } from '../definition/era.js';
import type { FakePrompt } from '../definition/prompt.js';
import type { FakeResource } from '../definition/resource.js';
import type { FakeServerOptions } from '../definition/server-options.js';
import type { ToolSpec } from '../definition/tool.js';
import { FaultScript } from '../fault/fault-script.js';
import type { JsonObject } from '../json-rpc/message.js';
import { Counters } from '../log/counters.js';
import { ReceivedLog, type WaitOptions } from '../log/received-log.js';
import { Offer, toTool } from '../state/offer.js';
import { SessionTable } from '../state/session-table.js';
import { SubscriptionTable } from '../state/subscription-table.js';
import { listenExternalHttp } from '../transport/external-http.js';
import type { HttpListener, ListenOptions } from '../transport/http-server.js';
import { LineConnection, type LineStreams } from '../transport/line-connection.js';
import type { LineStyle } from '../transport/line-writer.js';
import { listenSseHttp } from '../transport/sse-http.js';
import { listenStreamableHttp } from '../transport/streamable-http.js';

/** The client's ends of a stdio connection inside this process. */
export interface StdioLink extends AsyncDisposable {
  /** The client writes here. */
  readonly stdin: Writable;
  /** The client reads here. */
  readonly stdout: Readable;
  /** Resolves when the fake has let go of the connection. */
  readonly closed: Promise<void>;
  /** Cuts the connection as the death of a process would. */
  cut(): void;
  close(): Promise<void>;
}

/** A scriptable MCP server that speaks raw JSON-RPC. */
export class FakeServer implements AsyncDisposable {
  readonly log: ReceivedLog;
  readonly counters: Counters;
  readonly script: FaultScript;
  readonly #world: World;
  readonly #listeners = new Set<HttpListener>();
  readonly #lines = new Map<LineConnection, Promise<void>>();

  constructor(options: FakeServerOptions = {}) {
    this.log = new ReceivedLog();
    this.counters = new Counters(this.log);
    this.script = new FaultScript(options.script);
    this.#world = {
      options,
      revisions: options.revisions ?? revisionsOf(options.eras ?? 'legacy'),
      offer: new Offer(options),
      sessions: new SessionTable(),
      subscriptions: new SubscriptionTable(),
      log: this.log,
      counters: this.counters,
      script: this.script,
      host: options.host ?? { env: {}, pid: process.pid, stderr: () => undefined, crash: () => this.cut() },
      stateKey: randomBytes(32),
    };
  }

  /** Streamable HTTP, by default on `http://127.0.0.1:<free port>/mcp`. */
  listenHttp(options: ListenOptions = {}): Promise<HttpListener> {
    return this.#listen(listenStreamableHttp, options);
  }

  /** HTTP+SSE of 2024-11-05, by default on `http://127.0.0.1:<free port>/sse`. */
  listenSse(options: ListenOptions = {}): Promise<HttpListener> {
    return this.#listen(listenSseHttp, options);
  }

  /** The profile of `POST /sse` with `x-session-id`, `list_tools` and `call_tool`. */
  listenExternal(options: ListenOptions = {}): Promise<HttpListener> {
    return this.#listen(listenExternalHttp, options);
  }

  /** A stdio client's two streams, without a process behind them. */
  connectStdio(style: LineStyle = {}): StdioLink {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const connection = this.#connect({ input: stdin, output: stdout }, style);
    const closed = (this.#lines.get(connection) ?? Promise.resolve()).then(() => void stdout.end());
    const close = async (): Promise<void> => {
      stdin.end();
      await closed;
    };
    return { stdin, stdout, closed, cut: () => connection.cut(), close, [Symbol.asyncDispose]: close };
  }

  /** Serves these streams until the input ends. */
  async serveStdio(streams: LineStreams, style: LineStyle = {}): Promise<void> {
    await this.#lines.get(this.#connect(streams, style));
  }

  /** Replaces the tools and tells every client. */
  setTools(tools: readonly ToolSpec[]): void {
    this.#world.offer.tools = tools.map(toTool);
    this.notify('notifications/tools/list_changed');
  }

  setResources(resources: readonly FakeResource[]): void {
    this.#world.offer.resources = resources;
    this.notify('notifications/resources/list_changed');
  }

  setPrompts(prompts: readonly FakePrompt[]): void {
    this.#world.offer.prompts = prompts;
    this.notify('notifications/prompts/list_changed');
  }

  /** Replaces the text of a resource and tells those who subscribed to it. */
  updateResource(uri: string, text: string): void {
    const { offer } = this.#world;
    offer.resources = offer.resources.map((resource) => (resource.uri === uri ? { ...resource, text } : resource));
    this.notify('notifications/resources/updated', { uri });
  }

  /** A notification outside any request: to legacy clients as it is, to modern ones by their subscriptions. */
  notify(method: string, params: JsonObject = {}): void {
    announce(this.#world, method, params);
  }

  /** A request to a legacy client outside any request of its own; to the newest one unless a session is named. */
  async requestClient(method: string, params: JsonObject = {}, sessionId?: string): Promise<JsonObject> {
    const sessions = legacySessions(this.#world);
    const session = sessionId === undefined ? sessions.at(-1) : sessions.find(({ id }) => id === sessionId);
    if (session === undefined) throw new Error('No legacy client is connected.');
    return await session.request(method, params);
  }

  /** Resolves once the handler of this tool has been started for the nth time. */
  async execution(tool: string, nth = 1, options: WaitOptions = {}): Promise<void> {
    const what = `execution ${nth} of ${tool}`;
    await this.log.until(() => (this.counters.executed(tool) >= nth ? true : undefined), { ...options, what });
  }

  /** Resolves once no connection and no stream is open. */
  async idle(options: WaitOptions = {}): Promise<void> {
    const { counters } = this;
    const idle = (): true | undefined => (counters.openConnections + counters.openStreams === 0 ? true : undefined);
    await this.log.until(idle, { ...options, what: 'every connection to close' });
  }

  /** The ids of the legacy sessions that are alive. */
  get sessionIds(): readonly string[] {
    return legacySessions(this.#world).map((session) => session.id);
  }

  /** Forgets every session, as a restart does: HTTP clients get 404 from now on. */
  dropSessions(): void {
    this.#world.sessions.dropAll();
  }

  /** Ends every modern subscription in good order. */
  finishSubscriptions(): void {
    this.#world.subscriptions.finishAll();
  }

  /** Cuts everything without a word; HTTP listeners stop listening. */
  cut(): void {
    for (const connection of this.#lines.keys()) connection.cut();
    for (const listener of this.#listeners) void listener.close();
    this.#world.sessions.dropAll();
  }

  /** Releases every socket, stream and session. */
  async close(): Promise<void> {
    this.#world.subscriptions.finishAll();
    const closings = [...this.#listeners].map((listener) => listener.close());
    const lines = [...this.#lines.values()];
    this.cut();
    await Promise.all([...closings, ...lines]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #listen(
    open: (world: World, options: ListenOptions) => Promise<HttpListener>,
    options: ListenOptions,
  ): Promise<HttpListener> {
    const listener = await open(this.#world, options);
    const close = async (): Promise<void> => {
      this.#listeners.delete(listening);
      await listener.close();
    };
    const listening = { ...listener, close, [Symbol.asyncDispose]: close };
    this.#listeners.add(listening);
    return listening;
  }

  #connect(streams: LineStreams, style: LineStyle): LineConnection {
    const connection = new LineConnection(this.#world, streams, style);
    const served = connection.serve().finally(() => this.#lines.delete(connection));
    this.#lines.set(connection, served);
    return connection;
  }
}

/** `await using server = fakeServer({ tools: ['echo'] })` */
export const fakeServer = (options: FakeServerOptions = {}): FakeServer => new FakeServer(options);
