import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { checkTarget, type CheckTarget, type CheckTargetInput, parseTargetFile } from '@plugboard/check';
import { isFile } from '../input/is-file.js';
import { refuse } from '../command/invalid-argument.js';
import type { CommandContext } from '../command/command-context.js';
import { parseHeaders, parsePairs } from '../input/pair-flags.js';
import { readSecret } from '../input/secret-flag.js';
import type { AddressFlags } from '../server-flags/address-options.js';
import { isUrl } from '../server-flags/server-target.js';
import { entryTarget, splitEntry } from './check-entry.js';
import { configTarget, NOTHING_GIVEN, type GivenValues } from './config-target.js';

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
  const config = configTarget(entry.name, entry.config, { given: NOTHING_GIVEN, throughHub: undefined });
  return checkTarget.parse({ cwd: process.cwd, ...config });
};

const fromRegistered = async ({ hub }: CommandContext, name: string, given: GivenValues): Promise<CheckTargetInput> => {
  const client = await hub();
  const server = await client.server(name);
  const { place } = client.api;
  return configTarget(server.server_name, server, {
    given,
    throughHub:
      place.kind === 'running'
        ? new URL(`/servers/${encodeURIComponent(server.server_name)}/mcp`, place.url).href
        : undefined,
  });
};

const fromFlags = async (
  context: CommandContext,
  flags: AddressFlags,
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
export const readCheckTarget = async (context: CommandContext, flags: AddressFlags): Promise<CheckTarget> => {
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
  checkTarget.parse(await fromRegistered(context, name, NOTHING_GIVEN));

/** The same for commands that look at the server themselves: a registered one with the address that it has. */
export const readDirectTarget = async (context: CommandContext, flags: AddressFlags): Promise<CheckTarget> => {
  const target = await readCheckTarget(context, flags);
  const { name, url, command } = target;
  if (url !== undefined || command !== undefined || name === undefined) return target;
  const given: GivenValues = {
    env: parsePairs('--env', flags.env),
    headers: parseHeaders(flags.header),
    token: await readSecret(flags.token, context.process),
  };
  return checkTarget.parse({ ...target, ...(await fromRegistered(context, name, given)) });
};
