import { LIMITS, type Limits } from './limits.js';
import { appendPointer } from './pointer.js';

export type Excess = 'cycle' | 'depth' | 'nodes' | 'size' | 'not-json';

/** What a document costs to read, or why it is not read at all. */
export type Measurement =
  | { readonly ok: true; readonly nodes: number; readonly depth: number; readonly size: number }
  | { readonly ok: false; readonly excess: Excess; readonly pointer: string };

interface Frame {
  readonly value: object;
  readonly keys: readonly string[];
  readonly key: string;
  next: number;
}

const SCALAR_SIZE = 8;
const POINTER_TOKENS = 12;

const pointerOf = (path: readonly Frame[]): string =>
  appendPointer('', ...path.slice(1, POINTER_TOKENS + 1).map((frame) => frame.key));

const scalarSize = (value: unknown): number | undefined => {
  switch (typeof value) {
    case 'string':
      return value.length;
    case 'number':
    case 'boolean':
    case 'undefined':
      return SCALAR_SIZE;
    default:
      return value === null ? SCALAR_SIZE : undefined;
  }
};

/**
 * Reads a value once, without recursion, and says whether it is a JSON tree within the limits.
 * What passes may be walked recursively: its depth is bounded and it has no cycles.
 */
export const measure = (root: unknown, limits: Limits = LIMITS): Measurement => {
  const path: Frame[] = [];
  const ancestors = new Set<object>();
  let nodes = 0;
  let depth = 0;
  let size = 0;

  const enter = (value: unknown, key: string): Excess | undefined => {
    nodes += 1;
    size += key.length;
    if (nodes > limits.nodes) return 'nodes';
    if (typeof value !== 'object' || value === null) {
      const own = scalarSize(value);
      if (own === undefined) return 'not-json';
      size += own;
      return size > limits.size ? 'size' : undefined;
    }
    if (ancestors.has(value)) return 'cycle';
    if (path.length >= limits.depth) return 'depth';
    // a list says how long it is before its keys are written out
    if (Array.isArray(value) && value.length > limits.nodes) return 'nodes';
    ancestors.add(value);
    path.push({ value, keys: Object.keys(value), key, next: 0 });
    depth = Math.max(depth, path.length);
    return undefined;
  };

  let excess = enter(root, '');
  while (excess === undefined && path.length > 0) {
    const frame = path[path.length - 1] as Frame;
    const key = frame.keys[frame.next];
    frame.next += 1;
    if (key === undefined) {
      ancestors.delete(frame.value);
      path.pop();
    } else {
      excess = enter((frame.value as Readonly<Record<string, unknown>>)[key], key);
    }
  }
  return excess === undefined ? { ok: true, nodes, depth, size } : { ok: false, excess, pointer: pointerOf(path) };
};
