import { createHash } from 'node:crypto';
import { LIMITS } from './limits.js';

interface Frame {
  readonly value: object;
  /** Undefined for a list. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/** Values that are written before the rest is cut off: only what no limit admits gets there. */
const MAX_VALUES = 2 * LIMITS.nodes;

const scalar = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return JSON.stringify(value);
    default:
      return 'null';
  }
};

const open = (value: object): Frame => {
  if (Array.isArray(value)) return { value, keys: undefined, length: value.length, next: 0 };
  const record = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(record).filter((key) => record[key] !== undefined);
  return { value, keys: keys.sort(), length: keys.length, next: 0 };
};

/**
 * JSON with sorted member names: equal documents give equal text. Works without recursion, so that nesting cannot
 * exhaust the stack; leaves a mark where a value contains itself, and ends early on what is beyond all limits.
 */
export const canonicalJson = (root: unknown): string => {
  const path: Frame[] = [];
  const ancestors = new Set<object>();
  let text = '';
  let values = 0;

  const write = (value: unknown): void => {
    values += 1;
    if (typeof value !== 'object' || value === null) {
      text += scalar(value);
    } else if (ancestors.has(value)) {
      text += '<itself>';
    } else {
      ancestors.add(value);
      path.push(open(value));
      text += Array.isArray(value) ? '[' : '{';
    }
  };

  write(root);
  for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
    if (values > MAX_VALUES) break;
    if (frame.next >= frame.length) {
      text += frame.keys === undefined ? ']' : '}';
      ancestors.delete(frame.value);
      path.pop();
      continue;
    }
    if (frame.next > 0) text += ',';
    const key = frame.keys?.[frame.next] ?? String(frame.next);
    if (frame.keys !== undefined) text += `${JSON.stringify(key)}:`;
    frame.next += 1;
    write((frame.value as Readonly<Record<string, unknown>>)[key]);
  }
  return path.length > 0 ? `${text}<cut>` : text;
};

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
