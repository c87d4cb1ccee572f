export { MAX_JSON_DEPTH, parseBoundedJson } from './bounded-json.js';
export {
  variableName,
  agent,
  agentCreate,
  agentUpdate,
  type Agent,
  type AgentCreate,
  type AgentUpdate,
} from './agent.js';
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
} from './api-key.js';
export {
  auditEntry,
  auditQuery,
  type AuditEntry,
  type AuditRecord,
  type WrittenAuditRecord,
  type AuditQuery,
} from './audit.js';
export { callFigures, callSummary, type CallFigures, type CallSummary } from './call-summary.js';
export {
  checkCall,
  checkEra,
  checkEvidence,
  checkLevel,
  checkOutcome,
  checkPlanEntry,
  checkReport,
  checkResult,
  checkSource,
  checkSummary,
  checkTier,
  checkTranscriptEntry,
  checkTransport,
  checkVerdict,
  checkedServer,
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
} from './check-report.js';
export {
  CHECK_RUN_EVENTS,
  checkReportFormat,
  checkReportQuery,
  checkRun,
  checkRunEvent,
  type CheckReportFormat,
  type CheckRun,
  type CheckRunEvent,
} from './check-run.js';
export {
  checkTarget,
  type CheckAuth,
  type CheckDifferential,
  type CheckAggregatedServer,
  type CheckHub,
  type CheckTarget,
  type CheckTargetInput,
  type FailOn,
} from './check-target.js';
export { connectEvent, type ConnectEvent } from './connect-event.js';
export { type CatalogueEntry, type CatalogueSnapshot } from './catalogue.js';
export { type CompareSessionList, type SessionList, type SessionOffer } from './session-offer.js';
export { durationWords } from './duration-words.js';
export {
  EXIT,
  ERROR_CODES,
  errorCodes,
  isErrorCode,
  metricLabel,
  type ExitCode,
  type ErrorCode,
} from './error-code.js';
export {
  errorDescription,
  errorEnvelope,
  toErrorEnvelope,
  type ErrorDescription,
  type ErrorEnvelope,
} from './error-envelope.js';
export {
  gradeStatus,
  gradeReason,
  grade,
  providerVerdict,
  providerVerdicts,
  type GradeStatus,
  type GradeReason,
  type Grade,
  type ProviderVerdict,
  type ProviderVerdicts,
  normalisedSchema,
  type NormalisedSchema,
} from './grade.js';
export { grantOf, grantOfAgent, type Grant } from './grant.js';
export {
  healthService,
  healthServiceCreate,
  healthServiceStatus,
  healthServiceView,
  type HealthService,
  type HealthServiceCreate,
  type HealthServiceStatus,
  type HealthServiceView,
} from './health-service.js';
export {
  forTerminal,
  hearHint,
  type Hint,
  hintFor,
  joinHints,
  type Surface,
  type SurfaceHint,
  tellHint,
} from './hint.js';
export { hubEvent, type HubEvent } from './hub-event.js';
export {
  callLoad,
  healthAnswer,
  readyAnswer,
  type CallLoad,
  type HealthAnswer,
  type ProcessLoad,
  type ReadyAnswer,
} from './hub-health.js';
export {
  serverId,
  toolId,
  agentId,
  toolsetId,
  auditId,
  apiKeyId,
  oauthSessionId,
  type ServerId,
  type ToolId,
  type AgentId,
  type ToolsetId,
  type AuditId,
  type ApiKeyId,
  type OAuthSessionId,
} from './identifier.js';
export { declaresJson, mediaTypeError } from './json-media-type.js';
export { liveTool, configTrial, type LiveTool, type ConfigTrial } from './live-tool.js';
export {
  keepConfig,
  revealConfig,
  sameConfig,
  type ConfigWith,
  type ConnectConfig,
  type KeptAgent,
  type KeptConfig,
} from './kept-config.js';
export {
  HUB_LOGIN,
  loginHolder,
  loginUserOf,
  loginUserOfAgent,
  mayAskForLogin,
  mayBorrowLogin,
  type LoginUser,
} from './login-holder.js';
export { maskSecret, isMasked } from './mask.js';
export { maskTemplate } from './mask-template.js';
export { hasReference, TEMPLATE_REFERENCE } from './template-reference.js';
export { maskArguments, secretsInArguments, unmaskArguments } from './mask-arguments.js';
export { hasSecretParameters, maskUrl, secretsInUrl, unmaskUrl } from './mask-url.js';
export {
  namedServer,
  namedServerView,
  namedServerUpdate,
  type NamedServer,
  type NamedServerView,
  type NamedServerUpdate,
} from './named-server.js';
export { oauthSettings, type OAuthSettings } from './oauth-settings.js';
export { type ProgramSandbox, sandboxOf, type SandboxSettings } from './program-sandbox.js';
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
} from './oauth-protocol.js';
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
} from './oauth-session.js';
export { pageQuery, type PageQuery } from './page.js';
export { LOCAL_PRINCIPAL, role, type Principal, type Role } from './principal.js';
export { PlugboardError, toPlugboardError, type PlugboardErrorOptions } from './plugboard-error.js';
export {
  toolChange,
  quarantineRule,
  quarantine,
  toolApproval,
  type ToolChange,
  type QuarantineRule,
  type Quarantine,
  type ToolApproval,
} from './quarantine.js';
export { revealed, Secret } from './secret.js';
export {
  restartMode,
  stdioConfig,
  certificateText,
  connectionProfile,
  connectionSharing,
  serverDeadlines,
  type ConnectionSharing,
  sseConfig,
  streamableHttpConfig,
  serverConfig,
  serverTypes,
  serverConfigUpdate,
  type StdioConfig,
  type SseConfig,
  type StreamableHttpConfig,
  type HttpConfig,
  type ServerConfig,
  type ServerType,
  type ServerConfigUpdate,
} from './server-config.js';
export {
  serverProtocol,
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
} from './server.js';
export {
  programExit,
  programFacts,
  serverLogEntry,
  serverLogKind,
  serverLogQuery,
  type ProgramExit,
  type ProgramFacts,
  type ServerLogEntry,
  type ServerLogKind,
  type ServerLogQuery,
} from './server-log.js';
export { syncReport, type SyncReport } from './sync-report.js';
export { timestamp, headerName, headerValue, processText, entryName } from './text.js';
export {
  toolAnnotations,
  toolDefinition,
  toolResult,
  type ToolAnnotations,
  type ToolDefinition,
  type ToolResult,
} from './tool-definition.js';
export { toolListQuery, syncQuery, type ToolListQuery, type SyncQuery } from './tool-query.js';
export {
  toolRunRequest,
  toolRunResult,
  toolExecution,
  type ToolRunRequest,
  type ToolRunResult,
  type ToolExecution,
} from './tool-run.js';
export {
  toolMetadata,
  tool,
  toolUpdate,
  toolView,
  type ToolMetadata,
  type Tool,
  type ToolUpdate,
  type ToolView,
} from './tool.js';
export {
  toolsetEntry,
  toolset,
  toolsetCreate,
  toolsetUpdate,
  offeredEntry,
  toolsetOffer,
  toolsetView,
  type ToolsetEntry,
  type Toolset,
  type ToolsetCreate,
  type ToolsetUpdate,
  type OfferedEntry,
  type ToolsetOffer,
  type ToolsetView,
} from './toolset.js';
export { jsonSize } from './json-size.js';
export { timedWork, WORK_CHANNEL, type WorkNote } from './work-channel.js';
export { pluginOutcome, pluginRun, pluginView, type PluginOutcome, type PluginRun, type PluginView } from './plugin.js';
