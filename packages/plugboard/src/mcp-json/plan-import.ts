import {
  entryName,
  type ServerConfig,
  serverConfig,
  type ServerView,
  maskArguments,
  maskTemplate,
  maskUrl,
} from '@plugboard/contract';
import type { InputQuestion } from './client-file.js';
import { entryToConfig } from './entry-to-server.js';
import { mcpEntry } from './mcp-entry.js';

/** What is to become of one entry of a client's file. */
export type ImportStep =
  | { readonly kind: 'add'; readonly name: string; readonly as: string; readonly config: ServerConfig }
  | { readonly kind: 'present'; readonly name: string; readonly as: string }
  /** Left out on purpose, which is no failure. */
  | { readonly kind: 'skipped'; readonly name: string; readonly why: string }
  | { readonly kind: 'refused'; readonly name: string; readonly why: string };

/** What a client's file may refer to beside plain values. */
interface ForeignVariables {
  readonly userHome: string;
  /** Values for `${input:…}`. */
  readonly inputs: ReadonlyMap<string, string>;
}

type Rewritten =
  | { readonly ok: true; readonly text: string }
  /** References that mean something only inside that client. */
  | { readonly ok: false; readonly unresolved: readonly string[] };

// ${NAME}, ${NAME:-default}, ${env:NAME}, ${input:id}, ${userHome}, ${workspaceFolder}, …
const REFERENCE = /\$\{(?<body>[^{}]+)\}/gu;
const WITH_DEFAULT = /^(?<name>[A-Za-z_]\w*):-(?<fallback>[^}]*)$/u;

const rewriteReference = (body: string, variables: ForeignVariables): string | undefined => {
  if (body.startsWith('env:')) return `\${${body.slice(4)}}`;
  if (body.startsWith('input:')) return variables.inputs.get(body.slice(6));
  if (body === 'userHome') return variables.userHome;
  if (body === 'pathSeparator' || body === '/') return '/';
  const withDefault = WITH_DEFAULT.exec(body)?.groups;
  if (withDefault !== undefined) return `{{ ${withDefault['name']} | ${withDefault['fallback']} }}`;
  return /^[A-Z_][A-Z0-9_]*$/u.test(body) ? `\${${body}}` : undefined;
};

/** A text of another client's file with its references in our grammar: `${NAME}` and `{{ NAME | default }}`. */
export const rewriteReferences = (text: string, variables: ForeignVariables): Rewritten => {
  const unresolved: string[] = [];
  const rewritten = text.replaceAll(REFERENCE, (whole, body: string) => {
    const value = rewriteReference(body, variables);
    if (value === undefined) unresolved.push(body);
    return value ?? whole;
  });
  return unresolved.length === 0 ? { ok: true, text: rewritten } : { ok: false, unresolved };
};

export interface ImportRules {
  readonly registered: readonly ServerView[];
  readonly variables: ForeignVariables;
  readonly questions: readonly InputQuestion[];
  /** URLs of this hub, which must not become a server of itself. */
  readonly ownUrls: readonly string[];
}

const MAX_NAME = 64;

/** The nearest name that is allowed here. */
export const legalName = (name: string): string => {
  if (entryName.safeParse(name).success) return name;
  const legal = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^A-Za-z0-9 ._-]+/gu, '-')
    .replace(/^[^A-Za-z0-9]+/u, '')
    .slice(0, MAX_NAME)
    .replace(/[ .-]+$/u, '');
  return legal === '' ? 'server' : legal;
};

const freeName = (name: string, taken: ReadonlySet<string>): string => {
  const legal = legalName(name);
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const candidate = `${legal.slice(0, MAX_NAME - suffix.length)}${suffix}`;
    if (!taken.has(candidate)) return candidate;
  }
};

const unresolvedWords = (references: readonly string[], questions: readonly InputQuestion[]): string =>
  [...new Set(references)]
    .map((reference) => {
      if (!reference.startsWith('input:')) return `it refers to \${${reference}}, which only that client knows`;
      const id = reference.slice(6);
      const about = questions.find((question) => question.id === id)?.description ?? '';
      return `it needs the input "${id}"${about === '' ? '' : ` (${about})`}: give it with --input ${id}=…`;
    })
    .join('; ');

const shapeWords = (entry: unknown): string => {
  const isObject = typeof entry === 'object' && entry !== null;
  if (isObject && !('command' in entry) && !('url' in entry) && !('serverUrl' in entry)) {
    return 'it has neither "command" nor "url"';
  }
  const issues = mcpEntry.safeParse(entry).error?.issues ?? [];
  const nested = issues.flatMap((issue) => (issue.code === 'invalid_union' ? issue.errors.flat() : [issue]));
  const issue = nested.find(({ path }) => path.length > 0 && isObject && String(path[0]) in entry) ?? nested[0];
  return `its shape is not known${issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`}`;
};

type Read =
  | { readonly ok: true; readonly config: ServerConfig }
  | { readonly ok: false; readonly why: string; readonly kind?: 'skipped' };

const readEntry = (entry: unknown, rules: ImportRules): Read => {
  const parsed = mcpEntry.safeParse(entry);
  if (!parsed.success) return { ok: false, why: shapeWords(entry) };
  if (parsed.data.disabled === true) return { ok: false, why: 'it is disabled there', kind: 'skipped' };
  if (typeof entry === 'object' && entry !== null && 'envFile' in entry) {
    return { ok: false, why: 'it reads variables from a file (envFile): add it manually with --env' };
  }
  const unresolved: string[] = [];
  const config = entryToConfig(parsed.data, (text) => {
    const rewritten = rewriteReferences(text, rules.variables);
    if (rewritten.ok) return rewritten.text;
    unresolved.push(...rewritten.unresolved);
    return text;
  });
  if (unresolved.length > 0) return { ok: false, why: unresolvedWords(unresolved, rules.questions) };
  const valid = serverConfig.safeParse(config);
  if (!valid.success) {
    const [issue] = valid.error.issues;
    return { ok: false, why: `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not usable'}` };
  }
  return { ok: true, config: valid.data };
};

const pointsAtUs = (config: ServerConfig, ownUrls: readonly string[]): boolean => {
  const words = config.mcp_server_type === 'stdio' ? config.args : [config.server_url];
  return words.some((word) => ownUrls.some((url) => word === url || word.startsWith(`${url}/`)));
};

type Values = Readonly<Record<string, string>> | null | undefined;

/** Stored values are only shown masked, so they are compared as far as their masks tell. */
const sameSecrets = (given: Values, shown: Values): boolean => {
  const left = Object.entries(given ?? {});
  const right = shown ?? {};
  return (
    left.length === Object.keys(right).length && left.every(([name, value]) => right[name] === maskTemplate(value))
  );
};

const sameList = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((word, index) => word === right[index]);

/** Is this the server that is registered already? */
const isSameServer = (config: ServerConfig, server: ServerView): boolean => {
  if (config.mcp_server_type === 'stdio') {
    return (
      server.mcp_server_type === 'stdio' &&
      config.command === server.command &&
      sameList(maskArguments(config.args), server.args) &&
      sameSecrets(config.env, server.env)
    );
  }
  return (
    server.mcp_server_type === config.mcp_server_type &&
    maskUrl(config.server_url) === server.server_url &&
    sameSecrets(config.custom_headers, server.custom_headers)
  );
};

/** Decides about every entry; names that the plan gives out count as taken for the entries after them. */
export const planImport = (
  entries: readonly (readonly [name: string, entry: unknown])[],
  rules: ImportRules,
): readonly ImportStep[] => {
  const taken = new Set(rules.registered.map((server) => server.server_name));
  return entries.map(([name, entry]): ImportStep => {
    const read = readEntry(entry, rules);
    if (!read.ok) return { kind: read.kind ?? 'refused', name, why: read.why };
    const { config } = read;
    if (pointsAtUs(config, rules.ownUrls)) return { kind: 'skipped', name, why: 'it is this hub itself' };
    const same = rules.registered.find((server) => isSameServer(config, server));
    if (same !== undefined) return { kind: 'present', name, as: same.server_name };
    const as = freeName(name, taken);
    taken.add(as);
    return { kind: 'add', name, as, config };
  });
};
