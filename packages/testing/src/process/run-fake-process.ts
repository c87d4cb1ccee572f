import { appendFileSync, fstatSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import type { FakeHost } from '../definition/host.js';
import { FakeServer } from '../server/fake-server.js';
import type { FakeServerOptions } from '../definition/server-options.js';
import type { ProcessBrief } from './process-options.js';

/** The part of a process that a fake needs; `process` is one. */
export interface ProcessLike {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  exit(code: number): void;
  kill(pid: number, signal: NodeJS.Signals): void;
  on(signal: NodeJS.Signals, listener: () => void): unknown;
}

const hostOf = (self: ProcessLike): FakeHost => ({
  env: self.env,
  pid: self.pid,
  stderr: (text) => void self.stderr.write(text),
  crash: () => self.kill(self.pid, 'SIGKILL'),
});

const definedBy = async ({ fixture }: ProcessBrief): Promise<FakeServerOptions> =>
  fixture === undefined ? {} : (await import('../fixture/fixture.js')).fixtureOptions(fixture);

const portOf = (brief: ProcessBrief, self: ProcessLike): number => {
  const flag = self.argv.indexOf('--port');
  const given = flag === -1 ? self.env[brief.portVariable ?? ''] : self.argv[flag + 1];
  return given === undefined ? (brief.port ?? 0) : Number(given);
};

/** The empty device, which `stdio: 'ignore'` gives, ends at once and says nothing of the parent. */
const inputIsPipe = (): boolean => {
  const input = fstatSync(0);
  return input.isFIFO() || input.isSocket();
};

const serveHttp = async (server: FakeServer, brief: ProcessBrief, self: ProcessLike): Promise<void> => {
  const options = { port: portOf(brief, self), ...(brief.path === undefined ? {} : { path: brief.path }) };
  const listener = await (brief.transport === 'sse' ? server.listenSse(options) : server.listenHttp(options));
  self.stderr.write(`listening on ${listener.url}\n`);
  if (brief.ignoreStdinEnd === true || !inputIsPipe()) return;
  // An HTTP server does not read stdin, but ends when the process at its other end does.
  self.stdin.resume();
  self.stdin.once('end', () => self.exit(0));
};

const serveStdio = async (server: FakeServer, brief: ProcessBrief, self: ProcessLike): Promise<void> => {
  await server.serveStdio({ input: self.stdin, output: self.stdout }, brief.style);
  if (brief.ignoreStdinEnd === true) setInterval(() => undefined, 60_000);
  else self.exit(0);
};

/** Runs the fake that the first argument describes. */
export const runFakeProcess = async (self: ProcessLike): Promise<void> => {
  const brief = JSON.parse(self.argv[2] ?? '{}') as ProcessBrief;
  self.on('SIGTERM', () => {
    if (brief.ignoreSigterm !== true) self.exit(0);
  });
  if (brief.stderr !== undefined) writeSync(2, brief.stderr);
  if (brief.exitAtStart !== undefined) return self.exit(brief.exitAtStart);
  if (brief.startDelayMs !== undefined) await sleep(brief.startDelayMs);
  const server = new FakeServer({ ...(await definedBy(brief)), ...brief, host: hostOf(self) });
  const { logFile } = brief;
  if (logFile !== undefined) {
    server.log.subscribe((entry) => appendFileSync(logFile, `${JSON.stringify({ ...entry, pid: self.pid })}\n`));
  }
  await (brief.transport === 'stdio' ? serveStdio(server, brief, self) : serveHttp(server, brief, self));
};
