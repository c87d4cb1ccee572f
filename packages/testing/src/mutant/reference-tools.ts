import type { FakeTool, ToolAnswer, ToolSpec } from '../definition/tool.js';
import type { JsonObject } from '../json-rpc/message.js';

interface Parameter {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

const fits = (value: unknown, { type, enum: values, minimum, maximum, maxLength }: Parameter): boolean => {
  if (type === 'string' && typeof value === 'string') {
    return values === undefined ? value.length <= (maxLength ?? Number.POSITIVE_INFINITY) : values.includes(value);
  }
  if (type === 'boolean') return typeof value === 'boolean';
  if (typeof value !== 'number' || (type === 'integer' && !Number.isInteger(value))) return false;
  return value >= (minimum ?? Number.NEGATIVE_INFINITY) && value <= (maximum ?? Number.POSITIVE_INFINITY);
};

/** The first thing that is wrong with these arguments. */
const flaw = (
  args: JsonObject,
  parameters: Readonly<Record<string, Parameter>>,
  required: readonly string[],
): string | undefined => {
  const missing = required.find((name) => !(name in args));
  if (missing !== undefined) return `"${missing}" is missing`;
  for (const [name, value] of Object.entries(args)) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter === undefined) return `"${name}" is not an argument of this tool`;
    if (!fits(value, parameter)) return `"${name}" does not fit its schema`;
  }
  return undefined;
};

interface StrictTool extends Omit<FakeTool, 'inputSchema' | 'handler'> {
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly required?: readonly string[];
  readonly handler: (
    ...args: Parameters<Extract<FakeTool['handler'], (...given: never[]) => unknown>>
  ) => ToolAnswer | Promise<ToolAnswer>;
}

/** A tool that refuses whatever its schema does not allow. */
export const strictTool = ({ parameters, required = [], handler, ...tool }: StrictTool): FakeTool => ({
  ...tool,
  inputSchema: { type: 'object', properties: parameters, required, additionalProperties: false },
  handler: (args, call) => {
    const wrong = flaw(args, parameters, required);
    if (wrong === undefined) return handler(args, call);
    return { content: [{ type: 'text', text: `The arguments do not fit: ${wrong}.` }], isError: true };
  },
});

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const echo = strictTool({
  name: 'echo',
  title: 'Echo',
  description: 'Gives back the text that it was given, unchanged.',
  annotations: READ_ONLY,
  parameters: { text: { type: 'string', description: 'What to give back.', maxLength: 10_000_000 } },
  required: ['text'],
  handler: (args) => String(args['text']),
});

const add = strictTool({
  name: 'add',
  title: 'Add',
  description: 'Adds two numbers and gives back their sum.',
  annotations: READ_ONLY,
  parameters: {
    a: { type: 'number', description: 'The first number.' },
    b: { type: 'number', description: 'The second number.' },
  },
  required: ['a', 'b'],
  outputSchema: {
    type: 'object',
    properties: { sum: { type: 'number' } },
    required: ['sum'],
    additionalProperties: false,
  },
  handler: (args) => {
    const structuredContent = { sum: Number(args['a']) + Number(args['b']) };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  },
});

const pick = strictTool({
  name: 'pick_colour',
  title: 'Pick a colour',
  description: 'Names the code of one of three colours.',
  annotations: READ_ONLY,
  parameters: {
    colour: { type: 'string', enum: ['red', 'green', 'blue'], description: 'Which colour.' },
    depth: { type: 'integer', minimum: 1, maximum: 16, description: 'Bits per channel.' },
  },
  required: ['colour'],
  handler: (args) => `The code of ${String(args['colour'])} has ${Number(args['depth'] ?? 8)} bits.`,
});

const now = strictTool({
  name: 'get_status',
  title: 'Status',
  description: 'Says that the server is well; it takes no arguments.',
  annotations: READ_ONLY,
  parameters: {},
  handler: () => 'The server is well.',
});

/** Tools of the reference; the stock ones among them wait, report progress, log and ask. */
export const referenceTools: readonly ToolSpec[] = [
  echo,
  add,
  pick,
  now,
  'sleep',
  'progress',
  'log',
  'elicit',
  'sample',
  'roots',
];
