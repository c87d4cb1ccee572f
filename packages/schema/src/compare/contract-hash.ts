import { isJsonObject } from '@plugboard/base';
import type { ToolDefinition } from '@plugboard/contract';
import { canonicalJson, sha256 } from '../document/canonical-json.js';
import { isSchema } from '../document/json-schema.js';
import { measure } from '../document/measure.js';
import { canonicalSchema } from './canonical-schema.js';

/** Members that may change with every answer, or that only a person sees. */
const NOT_CONTRACT: ReadonlySet<string> = new Set(['_meta', 'icons']);

/** What each hint is taken to be when it is not given. */
const HINT_DEFAULTS: Readonly<Record<string, boolean>> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

const canonicalAnnotations = (annotations: unknown): unknown => {
  if (!isJsonObject(annotations)) return annotations;
  const members = Object.entries(annotations).filter(
    ([name, value]) => value !== null && !(Object.hasOwn(HINT_DEFAULTS, name) && HINT_DEFAULTS[name] === value),
  );
  return members.length === 0 ? undefined : Object.fromEntries(members);
};

const canonicalMember = (name: string, value: unknown): unknown => {
  switch (name) {
    case 'inputSchema':
    case 'outputSchema':
      return isSchema(value) && measure(value).ok ? canonicalSchema(value) : value;
    case 'annotations':
      return canonicalAnnotations(value);
    default:
      return value === null || value === '' ? undefined : value;
  }
};

/** What a tool promises, in one form: the order of members, defaults written out, and `_meta` make no difference. */
export const canonicalTool = (definition: ToolDefinition): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(definition)
      .filter(([name]) => !NOT_CONTRACT.has(name))
      .map(([name, value]): [string, unknown] => [name, canonicalMember(name, value)])
      .filter(([, value]) => value !== undefined && value !== null),
  );

/** SHA-256 (hexadecimal) of the tool's contract: equal for equal promises, different for any other text or rule. */
export const contractHash = (definition: ToolDefinition): string => sha256(canonicalJson(canonicalTool(definition)));
