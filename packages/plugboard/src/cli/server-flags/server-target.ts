import { isLoopbackHost } from '@plugboard/base';
import { type ServerConfig, type ServerType } from '@plugboard/contract';
import { refuse } from '../command/invalid-argument.js';
import { assertConnectionFlagsFit, type ConnectionFlags, sharedMembers } from './connection-flags.js';
import { givenOAuthFlags, type OAuthFlags } from './oauth-flags.js';
import { givenProgramFlags, type ProgramFlags, programMembers } from './program-flags.js';

export interface TargetFlags extends ProgramFlags, ConnectionFlags, OAuthFlags {
  /** A URL, or a command and its arguments. */
  readonly target: readonly string[];
  readonly sse: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly token?: string | undefined;
  readonly authHeader?: string | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/** `localhost:2796/mcp`, `api.example.com/mcp`, `127.0.0.1:3000`: an address without its scheme. */
const ADDRESS =
  /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\]|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d{1,5}(?:\/.*)?|\/.*)$/iu;
const SCHEME = /^(?<scheme>[a-z][a-z0-9+.-]*):\/\//iu;

const isOwnMachine = (address: string): boolean =>
  URL.canParse(`http://${address}`) && isLoopbackHost(new URL(`http://${address}`).hostname);

export const isUrl = (word: string): boolean => /^https?:\/\//iu.test(word);

/** Refuses flags that mean nothing for this kind of server, instead of ignoring them. */
export const assertFlagsFit = (type: ServerType, flags: Omit<TargetFlags, 'target'>): void => {
  assertConnectionFlagsFit(type, flags);
  if (type === 'stdio') {
    const wrong = [
      ...(flags.sse ? ['--sse'] : []),
      ...(Object.keys(flags.headers).length > 0 ? ['--header'] : []),
      ...(flags.token === undefined ? [] : ['--token']),
      ...(flags.authHeader === undefined ? [] : ['--auth-header']),
      ...givenOAuthFlags(flags),
    ];
    if (wrong.length > 0) {
      refuse(`${wrong.join(' and ')} can be used only with a URL.`, 'Pass secrets to a program with --env NAME=VALUE.');
    }
    return;
  }
  const wrong = [
    ...(Object.keys(flags.env).length > 0 ? ['--env'] : []),
    ...(flags.cwd === undefined ? [] : ['--cwd']),
    ...givenProgramFlags(flags),
  ];
  if (wrong.length > 0) {
    refuse(
      `${wrong.join(' and ')} can be used only with a program.`,
      'Pass secrets to a URL with --header or --token.',
    );
  }
};

const ownVariables = ({ variables = {} }: TargetFlags): Pick<ServerConfig, 'variables'> =>
  Object.keys(variables).length === 0 ? {} : { variables: { ...variables } };

const programConfig = (flags: TargetFlags): ServerConfig => {
  const [command = '', ...args] = flags.target;
  assertFlagsFit('stdio', flags);
  return {
    mcp_server_type: 'stdio',
    command,
    args,
    ...(Object.keys(flags.env).length === 0 ? {} : { env: { ...flags.env } }),
    ...(flags.cwd === undefined ? {} : { cwd: flags.cwd }),
    ...programMembers(flags),
    ...sharedMembers(flags),
    ...ownVariables(flags),
  };
};

const urlConfig = (url: string, flags: TargetFlags): ServerConfig => {
  const type = flags.sse ? 'sse' : 'streamable_http';
  assertFlagsFit(type, flags);
  return {
    mcp_server_type: type,
    server_url: url,
    ...(flags.token === undefined ? {} : { auth_token: flags.token }),
    ...(flags.authHeader === undefined ? {} : { auth_header: flags.authHeader }),
    ...(Object.keys(flags.headers).length === 0 ? {} : { custom_headers: { ...flags.headers } }),
    ...sharedMembers(flags),
    ...ownVariables(flags),
  };
};

/** Refuses what is a URL with a mistake in it: as a program it would only fail to start. */
const assertIsProgram = (word: string, rest: readonly string[]): void => {
  const scheme = SCHEME.exec(word)?.groups?.['scheme'];
  if (scheme !== undefined) {
    const likely = word.replace(SCHEME, scheme.toLowerCase().endsWith('s') ? 'https://' : 'http://');
    refuse(`"${scheme}://" is not a scheme of MCP servers.`, `Use http:// or https://. Did you mean ${likely}?`);
  }
  if (rest.length > 0 || !ADDRESS.test(word)) return;
  const likely = `${isOwnMachine(word) ? 'http' : 'https'}://${word}`;
  refuse(
    `"${word}" looks like an address, but has no scheme.`,
    `Did you mean ${likely}? To run a program with that name, give its path, such as ./${word}`,
  );
};

/** What was typed after the name: a URL alone, or a program with its arguments. */
export const targetConfig = (flags: TargetFlags): ServerConfig => {
  const [first, ...rest] = flags.target;
  if (first === undefined) {
    return refuse(
      'Neither a URL nor a command was given.',
      'Give a URL, or a command after two dashes: plugboard add files -- npx -y some-server',
    );
  }
  if (!isUrl(first)) {
    assertIsProgram(first, rest);
    return programConfig(flags);
  }
  if (rest.length > 0) {
    return refuse(
      `A URL takes no arguments, but "${rest.join(' ')}" follows it.`,
      'Quote the URL if it contains spaces or "&".',
    );
  }
  return urlConfig(first, flags);
};
