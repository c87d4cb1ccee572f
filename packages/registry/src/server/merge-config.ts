import {
  hasSecretParameters,
  PlugboardError,
  unmaskArguments,
  unmaskUrl,
  type HttpConfig,
  type ServerConfig,
  type ServerConfigUpdate,
  type StdioConfig,
} from '@plugboard/contract';
import { leadsElsewhere, leadsThrough, withoutSecrets } from './change-of-origin.js';
import { cleanToken } from './clean-token.js';
import { standsForNothing, unmask, unmaskAll, unmaskOAuth } from './masked-secret.js';

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

const urlAfter = (current: string, given: string | null | undefined): string => {
  if (given === null || given === undefined) return current;
  const url = unmaskUrl(given, current);
  if (url === undefined) throw standsForNothing('server_url');
  return url;
};

const argumentsAfter = (current: readonly string[], given: readonly string[] | null | undefined): string[] => {
  const args = given === null || given === undefined ? [...current] : unmaskArguments(given, current);
  if (args === undefined) throw standsForNothing('args');
  return args;
};

const mergeVariables = (current: ServerConfig, { variables }: ServerConfigUpdate): Pick<ServerConfig, 'variables'> =>
  variables === undefined
    ? {}
    : { variables: variables === null ? null : unmaskAll(variables, current.variables ?? {}, 'variables') };

/** Members that hold no secret: a new value takes the place of the old one. */
const PLAIN_OF_PROGRAM = ['cwd', 'sharing', 'listen', 'limits', 'restart', 'sandbox', 'deadlines'] as const;
const PLAIN_OF_URL = ['auth_header', 'sharing', 'profile', 'ca', 'proxy', 'deadlines'] as const;

const given = <Update extends object, Name extends keyof Update>(
  update: Update,
  names: readonly Name[],
): Partial<Pick<Update, Name>> =>
  Object.fromEntries(names.filter((name) => update[name] !== undefined).map((name) => [name, update[name]])) as Partial<
    Pick<Update, Name>
  >;

const mergeStdio = (current: StdioConfig, update: StdioUpdate): StdioConfig => ({
  ...current,
  ...given(update, PLAIN_OF_PROGRAM),
  command: update.command ?? current.command,
  args: argumentsAfter(current.args, update.args),
  ...mergeVariables(current, update),
  ...(update.env === undefined
    ? {}
    : { env: update.env === null ? null : unmaskAll(update.env, current.env ?? {}, 'env') }),
});

const mergeHttp = <Config extends HttpConfig>(stored: Config, update: HttpUpdate): Config => {
  const { auth_token, custom_headers, oauth } = update;
  const turns = leadsThrough(stored.proxy, update.proxy);
  if (turns && typeof update.server_url !== 'string' && hasSecretParameters(stored.server_url)) {
    throw standsForNothing('server_url');
  }
  const moves = turns || leadsElsewhere(stored.server_url, update.server_url ?? stored.server_url);
  const current = moves ? withoutSecrets(stored) : stored;
  return {
    ...current,
    ...given(update, PLAIN_OF_URL),
    server_url: urlAfter(moves && typeof update.server_url === 'string' ? '' : stored.server_url, update.server_url),
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

/**
 * The config after a change: what is left out stays, null clears what may be empty, a mask keeps the stored secret. What
 * is secret stays only with the origin that it was for.
 */
export const mergeConfig = (current: ServerConfig, update: ServerConfigUpdate): ServerConfig => {
  if (current.mcp_server_type !== update.mcp_server_type) throw typeIsFixed(current, update);
  if (current.mcp_server_type === 'stdio' && update.mcp_server_type === 'stdio') return mergeStdio(current, update);
  if (current.mcp_server_type !== 'stdio' && update.mcp_server_type !== 'stdio') {
    return cleanToken(mergeHttp(current, update));
  }
  throw typeIsFixed(current, update);
};

/** Secrets that only some servers have; what is lost of the others has to be said in any case. */
const ALONE: ReadonlySet<string> = new Set(['variables', 'server_url', 'args']);

/** Does the change replace every secret, so that the stored ones need not be readable? */
export const replacesAllSecrets = (
  update: ServerConfigUpdate,
  current?: ServerConfig,
  lost: readonly string[] = [],
): boolean => {
  const members: Readonly<Record<string, unknown>> = { ...update };
  const given = (name: string): boolean => members[name] !== undefined && members[name] !== null;
  const roots = lost.map((path) => path.split('.')[0] ?? path);
  if (roots.some((root) => ALONE.has(root) && !given(root))) return false;
  if (update.mcp_server_type === 'stdio') return update.env !== undefined;
  const holdsOAuth = current !== undefined && 'oauth' in current && (current.oauth ?? null) !== null;
  return (
    update.auth_token !== undefined &&
    update.custom_headers !== undefined &&
    (update.oauth !== undefined || !holdsOAuth)
  );
};
