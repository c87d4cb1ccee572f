import { randomBytes, randomUUID } from 'node:crypto';
import type { ByteBudget } from '@plugboard/client';
import type { KeyedRequests, ReadyAnswer, SessionKeeping } from '@plugboard/contract';
import type { HubIdentity } from './offer/greeting/greeting.js';
import { FirstLists } from './offer/aggregate/first-lists.js';
import { ServerLearning } from './offer/greeting/learn-servers.js';
import { OfferBooks } from './offer/aggregate/offer-books.js';
import type { HubsBehind } from './pipeline/answer/tell-hubs.js';
import { ToolList } from './offer/aggregate/tool-list.js';
import { ParkedCalls } from './forward/bridge/parked-calls.js';
import { ResourceSubscriptions } from './offer/changes/resource-subscriptions.js';
import { LOCAL_CALLER } from './call/caller.js';
import type { FleetSide } from './call/fleet-side.js';
import type { FlowWatch } from './call/flow-watch.js';
import type { CatalogueSource } from './offer/catalogue/catalogue-source.js';
import { ChangeFeed } from './offer/changes/change-feed.js';
import type { HttpSession } from './session/http-session.js';
import { ParamHeaderCheck } from './session/param-headers.js';
import { SessionJournal } from './session/session-journal.js';
import { SessionRevival } from './session/session-revival.js';
import { DEFAULT_IDLE_MS, SessionTable, type SessionTableOptions } from './session/session-table.js';
import type { SseSession } from './session/sse-session.js';
import { serveStdio } from './listen/stdio/serve-stdio.js';
import type { HttpAnswer, HttpRequest } from './http/http-request.js';
import { answerInProcess } from './listen/rest/in-process.js';
import type { LargeAnswers } from './answer-thread/large-answers.js';
import type { StdioStreams } from './listen/stdio/serve-lines.js';
import { createMcpListener, type McpListener } from './listen/http/mcp-listener.js';
import type { BackpressureOptions } from './http/backpressure-writer.js';
import { type BodyLimits, DEFAULT_BODY_LIMITS } from './http/read-body.js';
import { directSteps } from './pipeline/direct-steps.js';
import { CallLimits } from './pipeline/limit/call-limits.js';
import { createPipeline } from './pipeline/pipeline.js';
import { NO_STEPS, type StepOptions } from './pipeline/step-options.js';
import { restCall } from './listen/rest/call-tool.js';
import { answerRest, servesRest } from './listen/rest/rest.js';
import { runTool, type RunTool } from './listen/rest/run-tool.js';
import { createToolCallListener, type ToolCallListener } from './listen/rest/tool-call-listener.js';
import type { Scope } from './call/scope.js';
import { Scopes, type ToolsetScopes } from './offer/scope/scopes.js';
import { inTermsOfClient } from './forward/tasks/session-tasks.js';
import { TaskFeed } from './forward/tasks/task-feed.js';
import { TaskLedger } from './forward/tasks/task-ledger.js';
import type { UpstreamPool } from './connection/upstream-pool.js';

export interface GatewayOptions {
  readonly identity: HubIdentity;
  readonly catalogue: CatalogueSource;
  readonly upstream: UpstreamPool;
  readonly ready: () => Promise<ReadyAnswer>;
  readonly uptimeMs: () => number;
  readonly onInternalError: (error: unknown) => void;
  /** What is recorded and limited. Without it nothing is, and no call takes the fast path. */
  readonly steps?: StepOptions | undefined;
  readonly toolsets?: ToolsetScopes | undefined;
  readonly sessions?: SessionTableOptions | undefined;
  /** Where sessions are kept for the hub that continues them; without it, they end with this one. */
  readonly keepSessions?: SessionKeeping | undefined;
  /** Told when sessions cannot be saved: the store fails, and is tried again, or a session is too large to be kept. */
  readonly onSessionsUnsaved?: ((error: unknown) => void) | undefined;
  readonly bodyLimits?: BodyLimits | undefined;
  /** How far clients may fall behind. */
  readonly backpressure?: BackpressureOptions | undefined;
  /** Memory for what is sent by and to callers. */
  readonly memory?: ByteBudget | undefined;
  /** The ids of this hub and of those behind it, for hubs that list our tools. */
  readonly hubs?: HubsBehind | undefined;
  /** Reads answers that are too large for the event loop; without it they are read on it. */
  readonly large?: LargeAnswers | undefined;
  /** Signs the ids of tasks; with the same key they outlive a restart, and replicas know each other's. */
  readonly taskKey?: Uint8Array | undefined;
  /** Follows requests and messages on demand. */
  readonly flows?: FlowWatch | undefined;
  /** The processes that serve the same clients; undefined when there is one. */
  readonly fleet?: FleetSide | undefined;
  /** Carries calls with an idempotency key out once; without it, the key is not looked at. */
  readonly keyedRequests?: KeyedRequests | undefined;
}

export interface Gateway {
  /** Is this path the gateway's? Everything else belongs to the admin API. */
  serves(segments: readonly string[]): boolean;
  /** Plain REST, and MCP without sessions, from inside this process. */
  answer(request: HttpRequest): Promise<HttpAnswer>;
  readonly runTool: RunTool;
  /** MCP over HTTP. */
  readonly mcp: McpListener;
  /** Plain calls of tools over HTTP. */
  readonly toolCalls: ToolCallListener;
  /** How many sessions of legacy clients are open. */
  sessionCount(): number;
  /** Is this session open in this process? */
  holdsSession(id: string): boolean;
  /** MCP over a pair of pipes, until one of them ends or the signal aborts: all servers, or the one that is named. */
  serveStdio(streams: StdioStreams, signal: AbortSignal, endpoint?: StdioEndpoint): Promise<void>;
  /** Long streams end in good order; requests in flight go on. */
  beginStopping(): void;
  /** Writes what another process needs to continue the sessions. Rejects when the store does not answer. */
  saveSessions(): Promise<void>;
  /** Sessions that are kept go on in the next hub. */
  close(): Promise<void>;
}

/** What a hub over two pipes serves: all servers when neither is named. */
export interface StdioEndpoint {
  readonly server?: string | undefined;
  readonly toolset?: string | undefined;
}

/** The data plane: what clients send goes to the servers behind the endpoint that they chose. */
export const createGateway = (options: GatewayOptions): Gateway => {
  const { catalogue, upstream, identity, onInternalError } = options;
  const stop = new AbortController();
  const books = new OfferBooks({ upstream });
  const mark = options.fleet?.mark;
  const holder = mark ?? randomUUID();
  const parked = new ParkedCalls({ key: options.taskKey ?? randomBytes(32), holder, mark });
  const ledger = new TaskLedger({ key: options.taskKey ?? randomBytes(32), mark: options.fleet?.mark });
  const tasks = new TaskFeed({ upstream, ledger });
  const changes = new ChangeFeed({ catalogue, upstream, books, toClient: inTermsOfClient(ledger) });
  const scopes = new Scopes(catalogue, options.toolsets);
  const firstLists = new FirstLists({ catalogue });
  const { steps = NO_STEPS } = options;
  const limits = new CallLimits({ limits: steps.limits, fleet: options.fleet });
  const parts = {
    upstream,
    identity,
    hubInfo: { name: identity.name, version: identity.version },
    books,
    changes,
    parked,
    large: options.large,
    hubs: options.hubs,
    keyedRequests: options.keyedRequests,
    ledger,
    tasks,
    stopping: stop.signal,
    tools: new ToolList(catalogue, upstream),
    learning: new ServerLearning(upstream),
    firstLists,
    subscriptions: new ResourceSubscriptions({ upstream, books }),
    onInternalError,
    flows: options.flows,
    limits,
  };
  const answering = { ...parts, pipeline: createPipeline(parts, steps) };
  const rest = {
    ...options,
    firstLists,
    callTool: restCall(scopes, answering.pipeline),
    toolsetTools: (name: string, { caller = LOCAL_CALLER }: HttpRequest) =>
      scopes
        .for(scopes.toolset(name, caller), caller)
        .tools()
        .map(({ definition }) => definition),
  };
  const scopeOf = ({ server, toolset }: StdioEndpoint = {}): Scope => {
    if (toolset !== undefined) return scopes.toolset(toolset);
    return server === undefined ? scopes.all : scopes.server(server);
  };
  const sessions = new SessionTable<HttpSession>(options.sessions);
  const sseSessions = new SessionTable<SseSession>(options.sessions);
  const keeping = options.keepSessions;
  const idleMs = options.sessions?.idleMs ?? DEFAULT_IDLE_MS;
  const journal =
    keeping &&
    new SessionJournal({
      keeping,
      idleMs,
      openWaitMs: options.fleet?.openWaitMs,
      onFailure: options.onSessionsUnsaved ?? onInternalError,
    });
  const revival =
    keeping &&
    journal &&
    new SessionRevival({ ...answering, sessions, memory: options.memory, keeping, journal, idleMs });
  const listening = {
    ...answering,
    revival,
    scopes,
    sessions,
    sseSessions,
    paramHeaders: new ParamHeaderCheck(),
    bodyLimits: options.bodyLimits ?? DEFAULT_BODY_LIMITS,
    backpressure: options.backpressure,
    memory: options.memory,
    fleet: options.fleet,
    directSteps: options.steps && directSteps(options.steps, parts),
  };
  const mcp = createMcpListener(listening);
  const toolCalls = createToolCallListener({
    ...listening,
    answer: (request) => answerRest(rest, request, () => undefined),
  });
  const inProcess = (segments: readonly string[]) => {
    const endpoint = mcp.find(segments);
    return endpoint?.transport === 'mcp' ? endpoint : undefined;
  };
  return {
    mcp,
    toolCalls,
    runTool: runTool(catalogue, answering.pipeline),
    serves: (segments) => servesRest(segments) || mcp.find(segments) !== undefined,
    answer: (request) =>
      answerRest(rest, request, (segments) => {
        const endpoint = inProcess(segments);
        return (
          endpoint && ((asked) => answerInProcess({ ...answering, transport: 'in-process' }, endpoint.scope(), asked))
        );
      }),
    holdsSession: (id) => sessions.peek(id) !== undefined || sseSessions.peek(id) !== undefined,
    sessionCount: () => sessions.size + sseSessions.size,
    serveStdio: (streams, signal, endpoint) =>
      serveStdio({ ...answering, transport: 'stdio' }, scopeOf(endpoint), streams, signal),
    beginStopping: () => {
      stop.abort();
      for (const session of sessions.all()) session.endGeneral();
      // Their only stream carries the answers as well, so it stays until the last of them.
      for (const { session } of sseSessions.all()) session.endWhenDone();
    },
    saveSessions: async () => journal?.flush(),
    close: async () => {
      stop.abort();
      limits.close();
      await journal?.close();
      sessions.close();
      sseSessions.close();
      parked.close();
      tasks.close();
      ledger.close();
      changes.close();
    },
  };
};
