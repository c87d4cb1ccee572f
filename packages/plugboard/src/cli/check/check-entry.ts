import { type ServerConfig } from '@plugboard/contract';
import { refuse } from '../command/invalid-argument.js';
import { parseClientFile } from '../../mcp-json/client-file.js';
import { planImport } from '../../mcp-json/plan-import.js';
import type { CommandContext } from '../command/command-context.js';

/** A file that is named together with one of its entries: `.mcp.json#name`. */
export const splitEntry = (named: string): { readonly file: string; readonly entry: string | undefined } => {
  const at = named.lastIndexOf('#');
  return at <= 0 ? { file: named, entry: undefined } : { file: named.slice(0, at), entry: named.slice(at + 1) };
};

const REFERENCE = /\$\{(?:env:)?(?<name>[A-Za-z_]\w*)(?::-(?<fallback>[^}]*))?\}/gu;
const OF_CLIENTS = new Set(['userHome', 'pathSeparator', 'workspaceFolder']);

/** The entry with variables of the environment filled in, as the client that owns the file does it. */
const filled = (value: unknown, env: Readonly<Record<string, string | undefined>>, entry: string): unknown => {
  if (typeof value === 'string') {
    return value.replaceAll(REFERENCE, (whole, name: string, fallback: string | undefined) => {
      if (OF_CLIENTS.has(name)) return whole;
      const found = env[name] ?? fallback;
      return (
        found ?? refuse(`The entry ${entry} uses the environment variable ${name}, which is not set.`, `Set ${name}.`)
      );
    });
  }
  if (Array.isArray(value)) return value.map((item: unknown) => filled(item, env, entry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, env, entry)]));
};

export interface EntryTarget {
  readonly name: string;
  readonly config: ServerConfig;
}

/** The server that an entry of a client's file describes; undefined when the file is none of a client. */
export const entryTarget = (
  text: string,
  { file, entry }: ReturnType<typeof splitEntry>,
  { process }: Pick<CommandContext, 'process'>,
): EntryTarget | undefined => {
  const parsed = parseClientFile(text);
  if (!parsed.ok) {
    return entry === undefined
      ? undefined
      : refuse(`${file} has no entries: ${parsed.why}.`, 'Give only the name of the file.');
  }
  const names = parsed.entries.map(([name]) => name);
  const example = `plugboard check '${file}#${names[0] ?? 'name'}'`;
  const chosen = entry ?? (names.length === 1 ? names[0] : undefined);
  if (chosen === undefined) return refuse(`${file} has ${names.length} servers.`, `Name one of them: ${example}.`);
  const found = parsed.entries.find(([name]) => name === chosen);
  if (found === undefined) return refuse(`${file} has no server "${chosen}".`, `It has: ${names.join(', ')}.`);
  const variables = { userHome: process.userHome, inputs: new Map<string, string>() };
  const [step] = planImport([[chosen, filled(found[1], process.env, chosen)]], {
    registered: [],
    variables,
    questions: parsed.inputs,
    ownUrls: [],
  });
  if (step?.kind === 'add') return { name: chosen, config: step.config };
  const why = step === undefined || step.kind === 'present' ? 'it cannot be read' : step.why;
  return refuse(`The entry ${chosen} of ${file} cannot be checked: ${why}.`, 'Give its command after two dashes.');
};
