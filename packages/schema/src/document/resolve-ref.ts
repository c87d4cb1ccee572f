import { isJsonObject } from '@plugboard/base';
import { isSchema, ownMember, type JsonSchema } from './json-schema.js';
import { lookUp } from './pointer.js';
import { walkSchema } from './walk-schema.js';

/** Where a reference leads, or why it leads nowhere. Nothing is ever fetched. */
export type Resolution =
  | { readonly found: true; readonly schema: JsonSchema; readonly pointer: string }
  | { readonly found: false; readonly why: 'remote' | 'missing' | 'not-a-schema' | 'endless' };

const decodeFragment = (fragment: string): string => {
  if (!fragment.includes('%')) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
};

/** The fragment of a reference into this document; undefined when it points at another one. */
const localFragment = (root: unknown, ref: string): string | undefined => {
  if (ref.startsWith('#')) return decodeFragment(ref.slice(1));
  const hash = ref.indexOf('#');
  const document = hash === -1 ? ref : ref.slice(0, hash);
  const fragment = hash === -1 ? '' : decodeFragment(ref.slice(hash + 1));
  const id = isJsonObject(root) ? (ownMember(root, '$id') ?? ownMember(root, 'id')) : undefined;
  return typeof id === 'string' && id.replace(/#$/u, '') === document ? fragment : undefined;
};

/** Anchors by name; the first of two equal ones counts. */
const indexAnchors = (root: unknown): ReadonlyMap<string, Resolution> => {
  const anchors = new Map<string, Resolution>();
  walkSchema(root, ({ schema, pointer }) => {
    if (typeof schema === 'boolean') return;
    const id = ownMember(schema, '$id');
    // draft-07 spells an anchor as an id that is only a fragment
    const spelledAsId = typeof id === 'string' && id.startsWith('#') ? id.slice(1) : undefined;
    for (const name of [ownMember(schema, '$anchor'), ownMember(schema, '$dynamicAnchor'), spelledAsId]) {
      if (typeof name === 'string' && !anchors.has(name)) anchors.set(name, { found: true, schema, pointer });
    }
  });
  return anchors;
};

/** Answers where a reference leads, one step at a time. */
export type RefResolver = (ref: string) => Resolution;

const resolvePointer = (root: unknown, pointer: string): Resolution => {
  const target = lookUp(root, pointer);
  if (target === undefined) return { found: false, why: 'missing' };
  return isSchema(target) ? { found: true, schema: target, pointer } : { found: false, why: 'not-a-schema' };
};

/** A resolver for one document that remembers its answers; the document must not change meanwhile. */
export const refResolver = (root: unknown): RefResolver => {
  const answers = new Map<string, Resolution>();
  let anchors: ReadonlyMap<string, Resolution> | undefined;

  const resolve = (ref: string): Resolution => {
    const fragment = localFragment(root, ref);
    if (fragment === undefined) return { found: false, why: 'remote' };
    if (fragment === '' || fragment.startsWith('/')) return resolvePointer(root, fragment);
    anchors ??= indexAnchors(root);
    return anchors.get(fragment) ?? { found: false, why: 'missing' };
  };

  return (ref) => {
    const known = answers.get(ref);
    if (known !== undefined) return known;
    const answer = resolve(ref);
    answers.set(ref, answer);
    return answer;
  };
};

/** The reference that a schema consists of or contains: `$ref`, or its dynamic relatives taken as plain ones. */
export const refOf = (schema: JsonSchema): string | undefined => {
  if (typeof schema === 'boolean') return undefined;
  const ref = ownMember(schema, '$ref') ?? ownMember(schema, '$dynamicRef') ?? ownMember(schema, '$recursiveRef');
  return typeof ref === 'string' ? ref : undefined;
};

/** Follows references until a schema without one: `endless` when they only lead to each other. */
export const followRefs = (resolve: RefResolver, schema: JsonSchema): Resolution => {
  const seen = new Set<string>();
  let current: Resolution = { found: true, schema, pointer: '' };
  for (let ref = refOf(schema); ref !== undefined; ref = refOf(current.schema)) {
    if (seen.has(ref)) return { found: false, why: 'endless' };
    seen.add(ref);
    current = resolve(ref);
    if (!current.found) return current;
  }
  return current;
};
