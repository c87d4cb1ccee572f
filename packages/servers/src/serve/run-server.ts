import { isLoopbackHost, untilAborted } from '@plugboard/base';
import { helpText, usageLine } from './command-line/help-text.js';
import { DEFAULT_MAX_MESSAGE_BYTES } from './command-line/max-message-bytes.js';
import type { ProgramProcess } from './command-line/program-process.js';
import { readSettings, type ServeCommand } from './command-line/read-settings.js';
import type { ServerParts, ServerProgram } from './command-line/server-program.js';
import { serveStdioConnection } from './stdio/stdio-connection.js';
import { UsageError } from './command-line/usage-error.js';

const EXIT_OK = 0;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

type Serving = Extract<ServeCommand, { kind: 'stdio' | 'http' }>;

const failure = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'the port is in use: choose another with --port';
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'the address cannot be listened on';
  return error instanceof Error ? error.message : 'it could not be started';
};

/** Runs one server until its client leaves or the signal comes; resolves to the exit code. */
export const runServer = async (program: ServerProgram, process: ProgramProcess): Promise<number> => {
  const log = (line: string): void => void process.stderr.write(`${program.name}: ${line}\n`);
  try {
    const command = readSettings(program, process);
    switch (command.kind) {
      case 'help':
        process.stdout.write(helpText(program));
        return EXIT_OK;
      case 'version':
        process.stdout.write(`${program.version}\n`);
        return EXIT_OK;
      case 'stdio':
      case 'http':
        await serve(command, { program, process, log });
        return EXIT_OK;
    }
  } catch (error) {
    log(failure(error));
    if (!(error instanceof UsageError)) return EXIT_FAILED;
    process.stderr.write(`${usageLine(program)}\nTry ${program.name} --help.\n`);
    return EXIT_USAGE;
  }
};

interface Running {
  readonly program: ServerProgram;
  readonly process: ProgramProcess;
  readonly log: (line: string) => void;
}

const serve = async (command: Serving, { program, process, log }: Running): Promise<void> => {
  const { env, cwd } = process;
  const parts = await program.open({ values: command.values, env, cwd, log });
  try {
    if (command.kind === 'http') {
      await serveHttp(command, { program, process, log, parts });
    } else {
      const { stdin, stdout, signal } = process;
      const maxMessageBytes = program.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
      await serveStdioConnection({ stdin, stdout, signal, maxMessageBytes, parts, log });
    }
  } finally {
    await parts.close?.();
  }
};

const serveHttp = async (
  { address }: Extract<Serving, { kind: 'http' }>,
  { parts, ...running }: Running & { readonly parts: ServerParts },
): Promise<void> => {
  const { program, process, log } = running;
  // Not loaded by the many that only ever speak over stdio.
  const { openHttpServer } = await import('./http/http-server.js');
  const server = await openHttpServer(address, { program, parts, log });
  try {
    log(`listening on ${server.url}`);
    if (!isLoopbackHost(address.host)) {
      log('anyone who can reach this address can use the server: it has no access control');
    }
    await untilAborted(process.signal);
  } finally {
    await server.close();
  }
};
