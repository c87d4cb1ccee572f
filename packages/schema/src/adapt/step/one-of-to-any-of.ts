import { isJsonObject } from '@plugboard/base';
import { areDisjoint } from './disjoint.js';
import { brief, describe } from './prose.js';
import type { Step } from './step.js';

/** `oneOf` becomes `anyOf`: the same where no value matches two branches. */
export const oneOfToAnyOf: Step = {
  id: 'one-of-to-any-of',
  order: 'up',
  rewrite: (node, place, { report }) => {
    const { oneOf: branches, ...rest } = node;
    if (!Array.isArray(branches) || !branches.every(isJsonObject)) return undefined;
    if (Object.hasOwn(node, 'anyOf')) {
      report(place, 'One of two sets of alternatives is only described.', 'wider');
      return { schema: describe(rest, `It must also match exactly one of ${brief(branches, 300)}.`) };
    }
    report(place, '"oneOf" became "anyOf".', areDisjoint(branches) ? 'same' : 'wider');
    return { schema: { ...rest, anyOf: branches } };
  },
};
