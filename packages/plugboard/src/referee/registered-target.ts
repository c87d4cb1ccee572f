import { resolveConfig } from '@plugboard/client';
import {
  type CheckDifferential,
  type CheckTarget,
  PlugboardError,
  type Principal,
  type ProgramSandbox,
  revealConfig,
  type Server,
  type ServerConfig,
  type ServerId,
} from '@plugboard/contract';
import type { Registry, ServerLogins } from '@plugboard/registry';
import { variableOf } from '../upstream/config/config-variable.js';
import type { Settings } from '../settings/settings.js';

export interface RegisteredTargetParts {
  readonly registry: Pick<Registry, 'findServerByName' | 'getServer'>;
  readonly logins: Pick<ServerLogins, 'credentialsFor'>;
  readonly settings: Pick<Settings, 'environment' | 'templateEnvironment'>;
}

export interface PreparedTarget {
  readonly target: CheckTarget;
  readonly server_id?: ServerId;
  /** What came from the hub and may stand in no report. */
  readonly secrets: readonly string[];
  /** The sandboxes that registered programs have. */
  readonly sandboxes?: { readonly main: ProgramSandbox; readonly other: ProgramSandbox };
  /** What programs inherit, when it is not what all do. */
  readonly baseEnv?: Readonly<Record<string, string>>;
}

type Address = Pick<CheckTarget, 'url' | 'command' | 'cwd' | 'transport' | 'headers' | 'env'>;

const SCHEME = /^(?:Bearer|Basic|Token|Digest|ApiKey) /iu;

const tokenHeader = ({ auth_token, auth_header }: Exclude<ServerConfig, { mcp_server_type: 'stdio' }>) => {
  if (typeof auth_token !== 'string' || auth_token === '') return {};
  const name = auth_header ?? 'Authorization';
  const bare = name.toLowerCase() === 'authorization' && !SCHEME.test(auth_token);
  return { [name]: bare ? `Bearer ${auth_token}` : auth_token };
};

const addressOf = (config: ServerConfig, credentials: Readonly<Record<string, string>>): Address => {
  if (config.mcp_server_type === 'stdio') {
    const cwd = typeof config.cwd === 'string' ? { cwd: config.cwd } : {};
    return { command: [config.command, ...config.args], env: config.env ?? {}, headers: {}, ...cwd };
  }
  return {
    url: config.server_url,
    headers: { ...config.custom_headers, ...tokenHeader(config), ...credentials },
    env: {},
    ...(config.mcp_server_type === 'sse' ? { transport: 'sse' as const } : {}),
  };
};

/** The registered server that this side of a run is, by name or id. */
const registeredName = ({ name, url, command }: CheckTarget | CheckDifferential): string | undefined =>
  url === undefined && command === undefined ? name : undefined;

const known = async ({ registry }: RegisteredTargetParts, name: string, { servers }: Principal): Promise<Server> => {
  const server = (await registry.findServerByName(name)) ?? (await registry.getServer(name));
  if (servers === undefined || servers.includes(server.id)) return server;
  throw new PlugboardError('SERVER_NOT_FOUND', 'No server with that name is registered.');
};

interface PrepareOptions {
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

interface Registered {
  readonly server: Server;
  readonly address: Address;
  readonly secrets: readonly string[];
  readonly sandbox: ProgramSandbox;
}

const registered = async (
  parts: RegisteredTargetParts,
  side: CheckTarget | CheckDifferential | undefined,
  { principal, signal }: PrepareOptions,
): Promise<Registered | undefined> => {
  const name = side === undefined ? undefined : registeredName(side);
  if (name === undefined) return undefined;
  const server = await known(parts, name, principal);
  const resolved = resolveConfig(server.config, variableOf(parts.settings, { config: server.config }));
  const config = revealConfig(resolved.config);
  const secrets = resolved.secrets.map((secret) => secret.reveal());
  const credentials = (await parts.logins.credentialsFor(server)?.headers(signal)) ?? {};
  const sandbox = config.mcp_server_type === 'stdio' ? config.sandbox : undefined;
  return { server, address: addressOf(config, credentials), secrets, sandbox };
};

const withAddress = <T extends Address & { readonly name?: string | undefined }>(
  side: T,
  found: Registered | undefined,
): T =>
  found === undefined
    ? side
    : {
        ...side,
        ...found.address,
        name: found.server.server_name,
        headers: { ...side.headers, ...found.address.headers },
        env: { ...side.env, ...found.address.env },
      };

/** The target with the address and the credentials of the servers that it names, when it names any. */
export const prepareTarget = async (
  parts: RegisteredTargetParts,
  given: CheckTarget,
  options: PrepareOptions,
): Promise<PreparedTarget> => {
  const { differential } = given;
  const main = await registered(parts, given, options);
  const other = await registered(parts, differential, options);
  return {
    target: {
      ...withAddress(given, main),
      ...(differential === undefined ? {} : { differential: withAddress(differential, other) }),
    },
    ...(main === undefined ? {} : { server_id: main.server.id }),
    secrets: [...(main?.secrets ?? []), ...(other?.secrets ?? [])],
    sandboxes: { main: main?.sandbox, other: other?.sandbox },
  };
};
