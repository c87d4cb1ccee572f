import {
  PlugboardError,
  type HttpConfig,
  type ServerConfig,
  type ServerConfigUpdate,
  type StdioConfig,
} from '@plugboard/contract';
import { cleanToken } from './clean-token.js';
import { unmask, unmaskAll, unmaskOAuth } from './masked-secret.js';

type StdioUpdate = Extract<ServerConfigUpdate, { mcp_server_type: 'stdio' }>;
type HttpUpdate = Exclude<ServerConfigUpdate, { mcp_server_type: 'stdio' }>;
type Secrets = Readonly<Record<string, string>>;

const withLowerCaseNames = (headers: Secrets): Secrets =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Header names are one whatever their case, so a mask finds its secret under the other spelling too. */
const unmaskHeaders = (values: Secrets, stored: Secrets): Record<string, string> => {
  const known = withLowerCaseNames(stored);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      unmask(value, known[name.toLowerCase()], `custom_headers.${name}`),
    ]),
  );
};

const mergeVariables = (current: ServerConfig, { variables }: ServerConfigUpdate): Pick<ServerConfig, 'variables'> =>
  variables === undefined
    ? {}
    : { variables: variables === null ? null : unmaskAll(variables, current.variables ?? {}, 'variables') };

const mergeStdio = (current: StdioConfig, update: StdioUpdate): StdioConfig => ({
  ...current,
  command: update.command ?? current.command,
  args: update.args ?? current.args,
  ...(update.cwd === undefined ? {} : { cwd: update.cwd }),
  ...(update.sharing === undefined ? {} : { sharing: update.sharing }),
  ...mergeVariables(current, update),
  ...(update.env === undefined
    ? {}
    : { env: update.env === null ? null : unmaskAll(update.env, current.env ?? {}, 'env') }),
});

const mergeHttp = <Config extends HttpConfig>(current: Config, update: HttpUpdate): Config => {
  const { auth_header, auth_token, custom_headers, oauth, sharing } = update;
  return {
    ...current,
    server_url: update.server_url ?? current.server_url,
    ...(auth_header === undefined ? {} : { auth_header }),
    ...(sharing === undefined ? {} : { sharing }),
    ...mergeVariables(current, update),
    ...(oauth === undefined ? {} : { oauth: oauth === null ? null : unmaskOAuth(oauth, current.oauth) }),
    ...(auth_token === undefined
      ? {}
      : { auth_token: auth_token === null ? null : unmask(auth_token, current.auth_token, 'auth_token') }),
    ...(custom_headers === undefined
      ? {}
      : {
          custom_headers: custom_headers === null ? null : unmaskHeaders(custom_headers, current.custom_headers ?? {}),
        }),
  };
};

const typeIsFixed = (current: ServerConfig, update: ServerConfigUpdate): PlugboardError =>
  new PlugboardError(
    'INVALID_ARGUMENT',
    `The type of a server cannot change from ${current.mcp_server_type} to ${update.mcp_server_type}.`,
    { hint: 'Register a new server with the other type and delete this one.' },
  );

/** The config after a change: what is left out stays, null clears what may be empty, a mask keeps the stored secret. */
export const mergeConfig = (current: ServerConfig, update: ServerConfigUpdate): ServerConfig => {
  if (current.mcp_server_type !== update.mcp_server_type) throw typeIsFixed(current, update);
  if (current.mcp_server_type === 'stdio' && update.mcp_server_type === 'stdio') return mergeStdio(current, update);
  if (current.mcp_server_type !== 'stdio' && update.mcp_server_type !== 'stdio') {
    return cleanToken(mergeHttp(current, update));
  }
  throw typeIsFixed(current, update);
};

/** Does the change say anew everything that is secret, so that what is stored need not be readable? */
export const replacesAllSecrets = (
  update: ServerConfigUpdate,
  current?: ServerConfig,
  lost: readonly string[] = [],
): boolean => {
  if (lost.some((path) => path.startsWith('variables.')) && update.variables === undefined) return false;
  if (update.mcp_server_type === 'stdio') return update.env !== undefined;
  const holdsOAuth = current !== undefined && 'oauth' in current && (current.oauth ?? null) !== null;
  return (
    update.auth_token !== undefined &&
    update.custom_headers !== undefined &&
    (update.oauth !== undefined || !holdsOAuth)
  );
};
