// the gateway
export { createGateway, type Gateway, type GatewayOptions, type StdioEndpoint } from './gateway.js';
export type { Caller } from './call/caller.js';
export { type FleetSide, type HttpExchange, markOfId } from './call/fleet-side.js';
export { sessionKey } from './session/session-seal.js';
export type { CatalogueSource } from './offer/catalogue/catalogue-source.js';
export type { HubIdentity } from './offer/greeting/greeting.js';
export type { ServerQuestions } from './call/mcp-call.js';
export type { HttpAnswer, HttpRequest } from './http/http-request.js';
export { overloaded } from './http/overloaded.js';
export { type LostRequest, refuseLost, type RequestIds, requestIdsIn } from './listen/http/refuse-lost.js';
export type { RunTool } from './listen/rest/run-tool.js';
// connections to servers
export { agentHeader } from './connection/agent-header.js';
export type { UpstreamClient } from './connection/upstream-client.js';
export { type ClientRequest, type LinkUse, UpstreamPool } from './connection/upstream-pool.js';
export { LargeAnswers } from './answer-thread/large-answers.js';
// MCP over two pipes
export type { LineWriter } from './listen/stdio/line-writer.js';
export { cancelledId, RequestsUnderWay } from './listen/stdio/requests-under-way.js';
export { type LineConversation, serveLines, type StdioStreams } from './listen/stdio/serve-lines.js';
// toolsets
export { ToolsetEndpoints } from './offer/toolset/toolset-endpoints.js';
export { toolsetOffer } from './offer/toolset/toolset-view.js';
// the steps of the pipeline
export { HUB_CLIENT, HUBS_META } from './pipeline/answer/tell-hubs.js';
export type { Limits } from './pipeline/limit/call-limits.js';
export type { StepOptions } from './pipeline/step-options.js';
// observation
export type { FlowWatch, FollowedMessage } from './call/flow-watch.js';
export { HubMetrics, type MetricSources } from './metrics/hub-metrics.js';
export type { PressureFigures } from './metrics/pressure-metrics.js';
export { auditCalls } from './pipeline/observe/audit-calls.js';
export { CallQueue } from './pipeline/observe/call-queue.js';
export type { CallRecord, CallSink } from './pipeline/observe/call-record.js';
export { CallHistory } from './pipeline/observe/call-history.js';
export { CallStats } from './pipeline/observe/call-stats.js';
export { logCalls } from './pipeline/observe/log-calls.js';
export { logFlows } from './pipeline/observe/log-flows.js';
export { kindOf, redactArguments } from './pipeline/observe/redact-arguments.js';
export { SessionSeal } from './session/session-seal.js';
