import { setTimeout as sleepFor } from 'node:timers/promises';
import type { StockToolName } from '../definition/stock-tool-name.js';
import type { FakeTool } from '../definition/tool.js';
import { counter } from './counter-tool.js';
import { allocate, crash, env, pid, stderr } from './process-tools.js';
import { numberOf, schemaOf, textOf } from './argument.js';
import type { FakeCall } from '../definition/tool-call.js';
import { isLogLevel } from '../definition/log-level.js';

const elicit: FakeTool = {
  name: 'elicit',
  description: 'Asks the user for a name, as often as `rounds` says, and gives back the answers.',
  inputSchema: schemaOf({ message: 'string', rounds: 'integer' }),
  handler: async (args, call) => {
    const answers: unknown[] = [];
    for (let round = 1; round <= numberOf(args, 'rounds', 1); round += 1) {
      const key = `question-${round}`;
      const params = {
        mode: 'form',
        message: textOf(args, 'message', 'What is your name?'),
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      };
      answers.push((await call.ask({ [key]: { method: 'elicitation/create', params } }))[key]);
    }
    return JSON.stringify(answers);
  },
};

const sample: FakeTool = {
  name: 'sample',
  description: "Asks the client's model and gives back what it said.",
  inputSchema: schemaOf({ prompt: 'string' }),
  handler: async (args, call) => {
    const text = textOf(args, 'prompt', 'What is the capital of France?');
    return JSON.stringify(
      await call.sample({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 }),
    );
  },
};

const roots: FakeTool = {
  name: 'roots',
  description: "Gives back the client's roots.",
  inputSchema: schemaOf({}),
  handler: async (_args, call) => JSON.stringify(await call.roots()),
};

const pause = (ms: number, call: FakeCall): Promise<void> => sleepFor(ms, undefined, { signal: call.signal });

const sleep: FakeTool = {
  name: 'sleep',
  description: 'Answers after this many milliseconds; a cancellation wakes it.',
  inputSchema: schemaOf({ ms: 'integer' }, ['ms']),
  annotations: { readOnlyHint: true },
  handler: async (args, call) => {
    await pause(numberOf(args, 'ms', 0), call);
    return 'awake';
  },
};

const hang: FakeTool = {
  name: 'hang',
  description: 'Never answers; only a cancellation ends it.',
  inputSchema: schemaOf({}),
  handler: (_args, call) =>
    new Promise((_resolve, reject) => {
      call.signal.addEventListener('abort', () => reject(new Error('cancelled')), { once: true });
    }),
};

const progress: FakeTool = {
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

const log: FakeTool = {
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

const echo: FakeTool = {
  name: 'echo',
  description: 'Gives back the text that it was given.',
  inputSchema: schemaOf({ text: 'string' }, ['text']),
  annotations: { readOnlyHint: true, idempotentHint: true },
  handler: (args) => textOf(args, 'text'),
};

const add: FakeTool = {
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: schemaOf({ a: 'number', b: 'number' }, ['a', 'b']),
  outputSchema: schemaOf({ sum: 'number' }, ['sum']),
  annotations: { readOnlyHint: true, idempotentHint: true },
  handler: (args) => {
    const sum = numberOf(args, 'a', 0) + numberOf(args, 'b', 0);
    return { content: [{ type: 'text', text: String(sum) }], structuredContent: { sum } };
  },
};

const fail: FakeTool = {
  name: 'fail',
  description: 'Fails as a tool does: a result that is an error.',
  inputSchema: schemaOf({ message: 'string' }),
  handler: (args) => ({
    content: [{ type: 'text', text: textOf(args, 'message', 'The tool failed on purpose.') }],
    isError: true,
  }),
};

const big: FakeTool = {
  name: 'big',
  description: 'Answers with this many bytes of text, accented letters included.',
  inputSchema: schemaOf({ bytes: 'integer' }, ['bytes']),
  annotations: { readOnlyHint: true },
  // Each é is two bytes, so that a reader that decodes chunk by chunk breaks some.
  handler: (args) => 'é'.repeat(Math.ceil(numberOf(args, 'bytes', 0) / 2)),
};

const headers: FakeTool = {
  name: 'headers',
  description: 'The HTTP headers of this very request, as JSON.',
  inputSchema: schemaOf({}),
  annotations: { readOnlyHint: true },
  handler: (_args, call) => JSON.stringify(call.headers),
};

const STOCK: Readonly<Record<StockToolName, FakeTool>> = {
  echo,
  add,
  counter,
  sleep,
  hang,
  progress,
  log,
  elicit,
  sample,
  roots,
  env,
  pid,
  headers,
  crash,
  fail,
  big,
  stderr,
  allocate,
};

export const stockTool = (name: StockToolName): FakeTool => STOCK[name];
