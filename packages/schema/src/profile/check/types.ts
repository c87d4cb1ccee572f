import { ownMember } from '../../document/json-schema.js';
import { appendPointer } from '../../document/pointer.js';
import type { Sighting } from '../definition/finding.js';
import type { RuleFor } from '../definition/rule.js';
import { enumOf, typesOf, type ObjectNode, type SchemaView } from '../definition/schema-view.js';

export const singleType = (_rule: RuleFor<'single-type'>, view: SchemaView): readonly Sighting[] =>
  view.objects
    .filter(({ schema }) => Array.isArray(ownMember(schema, 'type')))
    .map(({ pointer }) => ({
      pointer: appendPointer(pointer, 'type'),
      message: '"type" is a list.',
      fix: 'Name one type; write a nullable one with "nullable": true, and several with "anyOf".',
    }));

// a schema there judges names or the absence of something, and is not a value the model fills in
const NO_VALUE = new Set(['propertyNames', 'not', 'if']);

export const typed = (rule: RuleFor<'typed'>, view: SchemaView): readonly Sighting[] =>
  view.objects
    .filter(({ schema, keyword }) => !NO_VALUE.has(keyword ?? '') && !rule.by.some((key) => Object.hasOwn(schema, key)))
    .map(({ pointer }) => ({
      pointer,
      message: 'The schema does not define the type of its value.',
      fix: `Add one of ${rule.by.map((key) => `"${key}"`).join(', ')}.`,
    }));

export const arrayItems = (_rule: RuleFor<'array-items'>, view: SchemaView): readonly Sighting[] =>
  view.objects
    .filter(({ schema }) => typesOf(schema).includes('array') && !Object.hasOwn(schema, 'items'))
    .map(({ pointer }) => ({ pointer, message: 'An array has no "items".', fix: 'Define the items of the array.' }));

const enumSightings = (view: SchemaView, wrong: (node: ObjectNode) => boolean, fix: string): readonly Sighting[] =>
  view.objects.filter(wrong).map(({ pointer }) => ({
    pointer: appendPointer(pointer, 'enum'),
    message: 'The enum has values that are not supported.',
    fix,
  }));

export const stringEnums = (_rule: RuleFor<'string-enums'>, view: SchemaView): readonly Sighting[] =>
  enumSightings(
    view,
    (node) => {
      const values = enumOf(node.schema);
      if (values === undefined) return false;
      return (
        ownMember(node.schema, 'type') !== 'string' || values.some((value) => typeof value !== 'string' || value === '')
      );
    },
    'Use non-empty strings, and add "type": "string".',
  );

export const scalarEnums = (_rule: RuleFor<'scalar-enums'>, view: SchemaView): readonly Sighting[] =>
  enumSightings(
    view,
    (node) => enumOf(node.schema)?.some((value) => typeof value === 'object' && value !== null) ?? false,
    'Use strings, numbers, booleans or null.',
  );

export const minItems = (rule: RuleFor<'min-items'>, view: SchemaView): readonly Sighting[] =>
  view.objects.flatMap(({ schema, pointer }) => {
    const least = ownMember(schema, 'minItems');
    return typeof least === 'number' && least > rule.max
      ? [
          {
            pointer: appendPointer(pointer, 'minItems'),
            message: `"minItems" may be at most ${rule.max}.`,
            fix: 'State in the description how many items are needed.',
          },
        ]
      : [];
  });

const BESIDE_UNION = ['type', 'properties', 'required', 'items', 'enum'];

export const unionAlone = (_rule: RuleFor<'union-alone'>, view: SchemaView): readonly Sighting[] =>
  view.objects
    .filter(
      ({ schema }) => Object.hasOwn(schema, 'anyOf') && BESIDE_UNION.some((keyword) => Object.hasOwn(schema, keyword)),
    )
    .map(({ pointer }) => ({
      pointer: appendPointer(pointer, 'anyOf'),
      message: '"anyOf" is combined with other members that describe the value.',
      fix: 'Move them into each branch.',
    }));
