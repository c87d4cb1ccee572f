import { typesOf } from '../../profile/definition/schema-view.js';
import { asText } from './prose.js';
import type { Step } from './step.js';

/** What is nested more deeply than the provider allows is taken as JSON text. */
export const deepToText: Step = {
  id: 'deep-to-text',
  order: 'down',
  serves: ['depth'],
  rewrite: (node, place, { report, rule }) => {
    const limit = rule('depth');
    const isNested = typesOf(node).some((type) => type === 'object' || type === 'array');
    if (limit === undefined || !isNested || place.level < limit.max) return undefined;
    report(place, `Values nested more than ${limit.max} levels deep are passed as JSON text.`, 'encoded');
    return { schema: asText(node, 'A JSON value'), mapping: { op: 'text' } };
  },
};

/** A value of any type is taken as JSON text where every value must have a type. */
export const anyToText: Step = {
  id: 'any-to-text',
  order: 'down',
  serves: ['typed'],
  rewrite: (node, place, { report }) => {
    if (place.isRoot || Object.hasOwn(node, 'type') || Object.hasOwn(node, 'anyOf') || Object.hasOwn(node, 'enum')) {
      return undefined;
    }
    report(place, 'A value of any type is passed as JSON text.', 'encoded');
    return { schema: asText(node, 'Any JSON value'), mapping: { op: 'text' } };
  },
};
