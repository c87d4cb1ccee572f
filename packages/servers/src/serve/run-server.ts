import { isLoopbackHost, untilAborted } from '@plugboard/base';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { DEFAULT_MAX_MESSAGE_BYTES } from './command-line/max-message-bytes.js';
import type { ProgramProcess } from './command-line/program-process.js';
import { readSettings, type ServeCommand } from './command-line/read-settings.js';
import type { ServerParts, ServerProgram, ProgramOption } from './command-line/server-program.js';
import { UsageError } from './command-line/usage-error.js';
import { LineTransport, type LineTransportOptions } from './stdio/line-transport.js';

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

const row = (flag: string, help: string): string => `  ${flag.padEnd(26)} ${help}`;

const ownRow = ([name, option]: readonly [string, ProgramOption]): string => {
  const flag = option.type === 'boolean' ? `--${name}` : `--${name} <${option.value ?? 'value'}>`;
  return row(flag, option.multiple === true ? `${option.help} May be repeated.` : option.help);
};

const usageLine = ({ name }: ServerProgram): string => `Usage: ${name} [--transport stdio|http] [options]`;

/** What `--help` prints. */
export const helpText = (program: ServerProgram): string =>
  [
    usageLine(program),
    '',
    program.summary,
    '',
    'Options:',
    row('--transport <stdio|http>', 'Transport for clients (default: stdio).'),
    row('--host <host>', 'Address to listen on over http (MCP_HOST; default: 127.0.0.1).'),
    row('--port <port>', `Port, 1024 to 65535 (MCP_PORT; default: ${program.defaultPort}); 0 for any free one.`),
    row('--allow-host <name>', 'Additional host name that is allowed in Host, besides localhost. May be repeated.'),
    row('--allow-origin <name>', 'Additional host name that is allowed in Origin, besides localhost. May be repeated.'),
    ...Object.entries(program.options ?? {}).map(ownRow),
    row('--help', 'Print this text.'),
    row('--version', 'Print the version.'),
    '',
    'Over http: GET /health responds once the server is ready; /mcp speaks MCP.',
    '',
  ].join('\n');

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

interface StdioConnectionOptions extends LineTransportOptions {
  readonly parts: ServerParts;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** Serves the one client at the other end of stdin and stdout; resolves when it left or the signal came. */
const serveStdioConnection = async (options: StdioConnectionOptions): Promise<void> => {
  const { parts, signal, log } = options;
  const transport = new LineTransport(options);
  const handle = serveStdio(parts.makeServer, {
    transport,
    onerror: (error) => log(`message refused: ${error.message}`),
  });
  const stop = (): void => void handle.close();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await transport.ended;
  } finally {
    signal.removeEventListener('abort', stop);
    await handle.close();
  }
};

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
