import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openHub } from '../../../../packages/plugboard/src/hub-api/connect/open-hub.js';
import { runCli, type CliPorts } from '../../../../packages/plugboard/src/cli/run-cli.js';
import { fakeProcess } from '../../../../packages/plugboard/src/test-support/fake-process.js';

const STREAM_MS = 400;

/** Everything of an answer, or what a stream says in its first moments. */
const wholeAnswer = async (response: Response, stop: AbortController): Promise<string> => {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const timer = isStream ? setTimeout(() => stop.abort(), STREAM_MS) : undefined;
  const decoder = new TextDecoder();
  let text = `${response.status} ${JSON.stringify([...response.headers])}\n`;
  try {
    for await (const part of response.body ?? []) text += decoder.decode(part, { stream: true });
  } catch (thrown) {
    if (!stop.signal.aborted) throw thrown;
  } finally {
    clearTimeout(timer);
  }
  return text;
};

export interface Ask {
  readonly key: string;
  readonly body?: unknown;
  /** The body as it is, for what is no JSON. */
  readonly raw?: string;
}

/** One request, and every byte of what came back. */
export const ask = async (url: string, method: string, { key, body, raw }: Ask): Promise<string> => {
  const stop = new AbortController();
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(text === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(text === undefined ? {} : { body: text }),
    signal: stop.signal,
  });
  return wholeAnswer(response, stop);
};

/** The JSON of an answer that `ask` brought. */
export const jsonOf = (answer: string): never => JSON.parse(answer.slice(answer.indexOf('\n') + 1)) as never;

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Every path that the hub says one can GET, with names and ids filled in; unknown ones stay, and lead to errors. */
export const readablePaths = (document: OpenApi, ids: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(document.paths)
    .filter(([, methods]) => 'get' in methods)
    .map(([path]) => path.replaceAll(/\{(\w+)\}/gu, (_whole, name: string) => ids[name] ?? 'none'));

const ports: CliPorts = {
  openHub: (process, url, settings) =>
    openHub({ process, url, settings, compose: () => Promise.reject(new Error('a hub runs')) }),
};

/** What a command prints, on both streams. */
export const command = async (
  argv: readonly string[],
  { env, stdin }: { readonly env: Readonly<Record<string, string>>; readonly stdin?: string },
): Promise<{ readonly code: number; readonly text: string; readonly stdout: string }> => {
  const process = fakeProcess(argv, { env, ...(stdin === undefined ? {} : { stdin }) });
  const code = await runCli(process, ports);
  return { code, text: `${process.written.stdout}\n${process.written.stderr}`, stdout: process.written.stdout };
};

/** Empty for a file that went away meanwhile, as that of a process that ended. */
const bytesOf = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'latin1');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw thrown;
  }
};

/** The bytes of every file below a directory, but of those that are named. */
export const filesIn = async (
  directory: string,
  except: readonly string[],
): Promise<readonly (readonly [string, string])[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !except.includes(entry.name));
  return Promise.all(files.map(async ({ parentPath, name }) => [name, await bytesOf(join(parentPath, name))] as const));
};
