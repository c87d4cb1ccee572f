import {
  type HttpConfig,
  PlugboardError,
  serverConfig,
  type ServerConfig,
  type StdioConfig,
} from '@plugboard/contract';
import { resolveTemplate, type VariableLookup } from './resolve-template.js';

type Fill = (text: string) => string;

const fillValues = (record: Readonly<Record<string, string>> | null | undefined, fill: Fill) =>
  record === null || record === undefined
    ? record
    : Object.fromEntries(Object.entries(record).map(([key, value]) => [key, fill(value)]));

const fillOptional = (text: string | null | undefined, fill: Fill) =>
  text === null || text === undefined ? text : fill(text);

const fillStdio = (config: StdioConfig, fill: Fill): StdioConfig => ({
  ...config,
  command: fill(config.command),
  args: config.args.map(fill),
  env: fillValues(config.env, fill),
  cwd: fillOptional(config.cwd, fill),
});

const fillHttp = <Config extends HttpConfig>(config: Config, fill: Fill): Config => ({
  ...config,
  server_url: fill(config.server_url),
  auth_token: fillOptional(config.auth_token, fill),
  custom_headers: fillValues(config.custom_headers, fill),
  ...(config.oauth === null || config.oauth === undefined
    ? {}
    : {
        oauth: {
          ...config.oauth,
          client_id: fillOptional(config.oauth.client_id, fill),
          client_secret: fillOptional(config.oauth.client_secret, fill),
          private_key: fillOptional(config.oauth.private_key, fill),
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

/** A config with every reference replaced. Throws UNRESOLVED_VARIABLES that names all that are missing. */
export const resolveConfig = (config: ServerConfig, lookup: VariableLookup): ServerConfig => {
  const missing = new Set<string>();
  const fill: Fill = (text) => {
    const resolved = resolveTemplate(text, lookup);
    for (const name of resolved.missing) missing.add(name);
    return resolved.text;
  };
  const filled = config.mcp_server_type === 'stdio' ? fillStdio(config, fill) : fillHttp(config, fill);
  if (missing.size === 0) return assertUsable(filled);
  const names = [...missing].sort();
  throw new PlugboardError('UNRESOLVED_VARIABLES', `No value is known for ${names.join(', ')}.`, {
    hint: 'Set the variable in the environment of the hub, or give a default: {{ NAME | default }}.',
    details: { variables: names },
  });
};
