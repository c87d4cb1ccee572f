import { isJsonObject } from '@plugboard/base';
import { ownMember, type SchemaObject } from '../../document/json-schema.js';
import { propertiesOf, requiredOf, typesOf } from '../../profile/definition/schema-view.js';

const MAX_DEPTH = 8;

const valuesOf = (schema: SchemaObject): readonly string[] | undefined => {
  if (Object.hasOwn(schema, 'const')) return [JSON.stringify(schema['const'])];
  const values = ownMember(schema, 'enum');
  return Array.isArray(values) ? values.map((value: unknown) => JSON.stringify(value)) : undefined;
};

const apart = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a !== undefined && b !== undefined && !a.some((value) => b.includes(value));

const widen = (type: string): string => (type === 'integer' ? 'number' : type);

const typesApart = (a: SchemaObject, b: SchemaObject): boolean => {
  const left = typesOf(a).map(widen);
  const right = typesOf(b).map(widen);
  return left.length > 0 && right.length > 0 && !left.some((type) => right.includes(type));
};

const isObject = (schema: SchemaObject): boolean => schema['type'] === 'object';

/** Does one demand a member that the other forbids? */
const excludes = (demanding: SchemaObject, closed: SchemaObject): boolean =>
  ownMember(closed, 'additionalProperties') === false &&
  !Object.hasOwn(closed, 'patternProperties') &&
  requiredOf(demanding).some((key) => !Object.hasOwn(propertiesOf(closed), key));

/** Is there a member that both demand, and whose values tell them apart? */
const discriminated = (a: SchemaObject, b: SchemaObject, depth: number): boolean => {
  const required = new Set(requiredOf(b));
  return requiredOf(a)
    .filter((key) => required.has(key))
    .some((key) => {
      const left = propertiesOf(a)[key];
      const right = propertiesOf(b)[key];
      return isJsonObject(left) && isJsonObject(right) && isDisjoint(left, right, depth + 1);
    });
};

const objectsApart = (a: SchemaObject, b: SchemaObject, depth: number): boolean =>
  isObject(a) && isObject(b) && (excludes(a, b) || excludes(b, a) || discriminated(a, b, depth));

const branchesOf = (schema: SchemaObject): readonly SchemaObject[] | undefined => {
  const branches = ownMember(schema, 'anyOf');
  return Array.isArray(branches) && branches.every(isJsonObject) ? branches : undefined;
};

/** Is it certain that no value is taken by both? */
export const isDisjoint = (a: SchemaObject, b: SchemaObject, depth = 0): boolean => {
  if (depth > MAX_DEPTH) return false;
  const alternatives = branchesOf(a);
  if (alternatives !== undefined) return alternatives.every((branch) => isDisjoint(branch, b, depth + 1));
  if (branchesOf(b) !== undefined) return isDisjoint(b, a, depth + 1);
  return typesApart(a, b) || apart(valuesOf(a), valuesOf(b)) || objectsApart(a, b, depth);
};

/** Comparing all with all is only worth it for a few; of many, nothing is certain. */
const MAX_COMPARED = 150;

/** Is it certain that no value is taken by two of them? With `mapped`, only pairs with one of those count. */
export const areDisjoint = (
  branches: readonly SchemaObject[],
  mapped: (index: number) => boolean = () => true,
): boolean =>
  branches.length <= MAX_COMPARED &&
  branches.every(
    (branch, index) =>
      !mapped(index) || branches.every((other, position) => position === index || isDisjoint(branch, other)),
  );
