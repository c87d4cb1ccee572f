import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { posix } from 'node:path';
import type { FakeTool } from '../definition/tool.js';
import type { JsonObject } from '../json-rpc/message.js';
import { changeTool } from './change-options.js';
import { defineMutant, type Mutant } from './mutant.js';
import type { Mutation } from './mutation/mutation.js';

const refused = (text: string): JsonObject => ({ content: [{ type: 'text', text }], isError: true });

/** A tool that takes one text, and does with it what it should not. */
const careless = (name: string, parameter: string, act: (text: string) => string | Promise<string>): Mutation => {
  const handler: FakeTool['handler'] = async (args) => {
    const text = args[parameter];
    if (typeof text !== 'string' || Object.keys(args).length !== 1) return refused('The arguments do not fit.');
    return await Promise.resolve(act(text)).catch(() => refused('It did not work.'));
  };
  return { options: changeTool(name, { handler }) };
};

const fetched = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { timeout: 1_000 }, (response) => {
      response.resume();
      resolve(`HTTP ${response.statusCode}`);
    }).on('error', reject);
  });

/** Only arithmetic reaches the real shell: what a check sends, and nothing else. */
const inShell = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const harmless = /^; expr \d+ \\\* \d+$/u.test(text);
    if (!harmless) return resolve(text);
    execFile('/bin/sh', ['-c', `echo ${text}`], (_error, stdout) => resolve(stdout));
  });

const multiplied = (text: string): string =>
  text.replaceAll(/(\d+)\*(\d+)/gu, (_whole, a: string, b: string) => String(Number(a) * Number(b)));

export const reachMutants: readonly Mutant[] = [
  defineMutant({
    name: 'opens-any-file',
    kills: 'SEC-01',
    alsoKills: ['S2C-10'],
    defect: 'A tool opens every file whose path begins like those that it may open.',
    mutation: careless('open_file', 'path', async (path) =>
      path.includes('etc/passwd') ? 'root:x:0:0:root:/root:/bin/sh' : `No note at ${path.length} characters.`,
    ),
  }),
  defineMutant({
    name: 'ignores-the-roots',
    kills: 'S2C-10',
    defect: 'A tool opens files outside of the folders that the client has opened.',
    mutation: careless('open_file', 'path', async (path) =>
      path.includes('plugboard-canary-') && path.startsWith('/')
        ? await readFile(posix.normalize(path), 'utf8')
        : 'No note.',
    ),
  }),
  defineMutant({
    name: 'fetches-from-its-own-machine',
    kills: 'SEC-02',
    defect: 'A tool fetches any URL that it receives.',
    mutation: careless('fetch_page', 'url', fetched),
  }),
  defineMutant({
    name: 'text-in-a-shell',
    kills: 'SEC-03',
    defect: 'A text becomes part of a command.',
    mutation: careless('echo', 'text', inShell),
  }),
  defineMutant({
    name: 'text-in-a-query',
    kills: 'SEC-04',
    defect: 'A text becomes part of a query.',
    mutation: careless('echo', 'text', (text) => (text.includes('UNION SELECT') ? multiplied(text) : text)),
  }),
  defineMutant({
    name: 'error-of-the-database',
    kills: 'SEC-04',
    defect: 'An apostrophe makes the database complain.',
    mutation: careless('echo', 'text', (text) => (text === "'" ? 'SQLITE_ERROR: unrecognized token' : text)),
  }),
  defineMutant({
    name: 'text-is-a-template',
    kills: 'SEC-05',
    defect: 'Text between braces is evaluated.',
    mutation: careless('echo', 'text', (text) => (/^\{\{.*\}\}$/u.test(text) ? multiplied(text) : text)),
  }),
  defineMutant({
    name: 'lookup-in-a-text',
    kills: 'SEC-05',
    defect: 'A lookup in a text is carried out.',
    mutation: careless('echo', 'text', async (text) => {
      const port = /jndi:ldap:\/\/127\.0\.0\.1:(\d+)/u.exec(text)?.[1];
      if (port !== undefined) await fetched(`http://127.0.0.1:${port}/`).catch(() => '');
      return text;
    }),
  }),
];
