import type { FakeTool } from '../definition/tool.js';
import { numberOf, schemaOf, textOf } from './argument.js';

export const echo: FakeTool = {
  name: 'echo',
  description: 'Gives back the text that it was given.',
  inputSchema: schemaOf({ text: 'string' }, ['text']),
  annotations: { readOnlyHint: true, idempotentHint: true },
  handler: (args) => textOf(args, 'text'),
};

export const add: FakeTool = {
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

export const fail: FakeTool = {
  name: 'fail',
  description: 'Fails as a tool does: a result that is an error.',
  inputSchema: schemaOf({ message: 'string' }),
  handler: (args) => ({
    content: [{ type: 'text', text: textOf(args, 'message', 'The tool failed on purpose.') }],
    isError: true,
  }),
};

export const big: FakeTool = {
  name: 'big',
  description: 'Answers with this many bytes of text, accented letters included.',
  inputSchema: schemaOf({ bytes: 'integer' }, ['bytes']),
  annotations: { readOnlyHint: true },
  // Each é is two bytes, so that a reader that decodes chunk by chunk breaks some.
  handler: (args) => 'é'.repeat(Math.ceil(numberOf(args, 'bytes', 0) / 2)),
};

export const headers: FakeTool = {
  name: 'headers',
  description: 'The HTTP headers of this very request, as JSON.',
  inputSchema: schemaOf({}),
  annotations: { readOnlyHint: true },
  handler: (_args, call) => JSON.stringify(call.headers),
};
