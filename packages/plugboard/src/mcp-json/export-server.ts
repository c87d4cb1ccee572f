import { isMasked, type ServerView } from '@plugboard/contract';

type Values = Readonly<Record<string, string>>;

/** What only Plugboard reads, and holds no secret; other programs pass over it. */
const OWN = ['listen', 'limits', 'restart', 'sandbox', 'deadlines', 'sharing', 'profile', 'ca', 'proxy'] as const;
type Kept = Readonly<Partial<Record<(typeof OWN)[number], unknown>>>;

const kept = (server: ServerView): Kept => {
  const members: Kept = server;
  return Object.fromEntries(
    OWN.flatMap((name) => (members[name] === null || members[name] === undefined ? [] : [[name, members[name]]])),
  );
};

/** One server in the shared format. */
export type ExportedEntry =
  | ({
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Values;
      readonly cwd?: string;
    } & Kept)
  | ({ readonly type: 'http' | 'sse'; readonly url: string; readonly headers?: Values } & Kept);

export interface Exported {
  readonly entry: ExportedEntry;
  /** Names of the variables that stand for secrets in it. */
  readonly variables: readonly string[];
}

const variableName = (...words: readonly string[]): string =>
  words
    .join('_')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/gu, '_')
    .replace(/^(?=\d)/u, '_');

const placeholder = (name: string): string => `\${${name}}`;

/** A template names variables already; a secret gets one. */
const templateOr = (shown: string, name: string): string => (isMasked(shown) ? placeholder(name) : shown);

const exportHeaders = (server: Exclude<ServerView, { mcp_server_type: 'stdio' }>): Values => {
  const own = Object.entries(server.custom_headers ?? {}).map(([name, value]) => [
    name,
    templateOr(value, variableName(server.server_name, name)),
  ]);
  if (typeof server.auth_token !== 'string') return Object.fromEntries(own) as Values;
  const name = server.auth_header ?? 'Authorization';
  const token = templateOr(server.auth_token, variableName(server.server_name, 'token'));
  const value = name.toLowerCase() === 'authorization' ? `Bearer ${token}` : token;
  return Object.fromEntries([...own, [name, value]]) as Values;
};

const MASK = /••••[^&;#]*/u;

/** Where a secret is masked in a URL or an argument, a variable stands in the export. */
const withoutMasks = (text: string, name: string): string => {
  const parameter = /(?<name>[^?&;=]+)=••••/u.exec(text)?.groups?.['name'];
  if (!MASK.test(text)) return text;
  const own = parameter === undefined ? name : variableName(name, parameter);
  return withoutMasks(text.replace(MASK, placeholder(own)), name);
};

/** The texts in which a mask was replaced. */
const madeFor = (before: readonly string[], after: readonly string[]): Values =>
  Object.fromEntries(after.flatMap((text, index) => (text === before[index] ? [] : [[String(index), text] as const])));

/** The variables that the export made up, not those that templates named already. */
const madeUp = (values: Values, shown: Values | null | undefined): readonly string[] =>
  variablesIn(Object.fromEntries(Object.entries(values).filter(([name, value]) => shown?.[name] !== value)));

const variablesIn = (values: Values): readonly string[] =>
  Object.values(values).flatMap((value) => [...value.matchAll(/\$\{(\w+)\}/gu)].map((match) => match[1] ?? ''));

/** A server as other clients read it; where a secret stood there is a variable. */
export const exportServer = (server: ServerView): Exported => {
  if (server.mcp_server_type === 'stdio') {
    const env = Object.fromEntries(
      Object.entries(server.env ?? {}).map(([name, value]) => [name, templateOr(value, variableName(name))]),
    );
    const args = server.args.map((word, index) =>
      withoutMasks(word, variableName(server.server_name, 'argument', String(index + 1))),
    );
    const entry = {
      command: server.command,
      args,
      ...(Object.keys(env).length === 0 ? {} : { env }),
      ...(typeof server.cwd === 'string' ? { cwd: server.cwd } : {}),
      ...kept(server),
    };
    return { entry, variables: [...madeUp(env, server.env), ...variablesIn(madeFor(server.args, args))] };
  }
  const headers = exportHeaders(server);
  const url = withoutMasks(server.server_url, variableName(server.server_name, 'url'));
  const entry = {
    type: server.mcp_server_type === 'sse' ? ('sse' as const) : ('http' as const),
    url,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...kept(server),
  };
  return {
    entry,
    variables: [...madeUp(headers, server.custom_headers), ...variablesIn(madeFor([server.server_url], [url]))],
  };
};
