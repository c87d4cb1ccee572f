import { fstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { openUrl } from './open-url.js';
import type { OutputStream, ProcessContext } from './process-context.js';

const outputStream = (stream: NodeJS.WriteStream): OutputStream => ({
  write: (text) => void stream.write(text),
  get isTTY() {
    return stream.isTTY;
  },
  get columns() {
    return stream.isTTY ? stream.columns : undefined;
  },
});

const isRedirected = (): boolean => {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    return false;
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
};

/** A reader that went away (`| head`) ends the command without a word, as it ends every other Unix program. */
const leaveOnBrokenPipe = (stream: NodeJS.WriteStream): void => {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    throw error;
  });
};

/** The first Ctrl-C asks, the second one insists. */
const interruption = (): AbortSignal => {
  const controller = new AbortController();
  const interrupt = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new DOMException(signal, 'AbortError'));
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return controller.signal;
};

/** The process that Node runs us in. */
export const nodeProcess = (): ProcessContext => {
  leaveOnBrokenPipe(process.stdout);
  leaveOnBrokenPipe(process.stderr);
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    userHome: homedir(),
    platform: process.platform,
    nodeVersion: process.versions.node,
    execPath: process.execPath,
    pid: process.pid,
    isAlive,
    stdin: {
      get isTTY() {
        return process.stdin.isTTY;
      },
      get isRedirected() {
        return isRedirected();
      },
      get stream() {
        return process.stdin;
      },
    },
    stdout: outputStream(process.stdout),
    stderr: outputStream(process.stderr),
    rawStdout: process.stdout,
    rawStderr: process.stderr,
    openUrl: (url) => openUrl(url, { platform: process.platform, env: process.env }),
    onHangup: (listener) => {
      process.on('SIGHUP', listener);
      return () => process.off('SIGHUP', listener);
    },
    signal: interruption(),
  };
};

/** How long the parent may take to read the remaining output. */
const LAST_WORDS_MS = 1000;

/** Ends the process once everything written has left it; after an interruption that is not waited for long. */
export const leave = (code: number, interrupted: AbortSignal): void => {
  process.exitCode = code;
  const hurry = (): void => void setTimeout(() => process.exit(code), LAST_WORDS_MS);
  if (interrupted.aborted) hurry();
  else interrupted.addEventListener('abort', hurry);
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
};
