import { createHash } from 'node:crypto';

type Task = { readonly write: string } | { readonly value: unknown } | { readonly leave: object };

/** Values written before the rest is cut off: only a document that no limit has looked at gets there. */
const MAX_VALUES = 1_000_000;

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

const memberTasks = (value: object): Task[] => {
  if (Array.isArray(value)) {
    return value.flatMap((element: unknown, index): Task[] =>
      index === 0 ? [{ value: element }] : [{ write: ',' }, { value: element }],
    );
  }
  const record = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(record).filter((key) => record[key] !== undefined);
  return keys
    .sort()
    .flatMap((key, index): Task[] => [
      { write: `${index === 0 ? '' : ','}${JSON.stringify(key)}:` },
      { value: record[key] },
    ]);
};

/**
 * JSON with sorted member names: equal documents give equal text. Works without recursion, so that nesting cannot
 * exhaust the stack, and writes a mark where a value contains itself.
 */
export const canonicalJson = (root: unknown): string => {
  const parts: string[] = [];
  const ancestors = new Set<object>();
  const pending: Task[] = [{ value: root }];
  let values = 0;
  for (let task = pending.pop(); task !== undefined; task = pending.pop()) {
    if ('write' in task) {
      parts.push(task.write);
    } else if ('leave' in task) {
      ancestors.delete(task.leave);
    } else if (typeof task.value !== 'object' || task.value === null) {
      parts.push(scalar(task.value));
    } else if (ancestors.has(task.value) || values > MAX_VALUES) {
      parts.push(ancestors.has(task.value) ? '<itself>' : '<cut>');
    } else {
      const brackets = Array.isArray(task.value) ? '[]' : '{}';
      const members = memberTasks(task.value);
      values += members.length;
      ancestors.add(task.value);
      parts.push(brackets.charAt(0));
      pending.push({ write: brackets.charAt(1) }, { leave: task.value });
      for (let index = members.length - 1; index >= 0; index -= 1) pending.push(members[index] as Task);
    }
  }
  return parts.join('');
};

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
