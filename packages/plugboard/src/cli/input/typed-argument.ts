import { isJsonObject, tryJson } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import { invalidArgument } from '../command/invalid-argument.js';
import { shellQuote } from '../../terminal/shell-quote.js';
import { allowedTypes, dereference, propertySchemas } from '../render/parameters.js';

type Arguments = Readonly<Record<string, unknown>>;

const parseJson = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new PlugboardError('INVALID_ARGUMENT', `The value of "${name}" is not JSON.`, {
      hint: `Quote it for the shell: ${shellQuote(['--arg', `${name}:={"key": 1}`])}`,
      cause,
    });
  }
};

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  number: (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined),
  integer: (text) => (/^[+-]?\d+$/u.test(text.trim()) ? Number(text) : undefined),
  boolean: (text) => ({ true: true, false: false })[text.trim().toLowerCase()],
  null: (text) => (text.trim() === 'null' ? null : undefined),
};

const readJson = (text: string, isRight: (value: unknown) => boolean): unknown => {
  const value = tryJson(text);
  return isRight(value) ? value : undefined;
};

const itemSchema = (schema: unknown, root: unknown): unknown => {
  const resolved = dereference(schema, root);
  return isJsonObject(resolved) ? resolved['items'] : undefined;
};

/** A text as the value that the schema wants; undefined when it wants something else. */
const readAs = (type: string, text: string, schema: unknown, root: unknown): unknown => {
  if (type === 'string') return text;
  if (type === 'object') return readJson(text, isJsonObject);
  if (type !== 'array') return READERS[type]?.(text);
  const whole = readJson(text, Array.isArray);
  if (whole !== undefined || text.trimStart().startsWith('[')) return whole;
  const item = typedValue(text, itemSchema(schema, root), root);
  return item.ok ? [item.value] : undefined;
};

type Typed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly wanted: string };

/** `number` → `a number`, `null` → `null`. */
const withArticle = (type: string): string => (type === 'null' ? type : `${/^[aio]/u.test(type) ? 'an' : 'a'} ${type}`);

/** Text stays text wherever text is allowed; otherwise it becomes the first type that it can be read as. */
const typedValue = (text: string, schema: unknown, root: unknown): Typed => {
  const types = allowedTypes(schema, root);
  if (types.length === 0 || types.includes('string')) return { ok: true, value: text };
  for (const type of types) {
    const value = readAs(type, text, schema, root);
    if (value !== undefined) return { ok: true, value };
  }
  return { ok: false, wanted: types.map(withArticle).join(' or ') };
};

const split = (text: string): readonly [name: string, value: string, isJson: boolean] => {
  const at = text.indexOf('=');
  if (at <= 0) throw invalidArgument(`--arg needs NAME=VALUE, but got "${text}".`, 'For JSON values write NAME:=JSON.');
  const isJson = text[at - 1] === ':';
  return [text.slice(0, isJson ? at - 1 : at), text.slice(at + 1), isJson];
};

const typed = (text: string, inputSchema: unknown): readonly [name: string, value: unknown] => {
  const [name, value, isJson] = split(text);
  if (isJson) return [name, parseJson(name, value)];
  const result = typedValue(value, propertySchemas(inputSchema)[name], inputSchema);
  if (!result.ok) {
    throw invalidArgument(
      `"${name}" must be ${result.wanted}, but "${value}" is not.`,
      `Give it as ${shellQuote(['--arg', `${name}=…`])}, or as JSON: ${shellQuote(['--arg', `${name}:=…`])}.`,
    );
  }
  return [name, result.value];
};

/** `--arg NAME=VALUE` typed by the tool's schema, `--arg NAME:=JSON` as it stands; a name given twice makes a list. */
export const typedArguments = (texts: readonly string[], inputSchema: unknown): Arguments => {
  const values = new Map<string, unknown>();
  for (const text of texts) {
    const [name, value] = typed(text, inputSchema);
    const before = values.get(name);
    values.set(
      name,
      Array.isArray(before) && Array.isArray(value)
        ? [...(before as readonly unknown[]), ...(value as readonly unknown[])]
        : value,
    );
  }
  return Object.fromEntries(values);
};
