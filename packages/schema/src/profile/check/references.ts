import { isJsonObject } from '@plugboard/base';
import { refOf, refResolver, type RefResolver } from '../../document/resolve-ref.js';
import { walkSchema } from '../../document/walk-schema.js';
import type { Sighting } from '../definition/finding.js';
import type { RuleFor } from '../definition/rule.js';
import type { SchemaView } from '../definition/schema-view.js';

const refsBelow = (schema: unknown): ReadonlySet<string> => {
  const refs = new Set<string>();
  walkSchema(schema, (node) => {
    const ref = refOf(node.schema);
    if (ref !== undefined) refs.add(ref);
  });
  return refs;
};

/** Which references each reference leads to, for all that can be met. */
const graphOf = (refs: Iterable<string>, resolve: RefResolver): ReadonlyMap<string, ReadonlySet<string>> => {
  const graph = new Map<string, ReadonlySet<string>>();
  const pending = [...refs];
  for (let ref = pending.pop(); ref !== undefined; ref = pending.pop()) {
    if (graph.has(ref)) continue;
    const target = resolve(ref);
    const next = target.found ? refsBelow(target.schema) : new Set<string>();
    graph.set(ref, next);
    pending.push(...next);
  }
  return graph;
};

/** References from which some circle can be reached: those that remain when all that end are taken away. */
const recursiveRefs = (refs: Iterable<string>, resolve: RefResolver): ReadonlySet<string> => {
  const graph = graphOf(refs, resolve);
  const open = new Map([...graph].map(([ref, next]) => [ref, next.size]));
  const comesFrom = new Map<string, string[]>();
  for (const [ref, next] of graph) {
    for (const to of next) {
      const known = comesFrom.get(to);
      if (known === undefined) comesFrom.set(to, [ref]);
      else known.push(ref);
    }
  }
  const ended = [...open].filter(([, left]) => left === 0).map(([ref]) => ref);
  for (let ref = ended.pop(); ref !== undefined; ref = ended.pop()) {
    open.delete(ref);
    for (const from of comesFrom.get(ref) ?? []) {
      const left = (open.get(from) ?? 0) - 1;
      open.set(from, left);
      if (left === 0) ended.push(from);
    }
  }
  return new Set(open.keys());
};

const complainer = (rule: RuleFor<'references'>, view: SchemaView): ((ref: string) => string | undefined) => {
  if (rule.allowed === 'none') return () => 'References are not supported.';
  const resolve = refResolver(view.root);
  const refs = view.objects.map(({ schema }) => refOf(schema)).filter((ref) => ref !== undefined);
  const recursive = rule.allowed === 'any' ? new Set<string>() : recursiveRefs(refs, resolve);
  return (ref) => {
    if (!resolve(ref).found) return `The reference "${ref.slice(0, 80)}" has no target in this schema.`;
    return recursive.has(ref) ? 'The schema refers to itself, which is not supported.' : undefined;
  };
};

export const references = (rule: RuleFor<'references'>, view: SchemaView): readonly Sighting[] => {
  if (!isJsonObject(view.root)) return [];
  const complain = complainer(rule, view);
  return view.objects.flatMap(({ schema, pointer }) => {
    const ref = refOf(schema);
    const message = ref === undefined ? undefined : complain(ref);
    return message === undefined ? [] : [{ pointer, message, fix: 'Replace the reference with its target.' }];
  });
};
