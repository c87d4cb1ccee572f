import type { GradeStatus } from '@plugboard/contract';

/** What a rule says of the tools that break it, and what their author can do. */
export interface Rule {
  /** The status that a finding brings a tool down to. */
  readonly effect: Exclude<GradeStatus, 'STRICT_COMPLIANT'>;
  readonly sentence: string;
  readonly fix: string;
}

const invalid = (sentence: string, fix: string): Rule => ({ effect: 'INVALID', sentence, fix });
const nonStrict = (sentence: string, fix: string): Rule => ({ effect: 'NON_STRICT_ONLY', sentence, fix });

/** Every rule of the default profile. `docs/schema-rules.md` is generated from this table. */
export const RULES = {
  // no client can use it
  'SCH-01': invalid(
    'The schema is not an object.',
    'Send a JSON object with "type": "object"; for a tool without parameters {"type": "object", "properties": {}, "additionalProperties": false}.',
  ),
  'SCH-02': invalid(
    'The root does not describe an object, and arguments are always an object.',
    'Set "type": "object" at the root and move the value into a property.',
  ),
  'SCH-03': invalid(
    'The type is not one of string, number, integer, boolean, object, array, null, or a list of them.',
    'Use one of the seven type names; dates and the like are a string with a "format".',
  ),
  'SCH-04': invalid(
    'A keyword that must map names to schemas has another value.',
    'Write an object whose members are schemas.',
  ),
  'SCH-05': invalid(
    '"required" is not a list of property names.',
    'Write "required" as a list in the object that has the properties, not as true or false inside a property.',
  ),
  'SCH-06': invalid(
    'A schema is expected here, but the value is something else.',
    'Write a schema: an object, or true or false.',
  ),
  'SCH-07': invalid(
    'A keyword that must be a non-empty list of schemas has another value.',
    'Write a list of schemas, or leave the keyword out.',
  ),
  'SCH-08': invalid(
    'The target of the reference does not exist in this document.',
    'Put the definition under "$defs" and refer to it as "#/$defs/<name>".',
  ),
  'SCH-09': invalid(
    'The reference points outside this document; remote schemas are never fetched.',
    'Copy the definition into "$defs" and refer to it there.',
  ),
  'SCH-10': invalid(
    'The references form a cycle that never describes a value.',
    'Describe the value in one schema of the cycle; recursion must pass through a property or an item.',
  ),
  'SCH-11': invalid(
    'The object requires a property that it can never have, so no arguments are ever valid.',
    'Declare the property under "properties", or remove its name from "required".',
  ),
  'SCH-12': invalid('"enum" is not a list.', 'List the permitted values, or leave "enum" out.'),
  'SCH-13': invalid(
    'The schema is too deep or too large to be used.',
    'Split the tool, or replace repeated parts with references to "$defs".',
  ),
  'SCH-14': invalid('The schema is not JSON.', 'Send plain JSON values without cycles.'),
  'SCH-15': invalid(
    'The description of the tool exceeds 100 KB.',
    'Describe the tool in a few sentences; put manuals into a resource.',
  ),
  // usable, but not in strict mode
  'SCH-20': nonStrict('The root has no "type": "object".', 'Add "type": "object" to the root.'),
  'SCH-21': nonStrict(
    'The object does not define whether undeclared properties are allowed.',
    'Add "additionalProperties": false.',
  ),
  'SCH-22': nonStrict(
    'The object allows undeclared properties.',
    'Declare the properties and add "additionalProperties": false, if their names are known.',
  ),
  'SCH-23': nonStrict(
    'The object is free-form: it declares no properties at all.',
    'Declare the properties and add "additionalProperties": false, if their names are known.',
  ),
  'SCH-24': nonStrict(
    'The value has no type, so anything is allowed.',
    'Add a "type", or an "enum" of the permitted values.',
  ),
  'SCH-25': nonStrict(
    'The type is missing and can only be inferred from other keywords.',
    'Add "type": "object" or "type": "array".',
  ),
  'SCH-26': nonStrict('The array does not define its items.', 'Add "items" with the schema of one item.'),
  'SCH-27': nonStrict(
    'The array describes its items by position, which strict mode does not support.',
    'Use an object with named properties, or one schema for all items.',
  ),
  'SCH-28': nonStrict(
    'The root combines schemas or refers to one, which several providers reject.',
    'Describe the parameters directly in the root, and move the alternatives into one property.',
  ),
  'SCH-29': nonStrict(
    'Strict mode does not support this keyword.',
    'Remove it, or express the same with "anyOf" and "enum".',
  ),
  'SCH-30': nonStrict(
    'The schema is just true or false: it accepts anything, or nothing.',
    'Describe the value, or remove the property.',
  ),
  'SCH-31': nonStrict(
    'The object requires a property that it does not declare.',
    'Declare the property under "properties", or remove its name from "required".',
  ),
  'SCH-32': nonStrict(
    'Strict mode does not support this format.',
    'Remove "format" and describe the format of the text in the description.',
  ),
  'SCH-33': nonStrict(
    'The value of this keyword has the wrong type, so it is ignored or rejected.',
    'Correct the value.',
  ),
  'SCH-34': nonStrict(
    'The output schema is invalid: clients that check results reject the tool.',
    'Correct or remove the output schema.',
  ),
  'SCH-35': nonStrict('The description of the tool is not text.', 'Send the description as a string.'),
  'SCH-36': nonStrict('"enum" is empty: no value is allowed.', 'List the permitted values, or leave "enum" out.'),
  'SCH-37': nonStrict(
    'A member other than the schemas is malformed, and clients reject the tool: a title, icons, annotations, "execution" or "_meta".',
    'Send it as the specification defines it, or remove it.',
  ),
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof RULES;

export const isRuleId = (id: string): id is RuleId => Object.hasOwn(RULES, id);
