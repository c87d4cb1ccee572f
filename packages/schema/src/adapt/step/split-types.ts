import { ownMember, type SchemaObject } from '../../document/json-schema.js';
import { typeOfValue } from '../../document/value-type.js';
import { typesOf } from '../../profile/definition/schema-view.js';
import type { Step } from './step.js';

const TEXT = new Set(['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType']);
const NUMERIC = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'format']);
const LIST = new Set(['items', 'minItems', 'maxItems', 'uniqueItems', 'contains', 'prefixItems']);
const MEMBERS = new Set([
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
]);

const OWN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['string', TEXT],
  ['number', NUMERIC],
  ['integer', NUMERIC],
  ['array', LIST],
  ['object', MEMBERS],
]);

const BOUND = new Set([...TEXT, ...NUMERIC, ...LIST, ...MEMBERS]);

const fits = (type: string, value: unknown): boolean => {
  const own = typeOfValue(value);
  return own === type || (type === 'number' && own === 'integer');
};

const only = (node: SchemaObject, type: string): SchemaObject | undefined => {
  const values = ownMember(node, 'enum');
  const own = Array.isArray(values) ? values.filter((value: unknown) => fits(type, value)) : undefined;
  if (own?.length === 0) return undefined;
  const keywords = Object.entries(node).filter(([keyword]) => OWN.get(type)?.has(keyword));
  return { type, ...Object.fromEntries(keywords), ...(own === undefined ? {} : { enum: own }) };
};

const isSimple = (types: readonly string[]): boolean =>
  types.length === 1 ||
  (types.length === 2 && types.includes('null') && !types.some((type) => type === 'object' || type === 'array'));

/** A list of types becomes alternatives; only a nullable scalar may stay as it is. */
export const splitTypes: Step = {
  id: 'split-types',
  order: 'down',
  rewrite: (node, place, { report }) => {
    const types = [...new Set(typesOf(node))];
    if (!Array.isArray(node['type']) || Object.hasOwn(node, 'anyOf')) return undefined;
    if (place.isRoot && types.includes('object')) {
      report(place, 'The arguments are always an object.', 'same');
      return { schema: { ...node, type: 'object' } };
    }
    if (types.length === 1) return { schema: { ...node, type: types[0] } };
    if (isSimple(types)) return undefined;
    const branches = types.map((type) => only(node, type)).filter((branch) => branch !== undefined);
    const shared = Object.entries(node).filter(([key]) => key !== 'type' && key !== 'enum' && !BOUND.has(key));
    report(place, 'A list of types became alternatives.', 'same');
    return {
      schema: { ...Object.fromEntries(shared), ...(branches.length === 1 ? branches[0] : { anyOf: branches }) },
    };
  },
};
