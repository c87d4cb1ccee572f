import type { CheckTargetInput } from '@plugboard/check';
import { isMasked, sandboxOf, type ServerConfig } from '@plugboard/contract';
import { refuse } from '../command/invalid-argument.js';

/** What the command line gives in place of configured values: of secrets, the hub reveals none. */
export interface GivenValues {
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly token: string | undefined;
}

export const NOTHING_GIVEN: GivenValues = { env: {}, headers: {}, token: undefined };

export interface ConfigTargetOptions {
  readonly given: GivenValues;
  /** Where a running hub serves this server, with all its secrets. */
  readonly throughHub: string | undefined;
}

type Values = Readonly<Record<string, string>>;

const sameHeader = (name: string, headers: Values): boolean =>
  Object.keys(headers).some((other) => other.toLowerCase() === name.toLowerCase());

/** A registered server, examined directly: the hub is not in between. */
export const configTarget = (
  name: string,
  config: ServerConfig,
  { given, throughHub }: ConfigTargetOptions,
): CheckTargetInput => {
  const clear = (what: string, value: string, flag: string): string => {
    if (!isMasked(value)) return value;
    const through = throughHub === undefined ? '' : `, or name the server by its address at the hub: ${throughHub}`;
    return refuse(`${what} of the server is a secret that the hub does not reveal.`, `Give it with ${flag}${through}`);
  };
  if (config.mcp_server_type === 'stdio') {
    if (sandboxOf(config.sandbox) !== undefined) {
      return refuse(
        `${name} runs in a sandbox, and this command would start it without one.`,
        'Give the command itself.',
      );
    }
    const env = Object.entries({ ...config.env, ...given.env }).map(([variable, value]) => [
      variable,
      clear(`The environment variable ${variable}`, value, `--env ${variable}=…`),
    ]);
    return {
      name,
      command: [config.command, ...config.args],
      env: Object.fromEntries(env) as Values,
      ...(typeof config.cwd === 'string' ? { cwd: config.cwd } : {}),
    };
  }
  const header = config.auth_header ?? 'Authorization';
  const configured = { ...config.custom_headers };
  if (typeof config.auth_token === 'string') {
    const token = given.token === undefined ? clear('The token', config.auth_token, '--token …') : given.token;
    configured[header] = header === 'Authorization' && !/\s/u.test(token) ? `Bearer ${token}` : token;
  } else if (given.token !== undefined) {
    configured['Authorization'] = `Bearer ${given.token}`;
  }
  const headers = Object.entries(configured)
    .filter(([each]) => !sameHeader(each, given.headers))
    .map(([each, value]) => [each, clear(`The header ${each}`, value, `--header "${each}: …"`)]);
  return {
    name,
    url: config.server_url,
    headers: { ...(Object.fromEntries(headers) as Values), ...given.headers },
    ...(config.mcp_server_type === 'sse' ? { transport: 'sse' as const } : {}),
  };
};
