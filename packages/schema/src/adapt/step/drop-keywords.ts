import { isJsonObject } from '@plugboard/base';
import { ownMember, type SchemaObject } from '../../document/json-schema.js';
import { isPlainPattern } from '../../profile/check/keywords.js';
import type { Effect } from './change.js';
import { brief, describe } from './prose.js';
import type { Step, StepContext } from './step.js';

type Saying = (value: unknown) => string;

const say =
  (label: string): Saying =>
  (value) =>
    `${label}: ${brief(value)}.`;

/** Constraints, and how the model hears of them when the schema may not say them. */
const CONSTRAINTS: ReadonlyMap<string, Saying> = new Map([
  ['minimum', say('At least')],
  ['maximum', say('At most')],
  ['exclusiveMinimum', say('Greater than')],
  ['exclusiveMaximum', say('Less than')],
  ['multipleOf', say('A multiple of')],
  ['minLength', say('Fewest characters')],
  ['maxLength', say('Most characters')],
  ['pattern', say('Must match the regular expression')],
  ['format', (value) => `Format: ${String(value)}.`],
  ['minItems', say('Fewest items')],
  ['maxItems', say('Most items')],
  ['uniqueItems', () => 'No two items may be equal.'],
  ['minProperties', say('Fewest members')],
  ['maxProperties', say('Most members')],
  ['patternProperties', say('Members by pattern')],
  ['propertyNames', say('Names of members')],
  ['contains', say('Must contain')],
  ['minContains', say('Fewest of them')],
  ['maxContains', say('Most of them')],
  ['dependentRequired', say('Members that need others')],
  ['dependentSchemas', say('Conditions')],
  ['dependencies', say('Members that need others')],
  ['not', say('Must not match')],
  ['if', say('If it matches')],
  ['then', say('then it must match')],
  ['else', say('else it must match')],
  ['unevaluatedProperties', say('Further members')],
  ['unevaluatedItems', say('Further items')],
  ['enum', say('One of')],
]);

const NOTES: ReadonlyMap<string, Saying> = new Map([
  ['default', say('Default')],
  ['examples', say('Examples')],
  ['example', say('Example')],
]);

/** Does the keyword with this value demand nothing? */
const isIdle = (keyword: string, value: unknown): boolean => {
  if (keyword === 'uniqueItems') return value !== true;
  if (keyword.startsWith('min')) return value === 0;
  if (keyword === 'propertyNames') return isJsonObject(value) && Object.keys(value).every((key) => key === 'type');
  if (keyword === 'unevaluatedProperties' || keyword === 'unevaluatedItems') return value === true;
  return isJsonObject(value) && Object.keys(value).length === 0;
};

interface Verdict {
  readonly keep: boolean;
  readonly replacement?: SchemaObject;
}

const KEEP: Verdict = { keep: true };
const DROP: Verdict = { keep: false };

/** May this keyword with this value stay, and what else could say the same? */
const judge = (node: SchemaObject, keyword: string, context: StepContext): Verdict => {
  const value = node[keyword];
  if (keyword === 'format' && !(context.rule('formats')?.allowed.includes(String(value)) ?? true)) return DROP;
  if (keyword === 'pattern' && context.rule('plain-patterns') !== undefined && !isPlainPattern(String(value))) {
    return DROP;
  }
  const least = context.rule('min-items');
  if (keyword === 'minItems' && least !== undefined && Number(value) > least.max) {
    return { keep: false, replacement: { minItems: least.max } };
  }
  if (context.isAllowed(keyword)) return KEEP;
  if (node['type'] !== 'integer' || !Number.isInteger(value)) return DROP;
  // for whole numbers "greater than n" is "at least n + 1"
  const bound = ownMember(node, keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum');
  if (keyword === 'exclusiveMinimum' && context.isAllowed('minimum')) {
    return { keep: false, replacement: { minimum: Math.max(Number(value) + 1, Number(bound ?? -Infinity)) } };
  }
  if (keyword === 'exclusiveMaximum' && context.isAllowed('maximum')) {
    return { keep: false, replacement: { maximum: Math.min(Number(value) - 1, Number(bound ?? Infinity)) } };
  }
  return DROP;
};

const isExactFor = (keyword: string, { replacement }: Verdict): boolean =>
  replacement !== undefined && keyword.startsWith('exclusive');

/** Keywords that the provider does not know leave the schema; what they demanded is told in words. */
export const dropKeywords: Step = {
  id: 'drop-keyword',
  order: 'up',
  rewrite: (node, place, context) => {
    let schema = node;
    for (const keyword of Object.keys(node)) {
      const verdict = judge(node, keyword, context);
      if (verdict.keep) continue;
      const { [keyword]: value, ...rest } = schema;
      const saying = CONSTRAINTS.get(keyword) ?? NOTES.get(keyword);
      const isFree = !CONSTRAINTS.has(keyword) || isIdle(keyword, value) || isExactFor(keyword, verdict);
      const effect: Effect = isFree ? 'same' : 'wider';
      context.report(
        place,
        `"${keyword}" was ${saying === undefined ? 'removed' : 'moved into the description'}.`,
        effect,
      );
      const isSaid = saying !== undefined && !isExactFor(keyword, verdict) && !isIdle(keyword, value);
      schema = { ...(isSaid ? describe(rest, saying(value)) : rest), ...verdict.replacement };
    }
    return schema === node ? undefined : { schema };
  },
};
