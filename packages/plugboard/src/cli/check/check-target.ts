import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isMasked, sandboxOf, type ServerConfig } from '@plugboard/contract';
import { checkTarget, type CheckTarget, type CheckTargetInput, parseTargetFile } from '@plugboard/check';
import { isFile } from '../input/is-file.js';
import { refuse } from '../command/invalid-argument.js';
import type { CommandContext } from '../command/command-context.js';
import { parseHeaders, parsePairs } from '../input/pair-flags.js';
import { readSecret } from '../input/secret-flag.js';
import { isUrl } from '../server-flags/server-target.js';
import { entryTarget, splitEntry } from './check-entry.js';

export interface CheckTargetFlags {
  readonly target: readonly string[];
  readonly sse: boolean;
  readonly env: readonly string[];
  readonly header: readonly string[];
  readonly cwd: string | undefined;
  readonly token: string | undefined;
}

const fromFile = async (context: CommandContext, named: string): Promise<CheckTarget> => {
  const { process } = context;
  const split = (await isFile(resolve(process.cwd, named))) ? { file: named, entry: undefined } : splitEntry(named);
  let text = '';
  try {
    text = await readFile(resolve(process.cwd, split.file), 'utf8');
  } catch {
    return refuse(`The file ${split.file} cannot be read.`, 'Check the path and its permissions.');
  }
  const entry = entryTarget(text, split, context);
  if (entry === undefined) return parseTargetFile(text, { name: named, env: process.env });
  return checkTarget.parse({ cwd: process.cwd, ...fromConfig(entry.name, entry.config) });
};

const clear = (what: string, value: string): string =>
  isMasked(value)
    ? refuse(
        `${what} of the server is a secret that the hub does not reveal.`,
        'Check the server by its URL or command, with --header, --token or --env.',
      )
    : value;

const clearAll = (what: string, values: Readonly<Record<string, string>> | null | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, clear(`${what} ${name}`, value)]));

/** A registered server, examined directly: the hub is not in between. */
const fromConfig = (name: string, config: ServerConfig): CheckTargetInput => {
  if (config.mcp_server_type === 'stdio') {
    if (sandboxOf(config.sandbox) !== undefined) {
      return refuse(
        `${name} runs in a sandbox, and this command would start it without one.`,
        'Give the command itself.',
      );
    }
    return {
      name,
      command: [config.command, ...config.args],
      env: clearAll('The environment variable', config.env),
      ...(typeof config.cwd === 'string' ? { cwd: config.cwd } : {}),
    };
  }
  const token = typeof config.auth_token === 'string' ? clear('The token', config.auth_token) : undefined;
  const header = config.auth_header ?? 'Authorization';
  return {
    name,
    url: config.server_url,
    headers: {
      ...clearAll('The header', config.custom_headers),
      ...(token === undefined
        ? {}
        : { [header]: header === 'Authorization' && !/\s/u.test(token) ? `Bearer ${token}` : token }),
    },
    ...(config.mcp_server_type === 'sse' ? { transport: 'sse' as const } : {}),
  };
};

const fromRegistered = async ({ hub }: CommandContext, name: string): Promise<CheckTargetInput> => {
  const server = await (await hub()).server(name);
  return fromConfig(server.server_name, server);
};

const fromFlags = async (
  context: CommandContext,
  flags: CheckTargetFlags,
  isCommand: boolean,
): Promise<CheckTargetInput> => {
  const [first = '', ...rest] = flags.target;
  if (!isCommand && isUrl(first) && rest.length > 0) {
    return refuse(`A URL takes no arguments, but "${rest.join(' ')}" follows it.`, 'Quote the URL.');
  }
  const token = await readSecret(flags.token, context.process);
  if (isCommand || rest.length > 0) {
    return {
      command: [...flags.target],
      env: parsePairs('--env', flags.env),
      cwd: resolve(context.process.cwd, flags.cwd ?? '.'),
    };
  }
  const headers = {
    ...parseHeaders(flags.header),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
  return { url: first, headers, ...(flags.sse ? { transport: 'sse' as const } : {}) };
};

/** A URL, a file, a registered server (then with its name alone), or after two dashes a command. */
export const readCheckTarget = async (context: CommandContext, flags: CheckTargetFlags): Promise<CheckTarget> => {
  const isCommand = context.process.argv.includes('--');
  const [first, ...rest] = flags.target;
  if (first === undefined) {
    return refuse('No target was given.', 'Give a URL, a registered server, a file, or a command after two dashes.');
  }
  if (isCommand || rest.length > 0 || isUrl(first)) {
    return checkTarget.parse(await fromFlags(context, flags, isCommand));
  }
  const isPath =
    /[/\\]|\.(?:ya?ml|jsonc?)(?:#.*)?$/u.test(first) || (await isFile(resolve(context.process.cwd, first)));
  if (isPath) return await fromFile(context, first);
  // Named as others know it, and refused here with the nearest name when nobody does.
  const { server_name: name } = await (await context.hub()).server(first);
  return checkTarget.parse({ name });
};

/** A registered server with the address that it has. */
export const registeredTarget = async (context: CommandContext, name: string): Promise<CheckTarget> =>
  checkTarget.parse(await fromRegistered(context, name));

/** The same for commands that look at the server themselves: a registered one with the address that it has. */
export const readDirectTarget = async (context: CommandContext, flags: CheckTargetFlags): Promise<CheckTarget> => {
  const target = await readCheckTarget(context, flags);
  const { name, url, command } = target;
  if (url !== undefined || command !== undefined || name === undefined) return target;
  return checkTarget.parse({ ...target, ...(await fromRegistered(context, name)) });
};
