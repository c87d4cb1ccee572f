import { parseArgs } from 'node:util';
import type { OptionValues, ServerProgram } from './server-program.js';
import type { ProgramProcess } from './program-process.js';
import { UsageError } from './usage-error.js';

const LOWEST_PORT = 1024;
const HIGHEST_PORT = 65_535;

export type ServeCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'stdio'; readonly values: OptionValues }
  | { readonly kind: 'http'; readonly values: OptionValues; readonly address: ListenAddress };

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Names beside loopback that Host may carry. */
  readonly allowHosts: readonly string[];
  /** Host names beside loopback whose pages may call. */
  readonly allowOrigins: readonly string[];
}

const SHARED = {
  transport: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  'allow-origin': { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

const parse = (program: ServerProgram, argv: readonly string[]) => {
  const own = Object.fromEntries(
    Object.entries(program.options ?? {}).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  );
  try {
    return parseArgs({ args: [...argv], options: { ...own, ...SHARED }, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The arguments cannot be read.');
  }
};

// Port 0 (any free port) is for tests and for parents that read the announced address.
const readPort = (text: string, source: string): number => {
  const port = /^\d{1,5}$/u.test(text) ? Number(text) : Number.NaN;
  if (port === 0 && source === '--port') return port;
  if (port >= LOWEST_PORT && port <= HIGHEST_PORT) return port;
  throw new UsageError(`${source} must be a whole number from ${LOWEST_PORT} to ${HIGHEST_PORT}, not "${text}".`);
};

/** Defaults, then MCP_HOST and MCP_PORT, then flags. */
export const readSettings = (
  program: ServerProgram,
  { argv, env }: Pick<ProgramProcess, 'argv' | 'env'>,
): ServeCommand => {
  const values = parse(program, argv);
  if (values.help === true) return { kind: 'help' };
  if (values.version === true) return { kind: 'version' };
  const transport = values.transport ?? 'stdio';
  if (transport === 'stdio') return { kind: 'stdio', values };
  if (transport !== 'http') throw new UsageError(`--transport must be stdio or http, not "${transport}".`);
  const fromEnv = env['MCP_PORT'] ?? '';
  const port =
    values.port === undefined
      ? fromEnv === ''
        ? program.defaultPort
        : readPort(fromEnv, 'MCP_PORT')
      : readPort(values.port, '--port');
  const host = values.host ?? (env['MCP_HOST'] || '127.0.0.1');
  if (!/^[\w.:[\]%-]+$/u.test(host)) throw new UsageError('--host must be a host name or an address.');
  const { 'allow-host': allowHosts = [], 'allow-origin': allowOrigins = [] } = values;
  return { kind: 'http', values, address: { host, port, allowHosts, allowOrigins } };
};
