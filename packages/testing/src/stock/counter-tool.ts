import { appendFileSync, readFileSync } from 'node:fs';
import type { FakeTool } from '../definition/tool.js';
import { schemaOf, textOf } from './argument.js';

/** The executions that a counter tool with this file has seen, across processes and their deaths. */
export const readCounter = (file: string): number => readCounterKeys(file).length;

/** The `key` argument of each execution, in order. */
export const readCounterKeys = (file: string): readonly string[] => {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
};

const memory = new WeakMap<object, number>();

/** Not idempotent: each execution adds a line to `settings.file`, or to a count in memory when there is no file. */
export const counter: FakeTool = {
  name: 'counter',
  description: 'Counts its executions and gives the count.',
  inputSchema: schemaOf({ key: 'string' }),
  annotations: { readOnlyHint: false, idempotentHint: false },
  handler: (args, call) => {
    const file = call.settings['file'];
    if (typeof file === 'string') {
      // One synchronous append: a kill leaves either the whole line or none.
      appendFileSync(file, `${textOf(args, 'key').replaceAll('\n', ' ')}\n`);
      return String(readCounter(file));
    }
    const count = (memory.get(call.host) ?? 0) + 1;
    memory.set(call.host, count);
    return String(count);
  },
};
