import type { ToolResult } from '@plugboard/contract';

type Part = NonNullable<ToolResult['content']>[number];

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const embeddedText = (part: Part): string | undefined => {
  const resource = part['resource'];
  return typeof resource === 'object' && resource !== null && 'text' in resource ? text(resource.text) : undefined;
};

/** What cannot be written as text is named; the whole of it stands in the MCP result. */
const placeholder = (part: Part): string => {
  const kind = text(part['mimeType']) ?? text(part['uri']);
  return kind === undefined ? `[${part.type}]` : `[${part.type}: ${kind}]`;
};

const partText = (part: Part): string => text(part['text']) ?? embeddedText(part) ?? placeholder(part);

/** The result of a call in one string: its parts one below the other, else its structured content as JSON. */
export const resultText = (result: ToolResult): string => {
  const parts = result.content ?? [];
  if (parts.length > 0) return parts.map(partText).join('\n');
  return result.structuredContent === undefined ? '' : JSON.stringify(result.structuredContent);
};
