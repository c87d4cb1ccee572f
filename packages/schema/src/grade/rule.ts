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
    'A keyword that must map names to schemas holds something else.',
    'Write an object whose members are schemas.',
  ),
  'SCH-05': invalid(
    '"required" is not a list of property names.',
    'Write "required" as a list in the object that has the properties, not as true or false inside a property.',
  ),
  'SCH-06': invalid(
    'A schema was expected here, and there is something else.',
    'Write a schema: an object, or true or false.',
  ),
  'SCH-07': invalid(
    'A keyword that must hold a list with at least one schema holds something else.',
    'Write a list of schemas, or leave the keyword out.',
  ),
  'SCH-08': invalid(
    'The reference leads nowhere in this document.',
    'Put the definition under "$defs" and refer to it as "#/$defs/<name>".',
  ),
  'SCH-09': invalid(
    'The reference points outside this document, and nothing is ever fetched.',
    'Copy the definition into "$defs" and refer to it there.',
  ),
  'SCH-10': invalid(
    'The references lead back to where they started without describing anything on the way.',
    'Let one schema of the circle say what the value is; recursion must pass through a property or an item.',
  ),
  'SCH-11': invalid(
    'A property is required that the object can never have, so no arguments are ever valid.',
    'Declare the property under "properties", or remove its name from "required".',
  ),
  'SCH-12': invalid('"enum" is not a list.', 'List the permitted values, or leave "enum" out.'),
  'SCH-13': invalid(
    'The schema is too deep or too large to be used.',
    'Split the tool, or replace repeated parts by references to "$defs".',
  ),
  'SCH-14': invalid('The schema is not JSON.', 'Send plain JSON values without cycles.'),
  'SCH-15': invalid(
    'The description of the tool is longer than 100 KB.',
    'Describe the tool in a few sentences; put manuals into a resource.',
  ),
  // usable, but not in strict mode
  'SCH-20': nonStrict('The root has no "type": "object" of its own.', 'Add "type": "object" to the root.'),
  'SCH-21': nonStrict(
    'The object does not say whether other properties than its own may be given.',
    'Add "additionalProperties": false.',
  ),
  'SCH-22': nonStrict(
    'The object takes properties that are not declared.',
    'Declare the properties and add "additionalProperties": false, if their names are known.',
  ),
  'SCH-23': nonStrict(
    'The object is free-form: it declares no properties at all.',
    'Declare the properties and add "additionalProperties": false, if their names are known.',
  ),
  'SCH-24': nonStrict(
    'The value has no type: anything may be given.',
    'Add a "type", or an "enum" of the permitted values.',
  ),
  'SCH-25': nonStrict(
    'The type is missing and can only be guessed from the other keywords.',
    'Add "type": "object" or "type": "array".',
  ),
  'SCH-26': nonStrict('The array does not say what its items are.', 'Add "items" with the schema of one item.'),
  'SCH-27': nonStrict(
    'The array describes its items by their position, which strict mode cannot.',
    'Use an object with named properties, or one schema for all items.',
  ),
  'SCH-28': nonStrict(
    'The root combines schemas or refers to one, which several providers refuse.',
    'Describe the parameters directly in the root, and move the alternatives into one property.',
  ),
  'SCH-29': nonStrict(
    'Strict mode does not know this keyword.',
    'Leave it out, or say the same with "anyOf" and "enum".',
  ),
  'SCH-30': nonStrict(
    'The schema is only true or false: it accepts anything, or nothing.',
    'Describe the value, or remove the property.',
  ),
  'SCH-31': nonStrict(
    'A property is required that is not declared.',
    'Declare the property under "properties", or remove its name from "required".',
  ),
  'SCH-32': nonStrict(
    'Strict mode does not know this format.',
    'Leave "format" out and name the form of the text in the description.',
  ),
  'SCH-33': nonStrict(
    'The value of this keyword is of the wrong kind, so it is ignored or refused.',
    'Correct the value.',
  ),
  'SCH-34': nonStrict(
    'The output schema cannot be used: clients that check results refuse the tool.',
    'Correct the output schema, or leave it out.',
  ),
  'SCH-35': nonStrict('The description of the tool is not text.', 'Send the description as a string.'),
  'SCH-36': nonStrict('"enum" permits no value at all.', 'List the permitted values, or leave "enum" out.'),
  'SCH-37': nonStrict(
    'A member beside the schemas has a form that clients refuse: a title, icons, annotations, "execution" or "_meta".',
    'Send it in the form of the specification, or leave it out.',
  ),
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof RULES;

export const isRuleId = (id: string): id is RuleId => Object.hasOwn(RULES, id);
