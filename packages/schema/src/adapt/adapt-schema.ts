import { isJsonObject } from '@plugboard/base';
import type { SchemaObject } from '../document/json-schema.js';
import { measure } from '../document/measure.js';
import { checkSchema, isAccepted } from '../profile/check-against-profile.js';
import type { ProfileFinding } from '../profile/definition/finding.js';
import type { Profile } from '../profile/definition/profile.js';
import type { RuleCheck, RuleFor } from '../profile/definition/rule.js';
import { CannotRewrite } from './step/cannot-rewrite.js';
import type { AdaptChange } from './step/change.js';
import { inlineReferences } from './inline-references.js';
import { sequence, type Mapping } from './mapping/mapping.js';
import { rewritePlainly } from './plain-rewrites.js';
import { rewriteTree } from './rewrite-tree.js';
import { asText } from './step/prose.js';
import type { StepContext } from './step/step.js';
import { STEPS } from './steps.js';

/** A schema that the profile takes, with the way back; or why there is none. */
export type SchemaAdaptation =
  | {
      readonly ok: true;
      readonly schema: unknown;
      readonly mapping: Mapping | null;
      readonly changes: readonly AdaptChange[];
    }
  | { readonly ok: false; readonly reasons: readonly ProfileFinding[] };

interface Attempt {
  readonly schema: SchemaObject;
  readonly mapping: Mapping | null;
}

/** Keywords that survive where a profile has no list of its own: those that the core form may contain. */
const CORE = new Set(
  (
    'type properties required additionalProperties items enum anyOf title description default format pattern ' +
    'minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems ' +
    'minProperties maxProperties propertyNames'
  ).split(' '),
);

const contextFor = (profile: Profile, step: string, changes: AdaptChange[]): StepContext => {
  const rule = <Check extends RuleCheck>(check: Check): RuleFor<Check> | undefined =>
    profile.rules.find((entry) => entry.check === check && entry.level === 'error') as RuleFor<Check> | undefined;
  const listed = rule('keywords')?.allowed;
  return {
    profile,
    rule,
    isAllowed: (keyword) => (listed === undefined ? CORE.has(keyword) : listed.includes(keyword)),
    report: ({ pointer }, message, effect) => void changes.push({ rule: step, pointer, message, effect }),
  };
};

const byPlainRewrites = (schema: SchemaObject, profile: Profile, changes: AdaptChange[]): Attempt => {
  const context = contextFor(profile, 'complete-schema', changes);
  // without a list of its own the profile takes every keyword
  const lenient = profile.rules.some(({ check }) => check === 'keywords') ? context.isAllowed : () => true;
  return { schema: rewritePlainly(schema, { ...context, isAllowed: lenient }), mapping: null };
};

const byAllSteps = (schema: SchemaObject, profile: Profile, changes: AdaptChange[]): Attempt => {
  const sound = rewritePlainly(schema, contextFor(profile, 'complete-schema', changes));
  const tree = inlineReferences(sound, contextFor(profile, 'inline-reference', changes));
  const has = new Set(profile.rules.filter(({ level }) => level === 'error').map(({ check }) => check));
  return STEPS.filter(({ serves }) => serves === undefined || serves.some((check) => has.has(check))).reduce<Attempt>(
    (attempt, step) => {
      const { schema: next, mapping } = rewriteTree(attempt.schema, step, contextFor(profile, step.id, changes));
      return { schema: next, mapping: sequence(attempt.mapping, mapping) };
    },
    { schema: tree, mapping: null },
  );
};

const TEXT_KEY = 'arguments';

/** The last resort: all arguments as one JSON text. */
const byText = (schema: SchemaObject, profile: Profile, changes: AdaptChange[]): Attempt => {
  const context = contextFor(profile, 'arguments-as-text', changes);
  context.report({ pointer: '', isRoot: true, level: 0 }, 'All arguments are passed as one JSON text.', 'encoded');
  const allowsClosing = context.isAllowed('additionalProperties');
  return {
    schema: {
      type: 'object',
      properties: { [TEXT_KEY]: asText(schema, 'All arguments, a JSON object') },
      required: [TEXT_KEY],
      ...(allowsClosing ? { additionalProperties: false } : {}),
    },
    mapping: { op: 'sequence', mappings: [{ op: 'text' }, { op: 'wrap', key: TEXT_KEY }] },
  };
};

const refusal = (rule: string, pointer: string, message: string): SchemaAdaptation => ({
  ok: false,
  reasons: [{ rule, level: 'error', pointer, message }],
});

const ATTEMPTS = [byPlainRewrites, byAllSteps, byText];

/** The schema in a form that the profile takes: unchanged, rewritten, or not at all. Never throws. */
export const adaptSchema = (original: unknown, profile: Profile): SchemaAdaptation => {
  const schema = original ?? {};
  if (!isJsonObject(schema) && schema !== true) return refusal('SCHEMA', '', 'The input schema is not an object.');
  const size = measure(schema);
  if (!size.ok) return refusal('SCHEMA', size.pointer, 'The input schema is too large or too deep to be rewritten.');
  if (original !== undefined && isAccepted(checkSchema(original, profile))) {
    return { ok: true, schema: original, mapping: null, changes: [] };
  }
  const source = isJsonObject(schema) ? schema : {};
  let reasons: readonly ProfileFinding[] = [];
  for (const attempt of ATTEMPTS) {
    const changes: AdaptChange[] = [];
    try {
      const result = attempt(source, profile, changes);
      const findings = checkSchema(result.schema, profile);
      if (isAccepted(findings)) return { ok: true, ...result, changes };
      reasons = findings.filter(({ level }) => level === 'error');
    } catch (thrown) {
      if (!(thrown instanceof CannotRewrite)) throw thrown;
      const { message, pointer, textHelps } = thrown;
      if (!textHelps) return refusal('SCHEMA', pointer, message);
    }
  }
  return { ok: false, reasons };
};
