import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { checkTarget, type CheckTarget, parseTargetFile } from '@plugboard/check';
import type { CommandContext } from '../command/command-context.js';
import { wordsOf } from '../input/words-of.js';
import { registeredTarget } from './check-target.js';
import { isUrl } from '../server-flags/server-target.js';
import { readGivenFile } from '../input/read-given-file.js';

type OtherWay = Partial<NonNullable<CheckTarget['differential']>>;

const fromFile = async ({ process }: CommandContext, name: string): Promise<OtherWay> => {
  const text = await readGivenFile(resolve(process.cwd, name), name);
  const {
    url,
    command,
    cwd,
    transport,
    headers,
    auth,
    env,
    name: called,
    era,
  } = parseTargetFile(text, {
    name,
    env: process.env,
  });
  return { url, command, cwd, transport, headers, auth, env, name: called, era };
};

const otherWay = async (context: CommandContext, word: string): Promise<OtherWay> => {
  if (word === 'legacy' || word === 'modern') return { era: word };
  if (isUrl(word)) return { url: word };
  const path = resolve(context.process.cwd, word);
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (isFile || /\.(?:ya?ml|json)$/u.test(word)) return await fromFile(context, word);
  if (/\s/u.test(word)) return { command: [...wordsOf(word)], cwd: context.process.cwd };
  const { server_name: name } = await (await context.hub()).server(word);
  return { name };
};

/** A target of its own, for commands that look at both sides themselves. */
export const readOtherTarget = async (context: CommandContext, word: string): Promise<CheckTarget> => {
  const { name, url, command, ...rest } = await otherWay(context, word);
  if (url === undefined && command === undefined && name !== undefined) {
    return await registeredTarget(context, name);
  }
  return checkTarget.parse({ ...rest, name, url, command });
};

/** The target, compared with whatever the word after --against means. */
export const withOtherWay = async (context: CommandContext, target: CheckTarget, word: string): Promise<CheckTarget> =>
  checkTarget.parse({ ...target, differential: { ...target.differential, ...(await otherWay(context, word)) } });
