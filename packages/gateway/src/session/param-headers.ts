import {
  decodeHeaderValue,
  encodeParamHeaders,
  isJsonObject,
  type ParamHeader,
  readParamHeaders,
} from '@plugboard/wire';
import type { McpCall } from '../call/mcp-call.js';
import { headerMismatch } from '../rpc/rpc-refusal.js';
import type { OfferedTool } from '../call/offered-tool.js';
import { headerText } from './era-of.js';

const sameValue = (given: string, expected: string): boolean => {
  const [a, b] = [decodeHeaderValue(given), decodeHeaderValue(expected)];
  if (a === undefined || b === undefined) return false;
  // Whole numbers are compared as such: 42.0 is 42.
  return a === b || (/^-?\d+$/u.test(b) && /^-?\d+(?:\.0+)?$/u.test(a) && Number(a) === Number(b));
};

/** Checks the fields into which a tool's schema wants parameters mirrored. */
export class ParamHeaderCheck {
  readonly #known = new WeakMap<object, readonly ParamHeader[]>();

  /** -32020 when a field and the argument that it mirrors differ. A tool that is not there is somebody else's finding. */
  check(call: McpCall): void {
    if (call.method !== 'tools/call') return;
    const tool = this.#find(call);
    if (tool === undefined) return;
    const annotated = this.#headersOf(tool);
    if (annotated.length === 0) return;
    const expected = encodeParamHeaders(annotated, call.params['arguments']);
    for (const { name } of annotated) {
      const given = headerText(call.headers, `mcp-param-${name.toLowerCase()}`);
      const wanted = expected[`Mcp-Param-${name}`];
      if (given === undefined && wanted === undefined) continue;
      if (given === undefined) throw headerMismatch(`Mcp-Param-${name} is missing.`);
      if (wanted === undefined || !sameValue(given, wanted)) {
        throw headerMismatch(`Mcp-Param-${name} differs from the arguments.`);
      }
    }
  }

  #find({ scope, params }: McpCall): OfferedTool | undefined {
    try {
      return typeof params['name'] === 'string' ? scope.findTool(params['name']) : undefined;
    } catch {
      return undefined;
    }
  }

  #headersOf({ definition: { inputSchema } }: OfferedTool): readonly ParamHeader[] {
    if (!isJsonObject(inputSchema)) return [];
    const known = this.#known.get(inputSchema);
    if (known !== undefined) return known;
    const read = readParamHeaders(inputSchema);
    const headers = read.valid ? read.headers : [];
    this.#known.set(inputSchema, headers);
    return headers;
  }
}
