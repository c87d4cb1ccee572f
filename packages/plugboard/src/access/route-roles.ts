import type { Role } from '@plugboard/contract';

/** Who may use a route: these roles, or everybody. */
export type Admission = readonly Role[] | 'everybody';

const ADMINISTER: readonly Role[] = ['admin'];
const OPERATE: readonly Role[] = ['admin', 'operator'];
const LOOK: readonly Role[] = ['admin', 'operator', 'viewer'];
const CALL: readonly Role[] = ['admin', 'operator', 'agent'];
const ANY_ROLE: readonly Role[] = ['admin', 'operator', 'agent', 'viewer'];

/**
 * Who may do what: every operation of the admin API by its id, and the gateway's paths. What is missing here is refused
 * to everybody, and fails a test.
 */
export const ROUTE_ROLES = {
  // whether the hub lives, and how its API is used
  health: 'everybody',
  openApiDocument: 'everybody',
  docsPage: 'everybody',
  'gateway health': 'everybody',
  'gateway ready': 'everybody',
  'resource metadata': 'everybody',
  // where people log in with a browser, and out again
  'login page': 'everybody',
  'login form': 'everybody',
  'logout form': 'everybody',
  'session open': 'everybody',
  'session show': ANY_ROLE,
  'session close': ANY_ROLE,
  // where browsers come back from a login, and what authorization servers read about us
  openLogin: 'everybody',
  continueLogin: 'everybody',
  completeLogin: 'everybody',
  completeLoginOfIssuer: 'everybody',
  clientMetadata: 'everybody',
  clientMetadataOfIssuer: 'everybody',
  // tools, over MCP and plain REST
  'gateway mcp': CALL,
  'gateway call': CALL,
  'gateway servers': ANY_ROLE,
  'gateway server': ANY_ROLE,
  'gateway tools': ANY_ROLE,
  // servers
  listServers: LOOK,
  retrieveServer: LOOK,
  createServer: OPERATE,
  addSamples: OPERATE,
  updateServer: OPERATE,
  deleteServer: OPERATE,
  refreshServer: OPERATE,
  syncServer: OPERATE,
  restartServer: OPERATE,
  readServerLogs: OPERATE,
  connectServer: OPERATE,
  listNamedServers: LOOK,
  createNamedServer: OPERATE,
  updateNamedServer: OPERATE,
  deleteNamedServer: OPERATE,
  tryNamedServer: OPERATE,
  connectNamedServer: OPERATE,
  // probes of servers
  readMonitor: LOOK,
  readMonitorHistory: LOOK,
  probeServer: OPERATE,
  // their tools
  listTools: LOOK,
  retrieveTool: LOOK,
  listServerTools: LOOK,
  retrieveServerTool: LOOK,
  adaptServerTool: LOOK,
  listLiveTools: OPERATE,
  readServerOffer: OPERATE,
  updateServerTool: OPERATE,
  approveServerTool: OPERATE,
  rejectServerTool: OPERATE,
  runServerTool: OPERATE,
  resyncNamedServer: OPERATE,
  registerNamedTool: OPERATE,
  registerNamedToolShort: OPERATE,
  executeNamedTool: OPERATE,
  // toolsets
  listToolsets: LOOK,
  retrieveToolset: LOOK,
  createToolset: OPERATE,
  updateToolset: OPERATE,
  deleteToolset: OPERATE,
  // logins to servers; an agent sees its own only
  beginLogin: CALL,
  listLogins: CALL,
  getLogin: CALL,
  endLogin: CALL,
  logoutServer: CALL,
  // agents; an agent sees itself only
  listAgents: LOOK,
  retrieveAgent: ANY_ROLE,
  createAgent: OPERATE,
  updateAgent: OPERATE,
  deleteAgent: OPERATE,
  listAgentTools: ANY_ROLE,
  attachAgentTool: OPERATE,
  detachAgentTool: OPERATE,
  runAgentTool: CALL,
  // their models; an agent asks itself only
  createChatCompletion: CALL,
  createResponse: CALL,
  decideToolCall: CALL,
  askModelProvider: OPERATE,
  listModels: ANY_ROLE,
  retrieveModel: ANY_ROLE,
  // the referee; a report quotes what servers answered
  startCheck: OPERATE,
  listChecks: LOOK,
  retrieveCheck: LOOK,
  watchCheck: LOOK,
  readCheckReport: OPERATE,
  cancelCheck: OPERATE,
  deleteCheck: OPERATE,
  startBenchmark: OPERATE,
  listBenchmarks: LOOK,
  retrieveBenchmark: LOOK,
  readBenchmarkReport: OPERATE,
  cancelBenchmark: OPERATE,
  deleteBenchmark: OPERATE,
  // access to the hub
  listKeys: ADMINISTER,
  createKey: ADMINISTER,
  revokeKey: ADMINISTER,
  purgeKeys: ADMINISTER,
  rotateMasterKey: ADMINISTER,
  // what the deployment depends on
  listHealthServices: LOOK,
  retrieveHealthService: LOOK,
  createHealthService: OPERATE,
  deleteHealthService: OPERATE,
  // plug-ins; only the configuration file names them
  listPlugins: LOOK,
  runPlugin: OPERATE,
  // what happens
  watchEvents: LOOK,
  summariseCalls: LOOK,
  readCallHistory: LOOK,
  readMetrics: LOOK,
  listAudit: OPERATE,
  exportAudit: OPERATE,
} as const satisfies Readonly<Record<string, Admission>>;

export type RouteId = keyof typeof ROUTE_ROLES;

const table: ReadonlyMap<string, Admission> = new Map(Object.entries(ROUTE_ROLES));

/** Undefined: nobody. */
export const admissionOf = (route: string): Admission | undefined => table.get(route);
