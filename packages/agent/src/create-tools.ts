import { eachAtMost } from '@plugboard/base';
import {
  McpClient,
  type McpClientOptions,
  type RequestHandler,
  resolveConfig,
  type VariableLookup,
} from '@plugboard/client';
import {
  type AgentDefinitionInput,
  type AgentServer,
  type ToolDefinition,
  type ToolOrigin,
  PlugboardError,
  serverConfig,
  type ServerConfig,
} from '@plugboard/contract';
import { fitList, type ProfileId } from '@plugboard/schema';
import { wellFormedValue } from './conversation/well-formed.js';
import { parseAgent } from './definition/parse-agent.js';
import { hideBound } from './discover/bind-arguments.js';
import { type Discovered, discoverTools } from './discover/discover-tools.js';
import { nameTools } from './name/name-tools.js';
import type { AgentTool } from './tool/agent-tool.js';
import type { AgentTools, RejectedTool } from './tool/agent-tools.js';
import { BoundTool } from './tool/bound-tool.js';

export interface CreateToolsOptions {
  /** Whose rules the names and schemas follow. Default: `openai`. */
  readonly provider?: ProfileId;
  /** Values for `{{ NAME }}` and `${NAME}` in the configs. */
  readonly variables?: VariableLookup;
  /** More options of each client, such as `environment` for programs. */
  readonly client?: (server: AgentServer) => Partial<McpClientOptions>;
  /** How much text of a result reaches the model. Default: 100,000 characters. */
  readonly maxResultCharacters?: number;
  /** Answers what a server asks of the model of its user, as `answerSampling` does. Default: servers cannot ask. */
  readonly sampling?: (server: AgentServer) => RequestHandler | undefined;
  readonly signal?: AbortSignal;
  /** Told about tools that are missing or cannot be used, and lists that could not be refreshed. */
  readonly onWarning?: (message: string) => void;
}

const PARALLEL_SERVERS = 8;
const MAX_RESULT_CHARACTERS = 100_000;

interface Connected {
  readonly server: AgentServer;
  readonly client: McpClient;
}

/** The config of a server that can be connected to. */
const usableConfig = ({ name, config }: AgentServer): ServerConfig => {
  const target = config?.mcp_server_type === 'stdio' ? config.command : config?.server_url;
  if (target === undefined || target === null || target === '') {
    throw new PlugboardError('INVALID_ARGUMENT', `The server "${name}" has neither a URL nor a command.`, {
      hint: 'Set config.server_url or config.command, or disable the server with "enabled": false.',
    });
  }
  const args = config?.mcp_server_type === 'stdio' ? { args: config.args ?? [] } : {};
  const parsed = serverConfig.safeParse({ ...config, ...args });
  if (parsed.success) return parsed.data;
  throw new PlugboardError('INVALID_ARGUMENT', `The config of the server "${name}" is not valid.`, {
    details: { issues: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) },
  });
};

const connect = (server: AgentServer, options: CreateToolsOptions): Connected => {
  const { config, secrets } = resolveConfig(usableConfig(server), options.variables ?? (() => undefined));
  const client = new McpClient({ name: server.name, config, secrets, ...options.client?.(server) });
  const sampling = options.sampling?.(server);
  if (sampling !== undefined) client.onRequest('sampling/createMessage', sampling);
  return { server, client };
};

const disposeAll = async (clients: readonly McpClient[]): Promise<void> => {
  await Promise.allSettled(clients.map((client) => client.dispose()));
};

interface Found extends Connected {
  readonly listed: ToolDefinition;
  readonly origin: ToolOrigin | undefined;
}

const bindAll = (found: readonly Found[], options: CreateToolsOptions): Pick<AgentTools, 'tools' | 'rejected'> => {
  const { provider = 'openai', maxResultCharacters = MAX_RESULT_CHARACTERS, onWarning = () => undefined } = options;
  const names = nameTools(
    found.map(({ server, listed }, at) => ({ key: String(at), server: server.name, tool: listed.name })),
  );
  const shown = found.map(({ server, listed }, at) => ({
    ...wellFormedValue(hideBound(listed, server.bindings[listed.name] ?? {})),
    name: names.get(String(at)) ?? listed.name,
  }));
  const { tools: adapted, findings } = fitList(shown, provider);
  for (const { message } of findings) onWarning(message);
  const tools: AgentTool[] = [];
  const rejected: RejectedTool[] = [];
  for (const [at, adaptation] of adapted.entries()) {
    const place = found[at];
    if (place === undefined) continue;
    const { server, client, listed, origin } = place;
    if (adaptation.verdict === 'rejected') {
      rejected.push({ server: server.name, tool: listed.name, reasons: adaptation.reasons });
      onWarning(`${provider} does not accept the tool ${listed.name} of ${server.name}: it is left out.`);
    } else {
      tools.push(
        new BoundTool({ server, client, listed, origin, adaptation, provider, maxResultCharacters, onWarning }),
      );
    }
  }
  return { tools, rejected };
};

const discoverAll = async (connected: readonly Connected[], options: CreateToolsOptions): Promise<readonly Found[]> => {
  const lists = await eachAtMost(PARALLEL_SERVERS, connected, ({ server, client }): Promise<Discovered> =>
    discoverTools(server, client, options.signal),
  );
  return connected.flatMap((one, at) => {
    const { definitions = [], missing = [], origins } = lists[at] ?? {};
    for (const name of missing) options.onWarning?.(`The server ${one.server.name} has no tool ${name}.`);
    return definitions.map((listed) => ({ ...one, listed, origin: origins?.get(listed.name) }));
  });
};

/**
 * Makes the tools of an agent: one client for each enabled server, each tool with a name and a schema that the provider
 * accepts. Use it with `await using`, or call `dispose` in the end. When it fails, it has released its clients.
 */
export const createMcpToolsFromAgent = async (
  agent: AgentDefinitionInput,
  options: CreateToolsOptions = {},
): Promise<AgentTools> => {
  const connected = parseAgent(agent)
    .servers.filter(({ enabled }) => enabled)
    .map((server) => connect(server, options));
  const clients = connected.map(({ client }) => client);
  const dispose = (): Promise<void> => disposeAll(clients);
  try {
    const bound = bindAll(await discoverAll(connected, options), options);
    return { provider: options.provider ?? 'openai', ...bound, clients, dispose, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
};
