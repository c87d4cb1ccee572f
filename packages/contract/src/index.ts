export { checkJsonDepth, MAX_JSON_DEPTH, MAX_REST_VALUES, parseBoundedJson } from './json/bounded-json.js';
export {
  variableName,
  agent,
  agentCreate,
  agentUpdate,
  type Agent,
  type AgentCreate,
  type AgentUpdate,
} from './agent/agent.js';
export {
  agentDefinition,
  type AgentDefinition,
  type AgentDefinitionInput,
  type AgentServer,
} from './definition/agent-definition.js';
export {
  apiKey,
  apiKeyCreate,
  apiKeyCreated,
  keyPurge,
  masterKeyRotation,
  type KeyPurge,
  type MasterKeyRotation,
  type ApiKey,
  type ApiKeyCreate,
  type ApiKeyCreated,
} from './access/api-key.js';
export {
  auditEntry,
  auditQuery,
  type AuditEntry,
  type AuditRecord,
  type WrittenAuditRecord,
  type AuditQuery,
} from './access/audit.js';
export { type AgentModel, agentRequestOptions } from './agent/agent-model.js';
export { toolCallDecision, type ToolCallDecision } from './agent/agent-model.js';
export { MODEL_HEADERS, MODEL_STATUS, modelRequest, type ModelRequest } from './agent/model-request.js';
export { MODEL_RECORDING_FORMAT, readModelRecording } from './agent/model-recording.js';
export type { ModelRecording, RecordedAnswer } from './agent/model-recording.js';
export { type KeptAgent } from './agent/kept-agent.js';
export {
  benchReport,
  type BenchReport,
  type GeneratorFigures,
  type LatencySummary,
  type LoadComparison,
  type LoadPhase,
  type LoadSlice,
  type LoadViolation,
  type LoadViolationKind,
  type ProcessFigures,
  type ScenarioResult,
  type ThresholdResult,
} from './check/bench-report.js';
export { loadPlan, loadScenario, type LoadPlan, type LoadPreset, type LoadScenario } from './check/load-plan.js';
export { soakReport, type SoakFinding, type SoakMetric, type SoakPlan } from './check/soak-report.js';
export { type SoakReport, type SoakSample, type SoakVerdict } from './check/soak-report.js';
export { callHistory, type CallHistory, type CallPeriod } from './hub/call-history.js';
export { callSummary, type CallFigures, type CallSummary } from './hub/call-summary.js';
export {
  checkReport,
  checkResult,
  type CheckCall,
  type CheckEra,
  type CheckEvidence,
  type CheckLevel,
  type CheckOutcome,
  type CheckPlanEntry,
  type CheckReport,
  type CheckResult,
  type CheckSource,
  type CheckSummary,
  type CheckTier,
  type CheckTranscriptEntry,
  type CheckTransport,
  type CheckVerdict,
  type CheckedServer,
} from './check/check-report.js';
export {
  benchReportQuery,
  benchRun,
  benchStart,
  type BenchFigures,
  type BenchReportFormat,
  type BenchRun,
  type BenchStart,
  type BenchStartInput,
} from './check/bench-run.js';
export {
  checkReportQuery,
  checkRun,
  checkRunEvent,
  type CheckReportFormat,
  type CheckRun,
  type CheckRunEvent,
} from './check/check-run.js';
export {
  checkTarget,
  type CheckAuth,
  type CheckTargetAddress,
  type CheckDifferential,
  type CheckAggregatedServer,
  type CheckHub,
  type CheckTarget,
  type CheckTargetInput,
  type FailOn,
} from './check/check-target.js';
export { workflow, type Workflow, type WorkflowInput } from './check/workflow.js';
export { evalFile, type EvalCase, type EvalFile } from './check/eval-file.js';
export { connectEvent, type ConnectEvent } from './server/connect-event.js';
export { type CatalogueEntry, type CatalogueSnapshot } from './catalogue/catalogue.js';
export { type CompareSessionList, type SessionList, type SessionOffer } from './catalogue/session-offer.js';
export { bodyTooLarge } from './error/body-too-large.js';
export { durationWords } from './error/duration-words.js';
export {
  EXIT,
  ERROR_CODES,
  errorCodes,
  isErrorCode,
  metricLabel,
  type ExitCode,
  type ErrorCode,
} from './error/error-code.js';
export {
  errorDescription,
  errorEnvelope,
  toErrorEnvelope,
  type ErrorDescription,
  type ErrorEnvelope,
} from './error/error-envelope.js';
export {
  gradeReason,
  grade,
  providerVerdicts,
  type GradeStatus,
  type GradeReason,
  type Grade,
  type ProviderVerdict,
  type ProviderVerdicts,
  type NormalisedSchema,
} from './tool/grade.js';
export { grantOf, type Grant } from './access/grant.js';
export {
  healthServiceCreate,
  healthServiceView,
  type HealthService,
  type HealthServiceCreate,
  type HealthServiceStatus,
  type HealthServiceView,
} from './hub/health-service.js';
export { forTerminal, hearHint, type Hint, hintFor, joinHints, type SurfaceHint, tellHint } from './error/hint.js';
export { hubEvent, type HubEvent } from './hub/hub-event.js';
export {
  monitoredServer,
  monitorHistory,
  monitorHistoryQuery,
  monitorView,
  type MonitorAlert,
  type MonitorAlertKind,
  type MonitorBucket,
  type MonitorDrift,
  type MonitoredServer,
  type MonitorFigures,
  type MonitorHistory,
  type MonitorSample,
  type MonitorSeries,
  type MonitorView,
} from './hub/monitor.js';
export {
  healthAnswer,
  readyAnswer,
  type CallLoad,
  type HealthAnswer,
  type ProcessLoad,
  type ReadyAnswer,
} from './hub/hub-health.js';
export {
  agentId,
  type ServerId,
  type ToolId,
  type AgentId,
  type ToolsetId,
  type AuditId,
  type ApiKeyId,
  type OAuthSessionId,
} from './field/identifier.js';
export { declaresJson, mediaTypeError } from './json/json-media-type.js';
export {
  liveTool,
  serverOffer,
  configTrial,
  type LiveTool,
  type ServerOffer,
  type ConfigTrial,
} from './tool/live-tool.js';
export {
  keepConfig,
  revealConfig,
  sameConfig,
  type ConfigWith,
  type ConnectConfig,
  type KeptConfig,
} from './server/kept-config.js';
export {
  HUB_LOGIN,
  loginHolder,
  loginUserOf,
  loginUserOfAgent,
  mayAskForLogin,
  mayBorrowLogin,
  type LoginUser,
} from './oauth/login-holder.js';
export { maskSecret, isMasked } from './secret/mask.js';
export { maskTemplate } from './secret/mask-template.js';
export { hasReference, TEMPLATE_REFERENCE } from './field/template-reference.js';
export { maskArguments, secretsInArguments, unmaskArguments } from './secret/mask-arguments.js';
export { hasSecretParameters, maskUrl, secretsInUrl, unmaskUrl } from './secret/mask-url.js';
export {
  namedServer,
  namedServerView,
  namedServerUpdate,
  type NamedServer,
  type NamedServerView,
  type NamedServerUpdate,
} from './server/named-server.js';
export { oauthSettings, type OAuthSettings } from './oauth/oauth-settings.js';
export { type ProgramSandbox, sandboxOf, type SandboxSettings } from './server/program-sandbox.js';
export type {
  AuthorizationQuestion,
  AuthorizationServerMetadata,
  ClientCredentialsQuestion,
  CodeExchange,
  LoginRequest,
  OAuthFailureKind,
  OAuthProtocol,
  RefreshQuestion,
  RegisteredClient,
  RegistrationRequest,
  Revocation,
  ScopeFacts,
  ServerAuthorization,
  StartedLogin,
  TokenEndpointAuth,
  TokenQuestion,
  TokenSet,
} from './oauth/oauth-protocol.js';
export {
  oauthCallbackAnswer,
  oauthSession,
  oauthSessionCreate,
  oauthSessionFilter,
  oauthSessionOwner,
  oauthSessionQuery,
  type OAuthCallbackAnswer,
  type OAuthSession,
  type OAuthSessionCreate,
} from './oauth/oauth-session.js';
export { pageQuery, type PageQuery } from './field/page.js';
export { ANONYMOUS_PRINCIPAL, LOCAL_PRINCIPAL, role, type Principal, type Role } from './access/principal.js';
export { PlugboardError, toPlugboardError, type PlugboardErrorOptions } from './error/plugboard-error.js';
export {
  toolChange,
  quarantineRule,
  quarantine,
  toolApproval,
  type ToolChange,
  type QuarantineRule,
  type Quarantine,
  type ToolApproval,
} from './tool/quarantine.js';
export { revealed, Secret } from './secret/secret.js';
export { hideSecretMembers, isSecretMember } from './secret/secret-member.js';
export { namesSecret } from './secret/secret-name.js';
export {
  restartMode,
  stdioConfig,
  certificateText,
  connectionProfile,
  connectionSharing,
  type ConnectionSharing,
  sseConfig,
  serverConfig,
  type StdioConfig,
  type StreamableHttpConfig,
  type HttpConfig,
  type ServerConfig,
  type ServerType,
  type ServerConfigUpdate,
} from './server/server-config.js';
export {
  serverStatus,
  server,
  serverCreate,
  serverUpdate,
  serverView,
  type ServerProtocol,
  type ServerStatus,
  type Server,
  type ServerCreate,
  type ServerUpdate,
  type ServerView,
} from './server/server.js';
export {
  serverLogEntry,
  serverLogQuery,
  type ProgramExit,
  type ProgramFacts,
  type ServerLogEntry,
  type ServerLogKind,
  type ServerLogQuery,
} from './server/server-log.js';
export { syncReport, type SyncReport } from './server/sync-report.js';
export { headerName, headerValue, entryName } from './field/text.js';
export {
  toolDefinition,
  toolResult,
  type ToolAnnotations,
  type ToolDefinition,
  type ToolResult,
} from './tool/tool-definition.js';
export { PROFILE_IDS, type ProfileId } from './tool/provider-profile.js';
export { toolAdaptation, type ToolAdaptation } from './tool/tool-adaptation.js';
export { ORIGINS_META, toolOrigin, type ToolOrigin } from './tool/tool-origin.js';
export { toolListQuery, syncQuery, type ToolListQuery, type ToolState } from './tool/tool-query.js';
export {
  toolRunRequest,
  toolRunResult,
  toolExecution,
  type ToolRunRequest,
  type ToolRunResult,
  type ToolExecution,
} from './tool/tool-run.js';
export { tool, toolUpdate, toolView, type Tool, type ToolUpdate, type ToolView } from './tool/tool.js';
export {
  toolsetEntry,
  toolsetCreate,
  toolsetUpdate,
  toolsetOffer,
  toolsetView,
  type ToolsetEntry,
  type Toolset,
  type ToolsetCreate,
  type ToolsetUpdate,
  type OfferedEntry,
  type ToolsetOffer,
  type ToolsetView,
} from './toolset/toolset.js';
export { type WebSessionView } from './access/web-session.js';
export { jsonSize } from './json/json-size.js';
export { type LimitAsk, type LimitGrant, type PlacesAsk, PLACES_MS, type RateAsk } from './hub/limit-lease.js';
export type { KeptEvents, KeptSession, SessionBatch, SessionKeeping } from './hub/kept-session.js';
export {
  IDEMPOTENCY_HEADER,
  idempotencyKeyIn,
  type KeptFailure,
  MAX_KEPT_CHARS,
  type KeyedRequest,
  type KeyedRequests,
  type KeyedWork,
} from './hub/keyed-request.js';
export { timedWork, WORK_CHANNEL, type WorkNote } from './hub/work-channel.js';
export {
  pluginOutcome,
  pluginRun,
  pluginView,
  type PluginOutcome,
  type PluginRun,
  type PluginView,
} from './hub/plugin.js';
