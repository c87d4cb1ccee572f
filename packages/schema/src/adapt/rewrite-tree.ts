import { isJsonObject } from '@plugboard/base';
import type { SchemaObject } from '../document/json-schema.js';
import { appendPointer } from '../document/pointer.js';
import { propertiesOf } from '../profile/definition/schema-view.js';
import { areDisjoint } from './step/disjoint.js';
import { sequence, type BranchMapping, type Mapping } from './mapping/mapping.js';
import type { Place, Step, StepContext } from './step/step.js';

interface Result {
  readonly schema: SchemaObject;
  readonly mapping: Mapping | null;
}

interface Visitor {
  readonly visit: (schema: SchemaObject, place: Place) => Result;
  readonly context: StepContext;
}

class InnerPlace implements Place {
  readonly isRoot = false;
  readonly level: number;
  readonly #outer: Place;
  readonly #tokens: readonly (string | number)[];

  constructor(outer: Place, tokens: readonly (string | number)[], level: number) {
    this.#outer = outer;
    this.#tokens = tokens;
    this.level = level;
  }

  /** Only a report needs it, and most nodes cause none. */
  get pointer(): string {
    return appendPointer(this.#outer.pointer, ...this.#tokens);
  }
}

const isNested = ({ type }: SchemaObject): boolean =>
  Array.isArray(type) ? type.includes('object') || type.includes('array') : type === 'object' || type === 'array';

const inner = (place: Place, parent: SchemaObject, ...tokens: readonly (string | number)[]): Place =>
  new InnerPlace(place, tokens, place.level + (isNested(parent) ? 1 : 0));

/** What became of the schemas under one keyword; absent when nothing did. */
interface Visited {
  readonly member: unknown;
  readonly mapping: Mapping | null;
}

const visitProperties = (node: SchemaObject, place: Place, { visit }: Visitor): Visited | undefined => {
  const properties = node['properties'];
  if (!isJsonObject(properties)) return undefined;
  let changed = false;
  const mapped: [string, Mapping][] = [];
  const entries = Object.entries(properties).map(([key, schema]): readonly [string, unknown] => {
    if (!isJsonObject(schema)) return [key, schema];
    const result = visit(schema, inner(place, node, 'properties', key));
    changed ||= result.schema !== schema;
    if (result.mapping !== null) mapped.push([key, result.mapping]);
    return [key, result.schema];
  });
  if (!changed && mapped.length === 0) return undefined;
  return {
    member: Object.fromEntries(entries),
    mapping: mapped.length === 0 ? null : { op: 'inside', properties: Object.fromEntries(mapped) },
  };
};

const visitOne = (node: SchemaObject, keyword: string, place: Place, { visit }: Visitor): Visited | undefined => {
  const schema = node[keyword];
  if (!isJsonObject(schema)) return undefined;
  const result = visit(schema, inner(place, node, keyword));
  return result.schema === schema && result.mapping === null
    ? undefined
    : { member: result.schema, mapping: result.mapping };
};

/** Could a value that one branch was mapped to be taken for one of another branch on the way back? */
const isAmbiguous = (branches: readonly BranchMapping[]): boolean => {
  const isMapped = (index: number): boolean => (branches[index]?.mapping ?? null) !== null;
  return (
    branches.some((_, index) => isMapped(index)) &&
    !areDisjoint(
      branches.map(({ after }) => after),
      isMapped,
    )
  );
};

const visitBranches = (node: SchemaObject, place: Place, { visit, context }: Visitor): Visited | undefined => {
  const list = node['anyOf'];
  if (!Array.isArray(list) || !list.every(isJsonObject)) return undefined;
  const branches = list.map((before, index): BranchMapping => {
    const { schema, mapping } = visit(before, inner(place, node, 'anyOf', index));
    return { before, after: schema, mapping };
  });
  if (branches.every(({ before, after, mapping }) => before === after && mapping === null)) return undefined;
  if (isAmbiguous(branches)) {
    context.report(place, 'A value for one alternative may be read as another of the same shape.', 'narrower');
  }
  return {
    member: branches.map(({ after }) => after),
    mapping: branches.some(({ mapping }) => mapping !== null) ? { op: 'union', branches } : null,
  };
};

/** Lists that an early step turns into something else; no step that changes values sees them. */
const visitList = (node: SchemaObject, keyword: string, place: Place, { visit }: Visitor): Visited | undefined => {
  const list = node[keyword];
  if (!Array.isArray(list)) return undefined;
  const member = list.map((entry: unknown, index) =>
    isJsonObject(entry) ? visit(entry, inner(place, node, keyword, index)).schema : entry,
  );
  return member.every((entry, index) => entry === list[index]) ? undefined : { member, mapping: null };
};

const EARLY_LISTS = ['oneOf', 'allOf', 'prefixItems'];

const innerMapping = (node: SchemaObject, parts: Readonly<Record<string, Visited | undefined>>): Mapping | null => {
  const { properties, items, additionalProperties } = parts;
  if (!properties?.mapping && !items?.mapping && !additionalProperties?.mapping) return null;
  return {
    op: 'inside',
    ...(properties?.mapping?.op === 'inside' ? properties.mapping : {}),
    ...(items?.mapping ? { items: items.mapping } : {}),
    ...(additionalProperties?.mapping
      ? { additional: additionalProperties.mapping, declared: Object.keys(propertiesOf(node)) }
      : {}),
  };
};

const HOLDERS = ['properties', 'items', 'additionalProperties', 'anyOf', ...EARLY_LISTS];

const visitHolder = (node: SchemaObject, keyword: string, place: Place, visitor: Visitor): Visited | undefined => {
  switch (keyword) {
    case 'properties':
      return visitProperties(node, place, visitor);
    case 'items':
    case 'additionalProperties':
      return visitOne(node, keyword, place, visitor);
    case 'anyOf':
      return visitBranches(node, place, visitor);
    default:
      return visitList(node, keyword, place, visitor);
  }
};

const visitChildren = (node: SchemaObject, place: Place, visitor: Visitor): Result => {
  let parts: Record<string, Visited> | undefined;
  for (const keyword of HOLDERS) {
    if (node[keyword] === undefined) continue;
    const part = visitHolder(node, keyword, place, visitor);
    if (part !== undefined) parts = { ...parts, [keyword]: part };
  }
  if (parts === undefined) return { schema: node, mapping: null };
  const members = Object.entries(parts).map(([keyword, { member }]) => [keyword, member] as const);
  return {
    schema: { ...node, ...Object.fromEntries(members) },
    mapping: sequence(innerMapping(node, parts), parts['anyOf']?.mapping ?? null),
  };
};

/** Applies one step to a whole schema. Only what the core form contains is entered. */
export const rewriteTree = (root: SchemaObject, step: Step, context: StepContext): Result => {
  const visitDown = (node: SchemaObject, place: Place): Result => {
    const rewritten = step.rewrite(node, place, context);
    // what was replaced together with its values is not entered: its form is no longer a schema of the tree
    if (rewritten?.mapping) return { schema: rewritten.schema, mapping: rewritten.mapping };
    return visitChildren(rewritten?.schema ?? node, place, { visit: visitDown, context });
  };
  const visitUp = (node: SchemaObject, place: Place): Result => {
    const children = visitChildren(node, place, { visit: visitUp, context });
    const rewritten = step.rewrite(children.schema, place, context);
    return rewritten === undefined
      ? children
      : { schema: rewritten.schema, mapping: sequence(children.mapping, rewritten.mapping ?? null) };
  };
  return (step.order === 'down' ? visitDown : visitUp)(root, { pointer: '', isRoot: true, level: 0 });
};
