export type { HubIdentity } from './aggregate/greeting.js';
export { HUB_CLIENT, HUBS_META } from './aggregate/tell-hubs.js';
export type { Caller } from './call/caller.js';
export type { Ask, ClientFacts, ClientSession, McpCall, ReplyChannel } from './call/mcp-call.js';
export type { FlowWatch, FollowedMessage } from './call/flow-watch.js';
export type { CallStep, NextStep } from './call/step.js';
export type { CatalogueSource } from './catalogue-source.js';
export type { Answer, Exchange } from './exchange.js';
export { createGateway, type Gateway, type GatewayOptions, type StdioEndpoint } from './gateway.js';
export { LargeAnswers, type LargeAnswersOptions } from './large/large-answers.js';
export type { LineWriter } from './lines/line-writer.js';
export { cancelledId, RequestsUnderWay } from './lines/requests-under-way.js';
export { type LineConversation, serveLines, type StdioStreams } from './lines/serve-lines.js';
export type { McpListener } from './listen/mcp-listener.js';
export type { PipelineSteps } from './pipeline.js';
export type { Route, UpstreamRoute } from './route/route.js';
export type { LocalTool, OfferedTool, ServerTool } from './scope/offered-tool.js';
export type { Scope } from './scope/scope.js';
export type { ToolsetScopes } from './scope/scopes.js';
export { agentHeader } from './upstream/agent-header.js';
export type { UpstreamClient } from './upstream/upstream-client.js';
export { type ClientRequest, type LinkUse, UpstreamPool } from './upstream/upstream-pool.js';
// toolsets
export { ToolsetEndpoints } from './toolset/toolset-endpoints.js';
export { toolsetOffer, type ToolsetView } from './toolset/toolset-view.js';
// direct
export type { DirectObstacle, RelayPath } from './direct/direct-steps.js';
// guard
export type { Limit, Limits } from './guard/call-limits.js';
// observe
export { auditCalls } from './observe/audit-calls.js';
export type { CallRecord, CallSink } from './observe/call-record.js';
export { CallQueue } from './observe/call-queue.js';
export { CallStats } from './observe/call-stats.js';
export { HubMetrics, type MetricSources } from './observe/hub-metrics.js';
export { logCalls } from './observe/log-calls.js';
export { logFlows } from './observe/log-flows.js';
export { kindOf, redactArguments } from './observe/redact-arguments.js';
export { standardSteps, type StandardStepsOptions } from './standard-steps.js';
export { overloaded } from './guard/overloaded.js';
export type { PressureFigures } from './observe/pressure-metrics.js';
