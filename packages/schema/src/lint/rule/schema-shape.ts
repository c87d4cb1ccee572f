import { isJsonObject } from '@plugboard/base';
import { isSchema, ownMember, type SchemaObject } from '../../document/json-schema.js';
import { refOf, refResolver } from '../../document/resolve-ref.js';
import { typeOfValue } from '../../document/value-type.js';
import { references } from '../../profile/check/references.js';
import { depth as depthOf } from '../../profile/check/totals.js';
import { typesOf, viewSchema } from '../../profile/definition/schema-view.js';
import { validateResult } from '../../validate/validate.js';
import { excerpt, perTool, type LintRule } from './lint-rule.js';

const DEEPEST = 5;

export const nestingDepth: LintRule = {
  id: 'LNT-05',
  name: 'nesting-depth',
  level: 'advice',
  sentence: `The schema is nested more than ${DEEPEST} levels deep.`,
  fix: 'Flatten it: models fill in flat objects more reliably.',
  inspect: perTool(({ tool }) =>
    depthOf({ check: 'depth', max: DEEPEST }, viewSchema(tool.inputSchema)).map(({ message }) => ({
      where: 'inputSchema',
      detail: message.toLowerCase().replace(/\.$/u, ''),
    })),
  ),
};

export const itemsDeclared: LintRule = {
  id: 'LNT-07',
  name: 'items-declared',
  level: 'warning',
  sentence: 'An array does not define its items.',
  fix: 'Add "items".',
  inspect: perTool(({ nodes }) =>
    nodes
      .filter(({ schema }) => isJsonObject(schema) && typesOf(schema).includes('array'))
      .filter(
        ({ schema }) =>
          isJsonObject(schema) && !Object.hasOwn(schema, 'items') && !Object.hasOwn(schema, 'prefixItems'),
      )
      .map(({ pointer }) => ({ where: `inputSchema${pointer}` })),
  ),
};

const SPEAKING = ['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf', 'properties', 'items', 'not', 'if'];
const VALUES = new Set(['properties', 'items', 'anyOf', 'oneOf', 'prefixItems']);

export const typeDeclared: LintRule = {
  id: 'LNT-08',
  name: 'type-declared',
  level: 'warning',
  sentence: 'A parameter has no type.',
  fix: 'Declare the type, or state in the description that any value is accepted.',
  inspect: perTool(({ nodes }) =>
    nodes
      .filter(({ keyword }) => VALUES.has(keyword ?? ''))
      .filter(({ schema, keyword }) =>
        isJsonObject(schema)
          ? !SPEAKING.some((key) => Object.hasOwn(schema, key)) &&
            !(keyword !== 'properties' && Object.hasOwn(schema, 'required'))
          : true,
      )
      .map(({ pointer }) => ({ where: `inputSchema${pointer}` })),
  ),
};

const SIMPLE = new Set(['type', 'enum', 'default', 'examples', 'title', 'description']);

/** The common case, decided without compiling anything. */
const isPlainlyTaken = (schema: SchemaObject, value: unknown): boolean => {
  if (!Object.keys(schema).every((keyword) => SIMPLE.has(keyword))) return false;
  const values = ownMember(schema, 'enum');
  if (Array.isArray(values) && !values.includes(value)) return false;
  const type = typeOfValue(value) ?? '';
  const types = typesOf(schema);
  return types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
};

const brokenValue = (schema: SchemaObject, root: unknown): string | undefined => {
  const whole = isJsonObject(root)
    ? { ...schema, $defs: ownMember(root, '$defs') ?? {}, definitions: ownMember(root, 'definitions') ?? {} }
    : schema;
  const isTaken = (value: unknown): boolean =>
    value === undefined || isPlainlyTaken(schema, value) || validateResult(whole, value).ok;
  const byDefault = ownMember(schema, 'default');
  // null as default is the usual way to write "none"
  if (byDefault !== null && !isTaken(byDefault)) return 'the default is not a valid value';
  const examples = ownMember(schema, 'examples');
  return Array.isArray(examples) && !examples.every(isTaken) ? 'an example is not a valid value' : undefined;
};

const contradiction = (schema: SchemaObject, root: unknown): string | undefined => {
  if (typeof schema['required'] === 'boolean') return '"required" is true or false instead of a list';
  const values = ownMember(schema, 'enum');
  if (Array.isArray(values) && values.length === 0) return 'the enum is empty';
  if (!Object.hasOwn(schema, 'default') && !Object.hasOwn(schema, 'examples')) return undefined;
  return brokenValue(schema, root);
};

export const consistentValues: LintRule = {
  id: 'LNT-09',
  name: 'consistent-values',
  level: 'warning',
  sentence: 'A schema contradicts itself.',
  fix: 'Correct the schema or the value.',
  inspect: perTool(({ nodes, tool }) =>
    nodes.map(({ schema, pointer }) => {
      const detail = isJsonObject(schema) ? contradiction(schema, tool.inputSchema) : undefined;
      return detail === undefined ? undefined : { where: `inputSchema${pointer}`, detail };
    }),
  ),
};

export const soundReferences: LintRule = {
  id: 'LNT-10',
  name: 'sound-references',
  level: 'warning',
  sentence: 'A reference has no target, or refers to itself.',
  fix: 'Declare its target under "$defs", and remove the recursion.',
  inspect: perTool(({ tool, nodes }) => {
    if (!isSchema(tool.inputSchema) || !nodes.some(({ schema }) => refOf(schema) !== undefined)) return [];
    const resolve = refResolver(tool.inputSchema);
    const dangling = nodes.find(({ schema }) => {
      const ref = refOf(schema);
      return ref !== undefined && !resolve(ref).found;
    });
    const [recursive] = references({ check: 'references', allowed: 'non-recursive' }, viewSchema(tool.inputSchema));
    if (dangling !== undefined) return [{ where: `inputSchema${dangling.pointer}`, detail: 'it leads nowhere' }];
    return recursive === undefined ? [] : [{ where: `inputSchema${recursive.pointer}`, detail: 'it is recursive' }];
  }),
};

export const safePatterns: LintRule = {
  id: 'LNT-19',
  name: 'safe-pattern',
  level: 'warning',
  sentence: 'A pattern can take very long on some inputs.',
  fix: 'Avoid nested repetitions.',
  inspect: perTool(({ nodes }) =>
    nodes.flatMap(({ schema, pointer }) => {
      const pattern = isJsonObject(schema) ? ownMember(schema, 'pattern') : undefined;
      return typeof pattern === 'string' && isRisky(pattern)
        ? [{ where: `inputSchema${pointer}/pattern`, detail: excerpt(pattern, 60) }]
        : [];
    }),
  ),
};

// a repeated group without a group inside it
const REPEATED_GROUP = /\((?:\?:|\?<\w+>)?((?:[^()\\]|\\.)*)\)(?:[+*]|\{\d+,\d*\})/gu;
const REPEATING = /(?:\[(?:[^[\]\\]|\\.)*\]|\\.|[^\\])(?:[+*]|\{\d+,\d*\})/u;
const ATOMS = /(\[(?:[^[\]\\]|\\.)*\]|\\.|[^\\])([+*?]|\{[\d,]+\})?\??/gu;

/** Is there, beside what repeats, nothing that every round must contain, as in (a+)+ but not in (,a+)+? */
const isAmbiguous = (content: string): boolean =>
  REPEATING.test(content) &&
  content
    .split('|')
    .some((branch) => [...branch.matchAll(ATOMS)].every(([, , repetition]) => repetition !== undefined));

const isRisky = (pattern: string): boolean =>
  [...pattern.matchAll(REPEATED_GROUP)].some(([, content = '']) => isAmbiguous(content));

export const dialectDeclared: LintRule = {
  id: 'LNT-20',
  name: 'dialect-consistent',
  level: 'advice',
  sentence: 'The tools of the server declare different dialects of JSON Schema.',
  fix: 'Declare the same "$schema" everywhere; prefer none or 2020-12.',
  inspect: ({ tools }) => {
    const dialects = new Set(
      tools.map(({ tool }) => {
        const declared = isJsonObject(tool.inputSchema) ? tool.inputSchema['$schema'] : undefined;
        return typeof declared === 'string' ? declared : 'none';
      }),
    );
    return dialects.size > 1 ? [{ where: 'inputSchema/$schema', detail: [...dialects].sort().join(', ') }] : [];
  },
};
