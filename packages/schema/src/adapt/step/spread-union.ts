import { isJsonObject } from '@plugboard/base';
import type { SchemaObject } from '../../document/json-schema.js';
import { CannotRewrite } from './cannot-rewrite.js';
import { mergeSchemas } from './merge-schemas.js';
import { requiredOf } from '../../profile/definition/schema-view.js';
import { isDisjoint } from './disjoint.js';
import { brief, describe } from './prose.js';
import type { Place, Step, StepContext } from './step.js';

const TEXTS = new Set(['title', 'description', 'default', 'examples']);

const baseOf = (node: SchemaObject): SchemaObject =>
  Object.fromEntries(Object.entries(node).filter(([key]) => key !== 'anyOf' && !TEXTS.has(key)));

const textsOf = (node: SchemaObject): SchemaObject =>
  Object.fromEntries(Object.entries(node).filter(([key]) => TEXTS.has(key)));

const CONSTRAINT_ONLY = new Set(['required', 'not', 'type', 'title', 'description']);

/** A branch that only demands members of the object around it. */
const onlyDemands = (branch: SchemaObject): boolean =>
  Object.keys(branch).every((keyword) => CONSTRAINT_ONLY.has(keyword)) && !Object.hasOwn(branch, 'properties');

const demand = (branches: readonly SchemaObject[]): string =>
  `At least one of these must be given: ${branches
    .map((branch) => requiredOf(branch).join(' and ') || brief(branch))
    .join('; ')}.`;

const mergeOnly = (node: SchemaObject, branch: SchemaObject, place: Place): SchemaObject => {
  const { anyOf: _only, ...base } = node;
  const merged = mergeSchemas(base, branch);
  if (merged === undefined) {
    throw new CannotRewrite('The only alternative contradicts the keywords next to it.', place.pointer);
  }
  return merged;
};

const mergeEach = (branches: readonly SchemaObject[], base: SchemaObject, place: Place): readonly SchemaObject[] =>
  branches.map((branch) => {
    const merged = mergeSchemas(branch, base);
    if (merged !== undefined) return merged;
    throw new CannotRewrite('The keywords next to the alternatives cannot be merged into them.', place.pointer);
  });

const spread = (node: SchemaObject, place: Place, context: StepContext): SchemaObject => {
  const listed = node['anyOf'];
  if (!Array.isArray(listed) || !listed.every(isJsonObject)) return node;
  const base = baseOf(node);
  // what contradicts its surroundings takes no value
  const branches = listed.filter((branch) => !isDisjoint(base, branch));
  if (branches.length === 0) {
    throw new CannotRewrite('Every alternative contradicts the keywords next to it.', place.pointer, !place.isRoot);
  }
  if (branches.length === 1) {
    context.report(place, 'A single alternative was merged.', 'same');
    return spread(mergeOnly(node, branches[0] as SchemaObject, place), place, context);
  }
  if (Object.keys(base).length === 0) return node;
  if (Object.hasOwn(base, 'properties') && branches.every(onlyDemands)) {
    context.report(place, 'Alternatives that only require members are described in words.', 'wider');
    return describe({ ...textsOf(node), ...base }, demand(branches));
  }
  context.report(place, 'The keywords next to the alternatives were moved into each of them.', 'same');
  const merged = mergeEach(branches, base, place).map((branch) => spread(branch, place, context));
  return { ...textsOf(node), anyOf: merged };
};

/** What stands beside `anyOf` moves into each branch; branches that only demand members become a sentence. */
export const spreadUnion: Step = {
  id: 'spread-union',
  order: 'up',
  rewrite: (node, place, context) => {
    const schema = spread(node, place, context);
    return schema === node ? undefined : { schema };
  },
};
