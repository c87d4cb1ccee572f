import {
  type ByteBudget,
  McpClient,
  type McpClientOptions,
  resolveConfig,
  type Supervisor,
  type UrlGuard,
  type VariableLookup,
  type WireTap,
  type CircuitBreaker,
} from '@plugboard/client';
import { type ConnectConfig, type KeptAgent, sandboxOf, type Server } from '@plugboard/contract';
import { type ClientRequest, type FlowWatch, HUB_CLIENT } from '@plugboard/gateway';
import type { ServerLogins } from '@plugboard/registry';
import { repairResult } from '@plugboard/schema';
import type { Settings } from '../settings/settings.js';
import { VERSION } from '../process/version.js';
import { noteClientEvent } from './client-events.js';
import { keepingOf, type LaunchedServers } from './program/launched-servers.js';
import type { ServerJournals } from './program/server-journals.js';
import { networkOf } from './config/server-network.js';
import { deadlineHint, deadlinesOf } from './config/server-deadlines.js';
import type { PoliciesByServer } from './policies-by-server.js';
import { admitConfig } from './config/config-admission.js';
import { variableOf } from './config/config-variable.js';
import { withHop } from '../hub-loop/hop.js';
import type { Logger } from '../log/logger.js';
import { inheritedBy, withSandbox } from './program/program-sandbox.js';

/** A client whose handshakes count like calls: a server that cannot be reached is left alone for a while, too. */
class BreakerClient extends McpClient {
  readonly #breaker: CircuitBreaker;

  constructor(options: McpClientOptions, breaker: CircuitBreaker) {
    super(options);
    this.#breaker = breaker;
  }

  override connect({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.isInitialized) return super.connect({ signal });
    const context = {
      serverName: this.name,
      method: 'initialize',
      attempt: 1,
      idempotent: true,
      signal: signal ?? new AbortController().signal,
    };
    return this.#breaker.policy(context, (current) => super.connect({ signal: current.signal }));
  }
}

/** Shows the messages to and from one server while messages are followed. */
const serverTap = (flows: FlowWatch, server: string): WireTap => ({
  get isOpen() {
    return flows.followsMessages;
  },
  see: (seen) => flows.see({ ...seen, server }),
});

export interface UpstreamClientParts {
  readonly settings: Settings;
  readonly supervisor: Supervisor;
  readonly urls: UrlGuard;
  /** Memory for answers on their way. */
  readonly memory: ByteBudget;
  readonly policiesByServer: PoliciesByServer;
  readonly launched: LaunchedServers;
  readonly logs: ServerJournals;
  readonly logins: Pick<ServerLogins, 'credentialsFor'>;
  /** The agent with whose variables a connection is made. */
  readonly agentOf: (id: string) => KeptAgent | undefined;
  /** What the requests of this hub are known by. */
  readonly hubId: string;
  readonly log: Logger;
  /** Sees the messages to and from servers. */
  readonly flows: FlowWatch;
  readonly onSessionLost: (server: Server, reason: string) => void;
}

type ProgramConfig = Extract<ConnectConfig, { mcp_server_type: 'stdio' }>;

const isLaunched = <Config extends ConnectConfig>(config: Config): config is Config & ProgramConfig =>
  config.mcp_server_type === 'stdio' && config.listen !== null && config.listen !== undefined;

/** The port of a program is known only once it is started, so its reference stays until then. */
const withPort = (config: ConnectConfig, lookup: VariableLookup): VariableLookup =>
  isLaunched(config) ? (name) => (name === 'PORT' ? '{{PORT}}' : lookup(name)) : lookup;

/** As the endpoints of the gateway repair what they relay to clients of the newest revision with sessions. */
const repairToolResult = (result: unknown): unknown =>
  repairResult(result, { era: 'legacy', method: 'tools/call', params: {} });

/** A client of one server with everything that the hub puts around it. It does no I/O before its first use. */
export const makeUpstreamClient = (
  {
    settings,
    supervisor,
    urls,
    memory,
    policiesByServer,
    launched,
    logs,
    logins,
    agentOf,
    hubId,
    log,
    flows,
    onSessionLost,
  }: UpstreamClientParts,
  server: Server,
  { capabilities, clientInfo, agent, login, era, paceOf, onOpened }: ClientRequest,
): McpClient => {
  const sources = { agent: agent === undefined ? undefined : agentOf(agent), config: server.config };
  const filled = resolveConfig(server.config, withPort(server.config, variableOf(settings, sources)));
  const { secrets } = filled;
  const config = withSandbox(withHop(filled.config, hubId), settings);
  admitConfig(config, { stdio: settings.stdio, urls });
  const name = server.server_name;
  const policies = policiesByServer.of(server);
  const options: McpClientOptions = {
    ...(isLaunched(config) ? launched.clientFor(server, config, secrets) : { config }),
    secrets,
    name,
    clientInfo: clientInfo ?? { name: HUB_CLIENT, version: VERSION },
    capabilities,
    deadlines: deadlinesOf(config, settings.deadlines),
    deadlineHint: deadlineHint(server),
    ...(config.mcp_server_type === 'stdio' ? {} : { profile: config.profile ?? undefined }),
    credentials: logins.credentialsFor(server, { holder: login, agent }),
    network: networkOf(config, settings.network, urls),
    ...(server.protocol === null ? {} : { remembered: server.protocol }),
    era,
    environment: inheritedBy(config.mcp_server_type === 'stdio' ? sandboxOf(config.sandbox) : undefined, settings),
    launch: supervisor.stdio({ name, ...(config.mcp_server_type === 'stdio' ? keepingOf(config) : {}) }).forClient(),
    launchOptions: { journal: logs.journalFor(server) },
    policies,
    maxRetries: settings.maxRetries,
    paceOf,
    memory,
    tap: serverTap(flows, name),
    repairResult: repairToolResult,
    onEvent: (event) => {
      noteClientEvent(log, name, event);
      if (event.type === 'session-opened') {
        onOpened?.();
        logs.opened(server, event.protocol);
      }
      if (event.type === 'session-lost') {
        logs.lost(server, event.error);
        log.warn('A session was lost; the next call opens another.', { server: name, code: event.error.code });
        onSessionLost(server, event.error.code);
      }
    },
  };
  return new BreakerClient(options, policies.breaker);
};
