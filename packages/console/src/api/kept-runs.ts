import { isJson, type Json } from './json.js';
import { isSecretMember } from './secret-member.js';

/** A call that was made from the page. */
export interface PastRun {
  readonly id: number;
  readonly at: string;
  readonly args: Json;
  readonly ms: number;
  readonly failed: boolean;
  /** Members that were left out because they may be secrets, such as `payment.token`. */
  readonly hidden: readonly string[];
}

/** The runs of one tool, newest first. */
type ToolRuns = readonly [toolId: string, runs: readonly PastRun[]];

interface Kept {
  /** Whose runs they are: another person at the same browser does not see them. */
  readonly owner: string;
  readonly tools: readonly ToolRuns[];
}

const KEY = 'plugboard.history';
export const MAX_RUNS = 20;
const MAX_TOOLS = 50;
const MAX_ARGUMENTS = 8192;
const MAX_TEXT = 262_144;

const isSecretSchema = (schema: unknown): boolean =>
  isJson(schema) && (schema['format'] === 'password' || schema['writeOnly'] === true);

const partOf = (schema: unknown, member: 'properties' | 'items', name?: string): unknown => {
  const part = isJson(schema) ? schema[member] : undefined;
  return name !== undefined && isJson(part) ? part[name] : part;
};

/** Arguments without what may be a secret, by its name or by what the schema says of it. */
export const withoutSecrets = (
  args: Json,
  schema: unknown,
): { readonly args: Json; readonly hidden: readonly string[] } => {
  const hidden: string[] = [];
  const clean = (value: unknown, path: string, about: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => clean(one, path, partOf(about, 'items')));
    if (!isJson(value)) return value;
    const kept = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      const own = path === '' ? name : `${path}.${name}`;
      const part = partOf(about, 'properties', name);
      if (!isSecretMember(name) && !isSecretSchema(part)) return [[name, clean(inner, own, part)]];
      if (!hidden.includes(own)) hidden.push(own);
      return [];
    });
    return Object.fromEntries(kept);
  };
  return { args: clean(args, '', schema) as Json, hidden };
};

const isRun = (value: unknown): value is PastRun =>
  isJson(value) &&
  typeof value['id'] === 'number' &&
  typeof value['at'] === 'string' &&
  typeof value['ms'] === 'number' &&
  typeof value['failed'] === 'boolean' &&
  isJson(value['args']) &&
  Array.isArray(value['hidden']);

const isToolRuns = (value: unknown): value is ToolRuns =>
  Array.isArray(value) && typeof value[0] === 'string' && Array.isArray(value[1]) && value[1].every(isRun);

/** What the browser kept may be of another version, or of another person. */
const read = (storage: Storage, owner: string): Kept => {
  try {
    const value: unknown = JSON.parse(storage.getItem(KEY) ?? 'null');
    if (isJson(value) && value['owner'] === owner && Array.isArray(value['tools'])) {
      return { owner, tools: value['tools'].filter(isToolRuns) };
    }
  } catch {
    // It is not ours, or was cut: the next write replaces it.
  }
  return { owner, tools: [] };
};

/** The least recently used tools go first when there is too much. */
const write = (storage: Storage, { owner, tools }: Kept): void => {
  let kept = tools.slice(0, MAX_TOOLS);
  while (kept.length > 0) {
    const text = JSON.stringify({ owner, tools: kept });
    if (text.length <= MAX_TEXT) {
      try {
        storage.setItem(KEY, text);
        return;
      } catch {
        // The browser has less room.
      }
    }
    kept = kept.slice(0, -1);
  }
  storage.removeItem(KEY);
};

/** The runs of a tool in this browser, also of earlier visits. */
export const keptRuns = (owner: string, toolId: string, storage: Storage = localStorage): readonly PastRun[] =>
  read(storage, owner).tools.find(([id]) => id === toolId)?.[1] ?? [];

/** Keeps a run beyond the visit, without secrets. One with very large arguments is not kept. */
export const keepRun = (
  { owner, toolId, schema }: { readonly owner: string; readonly toolId: string; readonly schema: unknown },
  run: PastRun,
  storage: Storage = localStorage,
): void => {
  const { args, hidden } = withoutSecrets(run.args, schema);
  if (JSON.stringify(args).length > MAX_ARGUMENTS) return;
  const { tools } = read(storage, owner);
  const runs = [{ ...run, args, hidden }, ...(tools.find(([id]) => id === toolId)?.[1] ?? [])].slice(0, MAX_RUNS);
  write(storage, { owner, tools: [[toolId, runs], ...tools.filter(([id]) => id !== toolId)] });
};

/** Forgets the runs of a tool. */
export const forgetRuns = (owner: string, toolId: string, storage: Storage = localStorage): void =>
  write(storage, { owner, tools: read(storage, owner).tools.filter(([id]) => id !== toolId) });

/** Forgets all runs, because somebody signs out. */
export const forgetAllRuns = (storage: Storage = localStorage): void => storage.removeItem(KEY);
