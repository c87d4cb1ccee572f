import type { FakeTool, ToolAnswer } from '../definition/tool.js';
import type { JsonObject } from '../json-rpc/message.js';

interface Parameter {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  /** Modern era over HTTP: the header that mirrors it. */
  readonly 'x-mcp-header'?: string;
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

/** The annotations of a tool that only reads. */
export const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
