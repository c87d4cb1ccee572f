import type { ToolDefinition } from '@plugboard/contract';
import { isJsonObject } from '@plugboard/base';
import { canonicalJson } from '../document/canonical-json.js';
import { isSchema, ownMember, type JsonSchema } from '../document/json-schema.js';
import { measure } from '../document/measure.js';
import { appendPointer } from '../document/pointer.js';
import type { Change, Direction } from './change.js';
import { compareSchemas } from './compare-schemas.js';
import { canonicalTool } from './contract-hash.js';
import { textsIn } from './keyword-role.js';
import { openSide } from './schema-side.js';
import { asText, textDifference } from './text-difference.js';

type Finding = Omit<Change, 'tool'>;
type Canonical = Readonly<Record<string, unknown>>;

const differs = (before: Canonical, after: Canonical, member: string): boolean =>
  canonicalJson(ownMember(before, member)) !== canonicalJson(ownMember(after, member));

const text = (pointer: string, what: string, [before, after]: readonly [unknown, unknown]): Finding => ({
  kind: 'instruction',
  code: 'text-changed',
  pointer,
  sentence: `The ${what} changed; the model reads this text: ${textDifference(asText(before), asText(after))}.`,
});

const isComparable = (schema: unknown): schema is JsonSchema => isSchema(schema) && measure(schema).ok;

/** Something differs that no rule has described: nobody should accept it unseen. */
const undescribed = (pointer: string): Finding => ({
  kind: 'instruction',
  code: 'schema-changed',
  pointer,
  sentence: 'The schema is written differently but accepts the same values, as far as the comparison can tell.',
});

/** Text in parts that nothing refers to validates nothing, but the model still reads it. */
const strayText = (before: JsonSchema, after: JsonSchema, pointer: string): readonly Finding[] => {
  const known = new Set([...textsIn(before)].map(([, value]) => value));
  const stray = [...textsIn(after)].find(([, value]) => !known.has(value));
  return stray === undefined ? [] : [text(pointer + stray[0], 'text of a schema', [undefined, stray[1]])];
};

const compareSides = (before: JsonSchema, after: JsonSchema, direction: Direction): readonly Finding[] => {
  const pointer = direction === 'input' ? '/inputSchema' : '/outputSchema';
  const found: Finding[] = [];
  const comparison = {
    direction,
    before: openSide(before),
    after: openSide(after),
    report: (finding: Finding) => void found.push(finding),
  };
  compareSchemas(comparison, pointer);
  if (!found.some(({ kind }) => kind === 'instruction')) found.push(...strayText(before, after, pointer));
  return found.length > 0 ? found : [undescribed(pointer)];
};

const schemaChange = (kind: Change['kind'], code: Change['code'], pointer: string, sentence: string): Finding => ({
  kind,
  code,
  pointer,
  sentence,
});

const compareInput = (before: Canonical, after: Canonical): readonly Finding[] => {
  const [old, now] = [ownMember(before, 'inputSchema'), ownMember(after, 'inputSchema')];
  if (!differs(before, after, 'inputSchema')) return [];
  if (isComparable(old) && isComparable(now)) return compareSides(old, now, 'input');
  return [
    schemaChange('breaking', 'schema-changed', '/inputSchema', 'The input schema changed and cannot be compared.'),
  ];
};

const compareOutput = (before: Canonical, after: Canonical): readonly Finding[] => {
  const [old, now] = [ownMember(before, 'outputSchema'), ownMember(after, 'outputSchema')];
  if (!differs(before, after, 'outputSchema')) return [];
  const at = '/outputSchema';
  if (old === undefined) {
    const added = schemaChange('compatible', 'schema-added', at, 'The tool now describes its results.');
    return isComparable(now) ? [added, ...strayText({}, now, at)] : [added];
  }
  if (now === undefined) {
    return [schemaChange('breaking', 'schema-removed', at, 'The tool no longer describes its results.')];
  }
  if (isComparable(old) && isComparable(now)) return compareSides(old, now, 'output');
  return [schemaChange('breaking', 'schema-changed', at, 'The output schema changed and cannot be compared.')];
};

const HANDLED: ReadonlySet<string> = new Set(['name', 'inputSchema', 'outputSchema', 'annotations']);

const compareMembers = (before: Canonical, after: Canonical): readonly Finding[] => {
  const members = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...members].flatMap((member): Finding[] => {
    if (HANDLED.has(member) || !differs(before, after, member)) return [];
    const values = [ownMember(before, member), ownMember(after, member)] as const;
    if (member !== 'execution') return [text(appendPointer('', member), member, values)];
    return [schemaChange('breaking', 'member-changed', '/execution', 'The execution of the tool changed.')];
  });
};

/** The value of each hint that promises more safety, and what it is taken to be when it is not given. */
const HINTS = {
  readOnlyHint: { promise: true, fallback: false, says: 'that it only reads' },
  destructiveHint: { promise: false, fallback: true, says: 'that it destroys nothing' },
  idempotentHint: { promise: true, fallback: false, says: 'that it may safely be repeated' },
  openWorldHint: { promise: false, fallback: true, says: 'that it stays within its own system' },
} as const;

const hintOf = (annotations: unknown, name: keyof typeof HINTS): boolean => {
  const value = isJsonObject(annotations) ? ownMember(annotations, name) : undefined;
  return typeof value === 'boolean' ? value : HINTS[name].fallback;
};

/** Withdrawing a promise breaks those who relied on it; a new promise breaks nobody. */
const compareHints = (before: unknown, after: unknown): readonly Omit<Change, 'tool'>[] =>
  (Object.keys(HINTS) as (keyof typeof HINTS)[]).flatMap((name): Omit<Change, 'tool'>[] => {
    const now = hintOf(after, name);
    if (hintOf(before, name) === now) return [];
    const promises = now === HINTS[name].promise;
    return [
      {
        kind: promises ? 'compatible' : 'breaking',
        code: 'hint-changed',
        pointer: `/annotations/${name}`,
        sentence: `The tool ${promises ? 'now' : 'no longer'} promises ${HINTS[name].says} (${name}).`,
      },
    ];
  });

/** Annotations other than the four hints, such as a title: text about the tool. */
const otherAnnotations = (annotations: unknown): Readonly<Record<string, unknown>> =>
  isJsonObject(annotations)
    ? Object.fromEntries(
        Object.entries(annotations).filter(([name, value]) => !Object.hasOwn(HINTS, name) && value !== null),
      )
    : {};

const compareAnnotations = (before: unknown, after: unknown): readonly Finding[] => {
  const [old, now] = [otherAnnotations(before), otherAnnotations(after)];
  const texts = [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) =>
    differs(old, now, name)
      ? [
          text(appendPointer('/annotations', name), `annotation "${name}"`, [
            ownMember(old, name),
            ownMember(now, name),
          ]),
        ]
      : [],
  );
  return [...compareHints(before, after), ...texts];
};

/** Every difference between two versions of a tool; none when their contract hashes are equal. Names are not compared. */
export const compareTools = (before: ToolDefinition, after: ToolDefinition): readonly Change[] => {
  const [old, now] = [canonicalTool(before), canonicalTool(after)];
  const findings = [
    ...compareMembers(old, now),
    ...compareInput(old, now),
    ...compareOutput(old, now),
    ...compareAnnotations(before.annotations, after.annotations),
  ];
  return findings.map((finding) => ({ ...finding, tool: before.name }));
};
