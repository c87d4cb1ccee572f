import { sandboxOf, type ServerView } from '@plugboard/contract';
import { printableLine } from '../../terminal/printable.js';
import type { Style } from '../../terminal/style.js';
import { exitWord, keepsFailing } from './program-words.js';
import { shellQuote } from '../../terminal/shell-quote.js';

const TYPES = { stdio: 'stdio', sse: 'sse', streamable_http: 'http' } as const;

export const isSandboxed = (server: ServerView): boolean =>
  server.mcp_server_type === 'stdio' && sandboxOf(server.sandbox) !== undefined;

export const typeWord = (server: ServerView): string =>
  isSandboxed(server) ? 'stdio, sandboxed' : TYPES[server.mcp_server_type];

/** The command or the URL. */
export const placeOf = (server: ServerView): string =>
  printableLine(server.mcp_server_type === 'stdio' ? shellQuote([server.command, ...server.args]) : server.server_url);

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const briefWord = (word: string): string => (/^\/.+\/[^/]+$/u.test(word) ? `…/${baseName(word)}` : word);

/** The same for a table: of a path only its end, which is what tells two servers apart. */
export const briefPlaceOf = (server: ServerView): string =>
  server.mcp_server_type === 'stdio'
    ? printableLine(shellQuote([baseName(server.command), ...server.args.map(briefWord)]))
    : placeOf(server);

/** `UPSTREAM_WRONG_URL` as `wrong url`. */
const codeWords = (code: string): string =>
  code
    .replace(/^UPSTREAM_/u, '')
    .replaceAll('_', ' ')
    .toLowerCase();

/** How the server was last found, in a word or two, and honest about what is not known. */
export const statusWords = (server: ServerView): string => {
  if (!server.enabled) return 'disabled';
  const { program } = server;
  if (program !== undefined && keepsFailing(program)) {
    const exit = program.last_exit === null ? '' : ` (${exitWord(program.last_exit)})`;
    return `failing: ${program.failures_last_hour} crashes in the last hour${exit}`;
  }
  if (server.status.state === 'ready') return 'ready';
  if (server.status.state === 'failing') return `failing: ${codeWords(server.status.error.code)}`;
  const { last_sync: sync } = server;
  if (sync === null) return 'never tried';
  return sync.error === undefined ? 'synced' : `failing: ${codeWords(sync.error.code)}`;
};

/** What has to be set before the server can be reached; undefined when nothing is missing. */
export const missingWords = ({ missing_variables: missing }: ServerView): string | undefined =>
  (missing ?? []).length === 0
    ? undefined
    : `Without a value: ${missing.join(', ')}. An agent brings them, or: plugboard set <server> --var NAME`;

export const paintStatus = (text: string, style: Style): string => {
  if (text.startsWith('failing')) return style.red(text);
  if (text === 'ready' || text === 'synced') return style.green(text);
  return style.dim(text);
};
