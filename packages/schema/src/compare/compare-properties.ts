import { canonicalJson } from '../document/canonical-json.js';
import { isSchema, ownMember, type JsonSchema } from '../document/json-schema.js';
import { appendPointer } from '../document/pointer.js';
import type { Pair } from './compare-constraints.js';
import { placeOf, reportEffect, reportText, type Comparison } from './comparison.js';
import { hasTexts, withoutTexts } from './keyword-role.js';
import { nameSet, schemaMap } from './schema-side.js';

/** Compares what is inside two schemas; given by the caller, because it recurses. */
export type CompareInner = (before: JsonSchema, after: JsonSchema, pointer: string) => void;

interface Members {
  readonly old: ReadonlyMap<string, JsonSchema>;
  readonly now: ReadonlyMap<string, JsonSchema>;
  readonly oldRequired: ReadonlySet<string>;
  readonly nowRequired: ReadonlySet<string>;
}

const isClosed = (additional: unknown): boolean => additional === false;

type Shaped = ReadonlyMap<string, readonly string[]>;

const namesByShape = (members: readonly (readonly [string, JsonSchema])[], required: ReadonlySet<string>): Shaped => {
  const names = new Map<string, string[]>();
  for (const [name, schema] of members) {
    const shape = canonicalJson([withoutTexts(schema), required.has(name)]);
    const alike = names.get(shape);
    if (alike === undefined) names.set(shape, [name]);
    else alike.push(name);
  }
  return names;
};

/** Pairs of names that went and came with the very same schema: one parameter under a new name. */
const renamedMembers = ({ old, now, oldRequired, nowRequired }: Members): ReadonlyMap<string, string> => {
  const gone = [...old].filter(([name]) => !now.has(name));
  const come = [...now].filter(([name]) => !old.has(name));
  if (gone.length === 0 || come.length === 0) return new Map();
  const candidates = namesByShape(come, nowRequired);
  const renamed = new Map<string, string>();
  for (const [shape, names] of namesByShape(gone, oldRequired)) {
    const [name, newName] = [names[0], candidates.get(shape)?.[0]];
    const unambiguous = names.length === 1 && candidates.get(shape)?.length === 1;
    if (unambiguous && name !== undefined && newName !== undefined) renamed.set(name, newName);
  }
  return renamed;
};

const reportRemoved = (name: string, pointer: string, required: boolean, comparison: Comparison): void => {
  const harmless = comparison.direction === 'output' && !required;
  comparison.report({
    kind: harmless ? 'compatible' : 'breaking',
    code: 'parameter-removed',
    pointer,
    sentence: `${comparison.direction === 'input' ? 'Parameter' : 'Member'} "${name}" was removed.`,
  });
};

interface Added {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly pointer: string;
  readonly required: boolean;
  readonly wasClosed: boolean;
}

const reportAdded = ({ name, schema, pointer, required, wasClosed }: Added, comparison: Comparison): void => {
  const breaks = comparison.direction === 'input' ? required : wasClosed;
  const what = comparison.direction === 'input' ? 'parameter' : 'member';
  comparison.report({
    kind: breaks ? 'breaking' : 'compatible',
    code: 'parameter-added',
    pointer,
    sentence: `New ${required ? 'required' : 'optional'} ${what} "${name}".`,
  });
  if (hasTexts(schema)) reportText(comparison, pointer, `The new ${what} "${name}" adds text that the model reads.`);
};

const compareRequired = (pair: Pair, { old, now, oldRequired, nowRequired }: Members, comparison: Comparison): void => {
  const at = appendPointer(pair.pointer, 'required');
  // a name that came or went with its property is reported there
  const settled = (name: string): boolean => old.has(name) !== now.has(name);
  for (const name of nowRequired) {
    if (!oldRequired.has(name) && !settled(name)) {
      reportEffect(comparison, 'narrowed', at, `"${name}" is now required.`);
    }
  }
  for (const name of oldRequired) {
    if (!nowRequired.has(name) && !settled(name)) {
      reportEffect(comparison, 'widened', at, `"${name}" is no longer required.`);
    }
  }
};

const compareAdditional = (pair: Pair, comparison: Comparison, inner: CompareInner): void => {
  const [old, now] = [
    ownMember(pair.before, 'additionalProperties') ?? true,
    ownMember(pair.after, 'additionalProperties') ?? true,
  ];
  const at = appendPointer(pair.pointer, 'additionalProperties');
  const place = placeOf(pair.pointer);
  if (isClosed(old) && isClosed(now)) return;
  if (isClosed(now)) {
    reportEffect(comparison, 'narrowed', at, `${place} no longer accepts undeclared properties.`);
  } else if (isClosed(old)) {
    reportEffect(comparison, 'widened', at, `${place} now accepts undeclared properties.`);
  } else if (isSchema(old) && isSchema(now)) {
    inner(old, now, at);
  }
};

/** What two objects say about their members. */
export const compareProperties = (pair: Pair, comparison: Comparison, inner: CompareInner): void => {
  const members: Members = {
    old: schemaMap(pair.before, 'properties'),
    now: schemaMap(pair.after, 'properties'),
    oldRequired: nameSet(pair.before, 'required'),
    nowRequired: nameSet(pair.after, 'required'),
  };
  const renamed = renamedMembers(members);
  const newNames = new Set(renamed.values());
  const at = (name: string): string => appendPointer(pair.pointer, 'properties', name);
  for (const [name, schema] of members.old) {
    const counterpart = members.now.get(name);
    const newName = renamed.get(name);
    if (counterpart !== undefined) {
      inner(schema, counterpart, at(name));
    } else if (newName === undefined) {
      reportRemoved(name, at(name), members.oldRequired.has(name), comparison);
    } else {
      const sentence = `"${name}" was renamed to "${newName}".`;
      comparison.report({ kind: 'breaking', code: 'parameter-renamed', pointer: at(newName), sentence });
      inner(schema, members.now.get(newName) ?? true, at(newName));
    }
  }
  const wasClosed = isClosed(ownMember(pair.before, 'additionalProperties'));
  for (const [name, schema] of members.now) {
    if (members.old.has(name) || newNames.has(name)) continue;
    const required = members.nowRequired.has(name);
    reportAdded({ name, schema, pointer: at(name), required, wasClosed }, comparison);
  }
  compareRequired(pair, members, comparison);
  compareAdditional(pair, comparison, inner);
};
