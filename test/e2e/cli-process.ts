import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const MAIN = fileURLToPath(new URL('../../packages/plugboard/dist/main.js', import.meta.url));

const DEADLINE_MS = 60_000;

/** The program file of a server from npm. */
export const serverFile = (name: string): string =>
  createRequire(import.meta.url).resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);

/** A directory that is gone after the test. */
export const temporaryDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'plugboard-e2e-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
};

/** What opens the hub that runs on a home to its owner. */
export const ownerKey = async (home: string): Promise<string> => {
  const { key } = JSON.parse(await readFile(join(home, 'hub.json'), 'utf8')) as { key: string };
  return key;
};

export interface RunOptions {
  readonly home: string;
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The program; the build of this checkout when it is left out. */
  readonly main?: string | undefined;
}

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const environment = ({ home, env }: RunOptions): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  PLUGBOARD_HOME: home,
  ...env,
});

/** Starts the program; it does not outlive the test. */
export const start = (argv: readonly string[], options: RunOptions): ChildProcess => {
  const child = spawn(process.execPath, [options.main ?? MAIN, ...argv], {
    cwd: options.cwd ?? options.home,
    env: environment(options),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

/** Everything a stream says until it ends. */
export const textOf = async (stream: AsyncIterable<Uint8Array | string> | null): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
};

/** Resolves when the program has written something that fits; rejects when it ends before. */
export const until = async (child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> => {
  let text = '';
  const end = new AbortController();
  child.once('close', (code) => end.abort(new Error(`The program ended with code ${String(code)}: ${text}`)));
  const signal = AbortSignal.any([end.signal, AbortSignal.timeout(DEADLINE_MS)]);
  for (;;) {
    const [chunk] = (await once(child.stdout ?? child, 'data', { signal })) as [Buffer];
    text += chunk.toString('utf8');
    const match = pattern.exec(text);
    if (match !== null) return match;
  }
};

export const ended = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode !== null) return child.exitCode;
  const [code] = (await once(child, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) })) as [number | null];
  return code;
};

/** Runs the program to its end. */
export const run = async (argv: readonly string[], options: RunOptions): Promise<RunResult> => {
  const child = start(argv, options);
  child.stdin?.end(options.input ?? '');
  const [stdout, stderr, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), ended(child)]);
  return { code, stdout, stderr };
};
