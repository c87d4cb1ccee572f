import { isRecord, isSchema } from '../../document/json-schema.js';
import { refOf, refResolver, type RefResolver } from '../../document/resolve-ref.js';
import { walkSchema } from '../../document/walk-schema.js';
import type { Sighting } from '../finding.js';
import type { RuleFor } from '../rule.js';
import type { SchemaView } from '../schema-view.js';

const refsBelow = (schema: unknown): readonly string[] => {
  const refs: string[] = [];
  walkSchema(schema, (node) => {
    const ref = refOf(node.schema);
    if (ref !== undefined) refs.push(ref);
  });
  return refs;
};

/** Can `ref` be reached again from what it names? */
const isRecursive = (resolve: RefResolver, ref: string): boolean => {
  const seen = new Set<string>();
  const pending = [ref];
  let first = true;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!first && next === ref) return true;
    first = false;
    if (seen.has(next)) continue;
    seen.add(next);
    const target = resolve(next);
    if (target.found) pending.push(...refsBelow(target.schema));
  }
  return false;
};

const complaint = (rule: RuleFor<'references'>, resolve: RefResolver, ref: string): string | undefined => {
  if (rule.allowed === 'none') return 'References are not supported.';
  const target = resolve(ref);
  if (!target.found) return `The reference "${ref.slice(0, 80)}" leads nowhere in this schema.`;
  return rule.allowed === 'non-recursive' && isRecursive(resolve, ref)
    ? 'The schema refers to itself, which is not supported.'
    : undefined;
};

export const references = (rule: RuleFor<'references'>, view: SchemaView): readonly Sighting[] => {
  if (!isSchema(view.root) || !isRecord(view.root)) return [];
  const resolve = refResolver(view.root);
  const known = new Map<string, string | undefined>();
  return view.objects.flatMap(({ schema, pointer }) => {
    const ref = refOf(schema);
    if (ref === undefined) return [];
    if (!known.has(ref)) known.set(ref, complaint(rule, resolve, ref));
    const message = known.get(ref);
    return message === undefined ? [] : [{ pointer, message, fix: 'Write out what the reference stands for.' }];
  });
};
