import {
  type ConnectConfig,
  keepConfig,
  type KeptConfig,
  PlugboardError,
  type ProgramSandbox,
  revealConfig,
  Secret,
  serverConfig,
  type HttpConfig,
  type ServerConfig,
  type StdioConfig,
} from '@plugboard/contract';
import { resolveTemplate, type VariableLookup } from './resolve-template.js';

type Fill = (text: string) => string;

export interface ResolvedConfig {
  readonly config: KeptConfig;
  /** Every value that took the place of a reference, wherever it stands now. */
  readonly secrets: readonly Secret[];
}

const fillValues = (record: Readonly<Record<string, string>> | null | undefined, fill: Fill) =>
  record === null || record === undefined
    ? record
    : Object.fromEntries(Object.entries(record).map(([key, value]) => [key, fill(value)]));

const fillOptional = (text: string | null | undefined, fill: Fill) =>
  text === null || text === undefined ? text : fill(text);

const fillSandbox = (sandbox: ProgramSandbox, fill: Fill): ProgramSandbox =>
  typeof sandbox === 'object' && sandbox !== null
    ? { ...sandbox, read_only: sandbox.read_only?.map(fill), writable: sandbox.writable?.map(fill) }
    : sandbox;

const fillStdio = (config: StdioConfig, fill: Fill): StdioConfig => ({
  ...config,
  command: fill(config.command),
  args: config.args.map(fill),
  env: fillValues(config.env, fill),
  cwd: fillOptional(config.cwd, fill),
  ...(config.listen === null || config.listen === undefined
    ? {}
    : {
        listen: {
          ...config.listen,
          path: fillOptional(config.listen.path, fill),
          health: fillOptional(config.listen.health, fill),
        },
      }),
  ...(config.sandbox === undefined ? {} : { sandbox: fillSandbox(config.sandbox, fill) }),
});

const fillHttp = <Config extends HttpConfig>(config: Config, fill: Fill): Config => ({
  ...config,
  server_url: fill(config.server_url),
  auth_token: fillOptional(config.auth_token, fill),
  custom_headers: fillValues(config.custom_headers, fill),
  ...(config.proxy === null || config.proxy === undefined ? {} : { proxy: fill(config.proxy) }),
  ...(config.oauth === null || config.oauth === undefined
    ? {}
    : {
        oauth: {
          ...config.oauth,
          client_id: fillOptional(config.oauth.client_id, fill),
          client_secret: fillOptional(config.oauth.client_secret, fill),
          private_key: fillOptional(config.oauth.private_key, fill),
          issuer: fillOptional(config.oauth.issuer, fill),
          scopes: config.oauth.scopes?.map(fill) ?? config.oauth.scopes,
        },
      }),
});

/** A value may bring what no config may hold: a line break into a header, another scheme into a URL. */
const assertUsable = (config: ServerConfig): ServerConfig => {
  const checked = serverConfig.safeParse(config);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new PlugboardError(
    'INVALID_ARGUMENT',
    `With its variables filled in, ${issue?.path.join('.')} ${issue?.message}.`,
    {
      hint: 'Correct the value of the variable.',
    },
  );
};

interface Filled {
  readonly config: ServerConfig;
  readonly missing: readonly string[];
  readonly used: ReadonlySet<string>;
}

const fillConfig = (config: ConnectConfig, lookup: VariableLookup): Filled => {
  const missing = new Set<string>();
  const used = new Set<string>();
  const noting: VariableLookup = (name) => {
    const value = lookup(name);
    if (value !== undefined) used.add(name);
    return value;
  };
  const fill: Fill = (text) => {
    const resolved = resolveTemplate(text, noting);
    for (const name of resolved.missing) missing.add(name);
    return resolved.text;
  };
  // A connection does not need the variables themselves.
  const { variables: _filledIn, ...rest } = revealConfig(config);
  const filled = rest.mcp_server_type === 'stdio' ? fillStdio(rest, fill) : fillHttp(rest, fill);
  return { config: filled, missing: [...missing].sort(), used };
};

const unresolved = (names: readonly string[]): string =>
  names.length === 1 ? `The variable ${names[0]} has no value.` : `The variables ${names.join(', ')} have no value.`;

/** The names in a config for which there is neither a value nor a default, in order. */
export const missingVariables = (config: ConnectConfig, lookup: VariableLookup): readonly string[] =>
  fillConfig(config, lookup).missing;

/** A config with every reference replaced. Throws UNRESOLVED_VARIABLES that names all that are missing. */
export const resolveConfig = (config: ConnectConfig, lookup: VariableLookup): ResolvedConfig => {
  const { config: filled, missing, used } = fillConfig(config, lookup);
  if (missing.length === 0) {
    const values = [...used].map((name) => lookup(name) ?? '');
    return {
      config: keepConfig(assertUsable(filled)),
      secrets: values.map((value) => (value instanceof Secret ? value : Secret.of(value))),
    };
  }
  throw new PlugboardError('UNRESOLVED_VARIABLES', unresolved(missing), {
    hint: {
      api: 'Set the variable for the agent, for the server or in the environment of the hub, or give a default: {{ NAME | default }}.',
      cli: 'If an agent has it, use the server with --agent <agent>. Otherwise set it: plugboard agent set-variable <agent> <name>, or plugboard set <server> --var <name>. To give it a default, write {{ NAME | default }} in the config.',
    },
    details: { variables: missing },
  });
};
