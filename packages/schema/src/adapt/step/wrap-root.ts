import { isJsonObject } from '@plugboard/base';
import { ownMember, type SchemaObject } from '../../document/json-schema.js';
import { typesOf } from '../../profile/definition/schema-view.js';
import { CannotRewrite } from './cannot-rewrite.js';
import type { ValueMapping } from '../mapping/mapping.js';
import { annotationsOf } from './prose.js';
import type { Step } from './step.js';

const KEY = 'input';

const canBeObject = (schema: unknown): boolean => {
  if (!isJsonObject(schema)) return schema === true;
  const types = typesOf(schema);
  return types.length === 0 || types.includes('object');
};

const objectBranches = (root: SchemaObject): readonly unknown[] => {
  const branches = ownMember(root, 'anyOf');
  return Array.isArray(branches) ? branches.filter(canBeObject) : [];
};

/** The arguments of a tool are one object: a union of objects becomes the only property of one. */
export const wrapRoot: Step = {
  id: 'wrap-root',
  order: 'down',
  rewrite: (node, place, { report }) => {
    if (!place.isRoot) return undefined;
    if (!canBeObject(node)) {
      throw new CannotRewrite(
        'The arguments of a tool are always an object, and this schema accepts no object.',
        '',
        false,
      );
    }
    if (!Object.hasOwn(node, 'anyOf')) {
      if (node['type'] === 'object' && isJsonObject(node['properties'])) return undefined;
      report(place, '"type": "object" and "properties" were added to the root.', 'same');
      return { schema: { ...node, type: 'object', properties: node['properties'] ?? {} } };
    }
    const branches = objectBranches(node);
    if (branches.length === 0) {
      throw new CannotRewrite('None of the alternatives at the root is an object.', '/anyOf', false);
    }
    report(place, `The alternatives at the root became the property "${KEY}".`, 'same');
    const union = { ...node, anyOf: branches };
    return {
      schema: {
        ...annotationsOf(node),
        type: 'object',
        properties: { [KEY]: union },
        required: [KEY],
        additionalProperties: false,
      },
      mapping: { op: 'wrap', key: KEY },
    };
  },
};

export const wrapMapping: ValueMapping<'wrap'> = {
  forward: ({ key }, value) => ({ [key]: value }),
  restore: ({ key }, value) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : value),
};
