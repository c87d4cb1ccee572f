export { type ClientEvent } from './session/client-event.js';
export { type McpClientOptions } from './client-options.js';
export { DEFAULT_DEADLINES, type DeadlineHint, type Deadlines } from './deadline/deadlines.js';
export {
  McpClientError,
  type AttemptRecord,
  type ClientErrorKind,
  type Delivery,
  type RpcFailure,
} from './error/client-error.js';
export {
  McpAmbiguousDeliveryError,
  McpAuthError,
  McpCancelledError,
  McpCircuitOpenError,
  McpConnectionError,
  McpProcessError,
  McpProtocolError,
  McpRateLimitedError,
  McpSessionError,
  McpTimeoutError,
} from './error/error-family.js';
export { Chain, type ChainLink } from './fast-path/http1/chain.js';
export { type Http1Controller, type Http1Handler, type ResponseHead } from './fast-path/http1/http1-handler.js';
export { Http1Pool } from './fast-path/http1/http1-pool.js';
export { secretsOf } from './redact/config-secrets.js';
export { redaction } from './redact/redaction.js';
export {
  type DirectListener,
  type DirectMessage,
  type FastExchange,
  type FastLine,
  type Unusual,
} from './fast-path/line/fast-line.js';
export { SlowWatch, type Watched } from './fast-path/line/slow-watch.js';
export { type UnderWay } from './fast-path/line/sent-request.js';
export type { LargeAnswer, OpenLargeAnswer } from './transport/large-answer.js';
export { FAST_ANSWER_BYTES } from './read-buffer/answer-place.js';
export { READ_TURNS } from './read-buffer/read-turns.js';
export { ByteBudget, type NoRoom, type Room, UNCOUNTED_BYTES } from './read-buffer/byte-budget.js';
export { McpClient } from './mcp-client.js';
export { legacyRefusal, type EraRefusal } from './negotiate/era-refusal.js';
export { type ListToolsOptions, type RequestOptions } from './call/request-options.js';
export { isInputRequired } from './call/input-required.js';
export { isHeaderMismatch, withFreshTool } from './call/fresh-tool.js';
export { type Progress } from './session/progress.js';
export { type ListenFilter } from './session/notification-feed.js';
export { ANY_METHOD, type RequestHandler, type ServerRequest } from './session/server-requests.js';
export { type SessionStore, type StoredSession } from './session/session-store.js';
export { type Subscription, type SubscriptionEnd } from './session/subscription.js';
export { type CredentialRefusal, type CredentialSource } from './transport/credential-source.js';
export { createDispatcher, type NetworkOptions } from './network/http-dispatcher.js';
export { type TransportKind } from './transport/transport.js';
export type { SeenMessage, WireTap } from './transport/wire-tap.js';
// oauth
export type { OAuthFetch, OAuthHttp, OAuthRequest } from './oauth/oauth-http.js';
export { createOAuthProtocol } from './oauth/oauth-protocol.js';
export { clientMetadata } from './oauth/register-client.js';
// network policy
export {
  createGuardedFetch,
  type StrangerRules,
  type GuardedFetch,
  type GuardedFetchOptions,
  type GuardedRequest,
} from './network/guarded-fetch.js';
export { guardedLookup, type ResolveAll } from './network/guarded-lookup.js';
export { leadsHome, ownPlace, strangerGuard } from './network/stranger-guard.js';
export { createUrlGuard, type UrlGuard } from './network/url-guard.js';
export type { UrlPolicy } from './network/url-policy.js';
// process
export { childEnvironment, type ChildEnvironmentOptions } from './supervisor/program/child-environment.js';
export type { ChildJournal } from './supervisor/child-journal.js';
export type { IdleChild, IdleSource, SlotState } from './supervisor/child-slots.js';
export type { RunningChild } from './supervisor/child-launcher.js';
export { errorLine } from './error/error-line.js';
export { describeExit, type ExitReason, type ExitReport, type StopReason } from './error/exit-report.js';
export { launchedDispatcher } from './supervisor/launched-dispatcher.js';
export { launchProcess, type Launch, type LaunchedProcess, type LaunchOptions } from './supervisor/launch-process.js';
export type { ReapedOrphan } from './supervisor/orphan-reaper.js';
export { type ParentDeathGuard } from './supervisor/parent-death-guard.js';
export { pollReady, type PollOptions } from './supervisor/poll-ready.js';
export type { ProcessSpec } from './supervisor/program/process-spec.js';
export type { ProcessState } from './supervisor/process-state.js';
export type { RestartMode, RestartPolicy } from './supervisor/restart-budget.js';
export type { ClientLaunch, StdioServer, StdioServerOptions, StdioServerState } from './supervisor/stdio-server.js';
export type { StopGrace } from './supervisor/stop-ladder.js';
export {
  SupervisedProcess,
  type ProbeOptions,
  type ProcessLease,
  type SupervisedOptions,
} from './supervisor/supervised-process.js';
export { createConfinement, type Confinement, type ConfinementOptions } from './supervisor/sandbox/confinement.js';
export { programEnvironment } from './supervisor/sandbox/program-environment.js';
export { createSupervisor, type Supervisor, type SupervisorOptions } from './supervisor/supervisor.js';
// policy
export { type Bulkhead, type BulkheadOptions } from './policy/bulkhead.js';
export {
  createCircuitBreaker,
  type CircuitBreaker,
  type CircuitBreakerOptions,
  type CircuitState,
} from './policy/circuit-breaker.js';
export { systemClock, type Clock, type Random } from './deadline/clock.js';
export { type CallGate } from './policy/call-gate.js';
export { isLinkFailure } from './policy/failure-kind.js';
export { type CallContext, type CallPolicies, type Policy } from './policy/policy.js';
export { type RateLimitOptions } from './policy/rate-limit.js';
export { backoffCeilingMs } from './retry/backoff.js';
export { isIdempotentMethod, isIdempotentTool } from './retry/idempotent.js';
export { createServerPolicies, type ServerPolicies, type ServerPolicyOptions } from './policy/server-policies.js';
// template
export { missingVariables, resolveConfig, type ResolvedConfig } from './template/resolve-config.js';
export { type VariableLookup } from './template/resolve-template.js';
// plugin
export { mapResult, type ResultMapper } from './plugin/map-result.js';
export { McpPlugin, type McpAction, type McpPluginOptions } from './plugin/mcp-plugin.js';
export { createPluginHost, type PluginHost, type PluginHostOptions } from './plugin/plugin-host.js';
export { type ActionOutcome } from './plugin/plugin-response.js';
export type {
  Plugin,
  PluginAction,
  PluginConfig,
  PluginMetadata,
  PluginModule,
  PluginRequest,
  PluginResponse,
} from './plugin/plugin.js';
export { type ToolCaller, type ToolCallOptions } from './plugin/tool-caller.js';
