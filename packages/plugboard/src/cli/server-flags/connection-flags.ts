import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  certificateText,
  connectionProfile,
  connectionSharing,
  PlugboardError,
  type ServerType,
  type StdioConfig,
  type StreamableHttpConfig,
} from '@plugboard/contract';
import { invalidArgument } from '../command/invalid-argument.js';

/** How a server is reached, as it was typed. */
export interface ConnectionFlags {
  readonly sharing?: string | undefined;
  /** `call=120`, or `call=default`. */
  readonly deadline?: readonly string[] | undefined;
  /** `tool=120`, or `tool=default`. */
  readonly toolDeadline?: readonly string[] | undefined;
  readonly profile?: string | undefined;
  /** A file. */
  readonly ca?: string | undefined;
  readonly proxy?: string | undefined;
}

type Deadlines = NonNullable<StdioConfig['deadlines']>;
type SharedMembers = Pick<StdioConfig, 'sharing' | 'deadlines'>;
type UrlMembers = Pick<StreamableHttpConfig, 'profile' | 'ca' | 'proxy'>;

/** One of a few words, or `default`, which takes back what was chosen. */
const oneOf = <Word extends string>(flag: string, text: string, words: readonly Word[]): Word | null => {
  if (text === 'default') return null;
  const word = words.find((known) => known === text);
  if (word === undefined) {
    throw invalidArgument(`${flag} cannot be "${text}".`, `It is one of ${words.join(', ')}, or default.`);
  }
  return word;
};

const MAX_SECONDS = 86_400;

const parsePair = (flag: string, text: string): readonly [name: string, seconds: number | null] => {
  const split = text.lastIndexOf('=');
  const name = text.slice(0, Math.max(0, split)).trim();
  const value = text.slice(split + 1).trim();
  if (name !== '' && value === 'default') return [name, null];
  const seconds = Number(value);
  if (name !== '' && value !== '' && seconds > 0 && seconds <= MAX_SECONDS) return [name, seconds];
  throw invalidArgument(`${flag} cannot be "${text}".`, `Write it as ${flag} name=120, in seconds, or name=default.`);
};

const KINDS = ['connect', 'list', 'call'] as const;

const present = <Value>(values: Readonly<Record<string, Value | null | undefined>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value]])),
  );

/** The deadlines after the change; null when none is left. */
const deadlinesAfter = (
  { deadline = [], toolDeadline = [] }: ConnectionFlags,
  current: Deadlines | null | undefined,
): Deadlines | null => {
  const own = deadline.map((text) => {
    const [name, seconds] = parsePair('--deadline', text);
    if (KINDS.some((kind) => kind === name)) return [name, seconds] as const;
    throw invalidArgument(
      `--deadline cannot be "${text}".`,
      `It is one of ${KINDS.map((kind) => `${kind}=120`).join(', ')}.`,
    );
  });
  const tools = present({
    ...current?.tools,
    ...Object.fromEntries(toolDeadline.map((text) => parsePair('--tool-deadline', text))),
  });
  const { tools: _tools, ...before } = current ?? {};
  const after = {
    ...present({ ...before, ...Object.fromEntries(own) }),
    ...(Object.keys(tools).length === 0 ? {} : { tools }),
  };
  return Object.keys(after).length === 0 ? null : after;
};

/** Members for both kinds of server; those that were not given are left out. */
export const sharedMembers = (flags: ConnectionFlags, current?: Deadlines | null): SharedMembers => ({
  ...(flags.sharing === undefined ? {} : { sharing: oneOf('--sharing', flags.sharing, connectionSharing.options) }),
  ...((flags.deadline ?? []).length + (flags.toolDeadline ?? []).length === 0
    ? {}
    : { deadlines: deadlinesAfter(flags, current) }),
});

const readAuthorities = async (file: string, cwd: string): Promise<string> => {
  const path = resolve(cwd, file);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new PlugboardError('INVALID_ARGUMENT', `The file ${path} cannot be read.`, {
      hint: 'Give --ca a file with certificates in PEM form.',
      cause,
    });
  }
  if (certificateText.safeParse(text).success) return text;
  throw invalidArgument(
    `The file ${path} holds no certificate in PEM form.`,
    'It begins with -----BEGIN CERTIFICATE-----.',
  );
};

/** Members for servers behind a URL; those that were not given are left out. */
export const urlMembers = async ({ profile, ca, proxy }: ConnectionFlags, cwd: string): Promise<UrlMembers> => ({
  ...(profile === undefined ? {} : { profile: oneOf('--profile', profile, connectionProfile.options) }),
  ...(ca === undefined ? {} : { ca: ca === 'default' ? null : await readAuthorities(ca, cwd) }),
  ...(proxy === undefined ? {} : { proxy: proxy === 'default' ? null : proxy }),
});

/** Refuses flags that mean nothing for a program. */
export const assertConnectionFlagsFit = (type: ServerType, { profile, ca, proxy }: ConnectionFlags): void => {
  const given = [
    ...(profile === undefined ? [] : ['--profile']),
    ...(ca === undefined ? [] : ['--ca']),
    ...(proxy === undefined ? [] : ['--proxy']),
  ];
  if (type !== 'stdio' || given.length === 0) return;
  throw invalidArgument(
    `${given.join(' and ')} can be used only with a URL.`,
    'A program is started here and reached directly.',
  );
};
