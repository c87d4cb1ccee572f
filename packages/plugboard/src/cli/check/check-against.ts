import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { checkTarget, type CheckTarget, parseTargetFile } from '@plugboard/check';
import { PlugboardError } from '@plugboard/contract';
import type { CommandContext } from '../command/command-context.js';
import { isUrl } from '../server-flags/server-target.js';

type OtherWay = Partial<NonNullable<CheckTarget['differential']>>;

const WORD = /"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>[^']*)'|(?<plain>\S+)/gu;

/** The words of a command line: quotes keep together, and nothing is expanded. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(WORD)].map(({ groups = {} }) =>
    groups['double'] === undefined
      ? (groups['single'] ?? groups['plain'] ?? '')
      : groups['double'].replaceAll(/\\(.)/gu, '$1'),
  );

const fromFile = async ({ process }: CommandContext, name: string): Promise<OtherWay> => {
  const text = await readFile(resolve(process.cwd, name), 'utf8').catch(() => undefined);
  if (text === undefined) {
    throw new PlugboardError('INVALID_ARGUMENT', `The file ${name} cannot be read.`, {
      hint: 'Check the path and its permissions.',
    });
  }
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

/** The target, compared with whatever the word after --against means. */
export const withOtherWay = async (context: CommandContext, target: CheckTarget, word: string): Promise<CheckTarget> =>
  checkTarget.parse({ ...target, differential: { ...target.differential, ...(await otherWay(context, word)) } });
