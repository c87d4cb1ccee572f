import type { ServerConfig, ServerType, ServerView } from '@plugboard/contract';

/** A server as a person types it: lists as lines. */
export interface ServerDraft {
  readonly name: string;
  readonly type: ServerType;
  readonly command: string;
  readonly args: string;
  readonly env: string;
  readonly cwd: string;
  readonly url: string;
  readonly authHeader: string;
  readonly authToken: string;
  readonly headers: string;
}

export const EMPTY_DRAFT: ServerDraft = {
  name: '',
  type: 'streamable_http',
  command: '',
  args: '',
  env: '',
  cwd: '',
  url: '',
  authHeader: '',
  authToken: '',
  headers: '',
};

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

/** A text that a line cannot hold as it is, such as one with line breaks, is written as a JSON string. */
const asLine = (text: string): string => (/^$|^"|[\r\n]|^\s|\s$/u.test(text) ? JSON.stringify(text) : text);

const fromLine = (line: string): string => {
  if (!line.startsWith('"')) return line;
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === 'string' ? text : line;
  } catch {
    return line;
  }
};

const pairsOf = (
  text: string,
  separator: string,
  read: (value: string) => string = (value) => value,
): Record<string, string> =>
  Object.fromEntries(
    linesOf(text).map((line) => {
      const at = line.indexOf(separator);
      if (at === -1) return [line.trim(), ''];
      return [line.slice(0, at).trim(), read(line.slice(at + separator.length).trim())];
    }),
  );

const pairLines = (
  pairs: Readonly<Record<string, string>> | null | undefined,
  separator: string,
  write: (value: string) => string = (value) => value,
): string =>
  Object.entries(pairs ?? {})
    .map(([name, value]) => `${name}${separator}${write(value)}`)
    .join('\n');

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
const unlessEmpty = (pairs: Record<string, string>): Record<string, string> | null =>
  Object.keys(pairs).length === 0 ? null : pairs;

/** The members that the form knows; what it does not know stays as it is. */
export const configOf = (draft: ServerDraft): ServerConfig => {
  switch (draft.type) {
    case 'stdio':
      return {
        mcp_server_type: 'stdio',
        command: draft.command.trim(),
        args: linesOf(draft.args).map((line) => fromLine(line.trimEnd())),
        env: unlessEmpty(pairsOf(draft.env, '=', fromLine)),
        cwd: orNull(draft.cwd),
      };
    case 'sse':
    case 'streamable_http':
      return {
        mcp_server_type: draft.type,
        server_url: draft.url.trim(),
        auth_header: orNull(draft.authHeader),
        auth_token: orNull(draft.authToken),
        custom_headers: unlessEmpty(pairsOf(draft.headers, ':')),
      };
    default:
      return draft.type satisfies never;
  }
};

/** A registered server as a form shows it. Secrets are masked; a mask that is sent back keeps the secret. */
export const draftOf = (server: ServerView): ServerDraft => {
  const common = { ...EMPTY_DRAFT, name: server.server_name, type: server.mcp_server_type };
  if (server.mcp_server_type === 'stdio') {
    return {
      ...common,
      command: server.command,
      args: server.args.map(asLine).join('\n'),
      env: pairLines(server.env, '=', asLine),
      cwd: server.cwd ?? '',
    };
  }
  return {
    ...common,
    url: server.server_url,
    authHeader: server.auth_header ?? '',
    authToken: server.auth_token ?? '',
    headers: pairLines(server.custom_headers, ': '),
  };
};

/** As the hub has it: a name stands in addresses and in front of tool names. */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9 ._-]*[A-Za-z0-9_-])?$/u;
const MAX_NAME = 64;

export type DraftProblems = Readonly<Partial<Record<keyof ServerDraft, string>>>;

/** What the hub would refuse, said before it is asked. */
export const problemsOf = (draft: ServerDraft): DraftProblems => {
  const name = draft.name.trim();
  return {
    ...(name === '' ? { name: 'Give the server a name.' } : {}),
    ...(name !== '' && !NAME.test(name)
      ? { name: 'Begin with a letter or digit, and use letters, digits, spaces, dots, hyphens and underscores.' }
      : {}),
    ...(name.length > MAX_NAME ? { name: `Use at most ${MAX_NAME} characters.` } : {}),
    ...(draft.type === 'stdio' && draft.command.trim() === '' ? { command: 'Name the program to run.' } : {}),
    ...(draft.type !== 'stdio' && !/^https?:\/\/./iu.test(draft.url.trim())
      ? { url: 'Enter a URL that begins with http:// or https://.' }
      : {}),
  };
};
