import { ownMember } from '../../document/json-schema.js';
import { appendPointer } from '../../document/pointer.js';
import type { Sighting } from '../definition/finding.js';
import type { RuleFor } from '../definition/rule.js';
import { propertiesOf, requiredOf, typesOf, type ObjectNode, type SchemaView } from '../definition/schema-view.js';

const describesObject = ({ schema }: ObjectNode): boolean =>
  typesOf(schema).includes('object') || Object.hasOwn(schema, 'properties');

export const closedObjects = (_rule: RuleFor<'closed-objects'>, view: SchemaView): readonly Sighting[] =>
  view.objects
    .filter((node) => describesObject(node) && ownMember(node.schema, 'additionalProperties') !== false)
    .map(({ pointer }) => ({
      pointer,
      message: 'The object does not set "additionalProperties": false.',
      fix: 'Add "additionalProperties": false.',
    }));

export const declaredObjects = (_rule: RuleFor<'declared-objects'>, view: SchemaView): readonly Sighting[] =>
  view.objects
    .filter(
      (node) =>
        node.parent !== undefined &&
        typesOf(node.schema).includes('object') &&
        Object.keys(propertiesOf(node.schema)).length === 0,
    )
    .map(({ pointer }) => ({
      pointer,
      message: 'An object declares no properties.',
      fix: 'Declare its properties, or accept it as JSON text.',
    }));

export const allRequired = (_rule: RuleFor<'all-required'>, view: SchemaView): readonly Sighting[] =>
  view.objects.flatMap(({ schema, pointer }) => {
    const required = new Set(requiredOf(schema));
    return Object.keys(propertiesOf(schema))
      .filter((key) => !required.has(key))
      .map((key) => ({
        pointer: appendPointer(pointer, 'properties', key),
        message: `The property "${key}" is not required.`,
        fix: 'Make it required and nullable.',
      }));
  });

export const requiredDeclared = (_rule: RuleFor<'required-declared'>, view: SchemaView): readonly Sighting[] =>
  view.objects.flatMap(({ schema, pointer }) =>
    requiredOf(schema)
      .filter((key) => !Object.hasOwn(propertiesOf(schema), key))
      .map((key) => ({
        pointer: appendPointer(pointer, 'required'),
        message: `"${key}" is required but not declared.`,
        fix: 'Declare it under "properties", or remove it from "required".',
      })),
  );

export const propertyKeys = (rule: RuleFor<'property-keys'>, view: SchemaView): readonly Sighting[] => {
  const pattern = new RegExp(rule.pattern, 'u');
  return view.objects.flatMap(({ schema, pointer }) =>
    Object.keys(propertiesOf(schema))
      .filter((key) => !pattern.test(key))
      .map((key) => ({
        pointer: appendPointer(pointer, 'properties', key),
        message: `The property key "${key.slice(0, 80)}" does not match ${rule.pattern}.`,
        fix: 'Rename the property.',
      })),
  );
};
