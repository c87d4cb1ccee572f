import { type ToolDefinition, toolDefinition } from '@plugboard/contract';
import { parseJsonc } from '../../mcp-json/jsonc.js';

export type ToolFile =
  | { readonly ok: true; readonly tools: readonly ToolDefinition[] }
  | { readonly ok: false; readonly why: string };

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** `{tools: […]}`, a plain array, or the whole answer to tools/list. */
export const parseToolFile = (text: string): ToolFile => {
  const json = parseJsonc(text);
  if (!json.ok) return { ok: false, why: `line ${json.line}: ${json.why}` };
  const list = [json.value, member(json.value, 'tools'), member(member(json.value, 'result'), 'tools')].find(
    Array.isArray,
  );
  if (list === undefined) return { ok: false, why: 'it holds no array of tools' };
  const tools: ToolDefinition[] = [];
  for (const [index, entry] of (list as readonly unknown[]).entries()) {
    const parsed = toolDefinition.safeParse(entry);
    if (!parsed.success) return { ok: false, why: `entry ${index + 1} is not a tool, because it has no name` };
    tools.push(parsed.data);
  }
  return { ok: true, tools };
};
