import { setTimeout as sleepFor } from 'node:timers/promises';
import type { FakeTool } from '../definition/tool.js';
import type { FakeCall } from '../definition/tool-call.js';
import { isLogLevel } from '../definition/log-level.js';
import { numberOf, schemaOf, textOf } from './argument.js';

const pause = (ms: number, call: FakeCall): Promise<void> => sleepFor(ms, undefined, { signal: call.signal });

export const sleep: FakeTool = {
  name: 'sleep',
  description: 'Answers after this many milliseconds; a cancellation wakes it.',
  inputSchema: schemaOf({ ms: 'integer' }, ['ms']),
  annotations: { readOnlyHint: true },
  handler: async (args, call) => {
    await pause(numberOf(args, 'ms', 0), call);
    return 'awake';
  },
};

export const hang: FakeTool = {
  name: 'hang',
  description: 'Never answers; only a cancellation ends it.',
  inputSchema: schemaOf({}),
  handler: (_args, call) =>
    new Promise((_resolve, reject) => {
      call.signal.addEventListener('abort', () => reject(new Error('cancelled')), { once: true });
    }),
};

export const progress: FakeTool = {
  name: 'progress',
  description: 'Reports progress this many times, with a pause between.',
  inputSchema: schemaOf({ steps: 'integer', ms: 'integer' }),
  annotations: { readOnlyHint: true },
  handler: async (args, call) => {
    const steps = numberOf(args, 'steps', 3);
    for (let step = 1; step <= steps; step += 1) {
      call.progress({ progress: step, total: steps, message: `step ${step}` });
      await pause(numberOf(args, 'ms', 0), call);
    }
    return `${steps} steps`;
  },
};

export const log: FakeTool = {
  name: 'log',
  description: 'Logs a message at a level before it answers.',
  inputSchema: schemaOf({ level: 'string', message: 'string' }),
  annotations: { readOnlyHint: true },
  handler: (args, call) => {
    const level = textOf(args, 'level', 'info');
    call.log(isLogLevel(level) ? level : 'info', textOf(args, 'message', 'a message'), 'fake');
    return 'logged';
  },
};
