import { setTimeout as sleepFor } from 'node:timers/promises';
import { isLogLevel } from '../definition/log-level.js';
import type { FakeTool } from '../definition/tool.js';
import type { FakeCall } from '../definition/tool-call.js';
import { numberOf, textOf } from '../stock/argument.js';
import { READ_ONLY, strictTool } from './strict-tool.js';

const pause = (ms: number, call: FakeCall): Promise<void> => sleepFor(ms, undefined, { signal: call.signal });
const MS = { type: 'integer', minimum: 0, maximum: 60_000 } as const;

const sleep = strictTool({
  name: 'sleep',
  title: 'Sleep',
  description: 'Answers after some milliseconds; a cancellation wakes it.',
  annotations: READ_ONLY,
  parameters: { ms: { ...MS, description: 'How many milliseconds to wait.' } },
  required: ['ms'],
  handler: async (args, call) => {
    await pause(numberOf(args, 'ms', 0), call);
    return 'awake';
  },
});

const progress = strictTool({
  name: 'progress',
  title: 'Progress',
  description: 'Reports progress a few times, with a pause between the reports.',
  annotations: READ_ONLY,
  parameters: {
    steps: { type: 'integer', minimum: 1, maximum: 1_000, description: 'How many reports to send.' },
    ms: { ...MS, description: 'Milliseconds between two reports.' },
  },
  handler: async (args, call) => {
    const steps = numberOf(args, 'steps', 3);
    for (let step = 1; step <= steps; step += 1) {
      call.progress({ progress: step, total: steps, message: `step ${step}` });
      await pause(numberOf(args, 'ms', 0), call);
    }
    return `${steps} steps`;
  },
});

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

const log = strictTool({
  name: 'log',
  title: 'Log',
  description: 'Writes one message to the log of the session before it answers.',
  annotations: READ_ONLY,
  parameters: {
    level: { type: 'string', enum: LEVELS, description: 'How grave it is.' },
    message: { type: 'string', description: 'What to write.', maxLength: 10_000 },
  },
  handler: (args, call) => {
    const level = textOf(args, 'level', 'info');
    call.log(isLogLevel(level) ? level : 'info', textOf(args, 'message', 'a message'), 'reference');
    return 'logged';
  },
});

/** Tools that take their time or say something meanwhile. */
export const waitingTools: readonly FakeTool[] = [sleep, progress, log];
