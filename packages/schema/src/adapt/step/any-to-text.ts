import { asText } from './prose.js';
import type { Step } from './step.js';

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
