import { isJsonObject } from '@plugboard/base';
import type { ToolDefinition } from '@plugboard/contract';
import { ownMember } from '../../document/json-schema.js';
import { appendPointer } from '../../document/pointer.js';
import { walkSchema, type SchemaNode } from '../../document/walk-schema.js';

/** What a server says of itself to a model. */
export interface ServerTexts {
  readonly name?: string | undefined;
  readonly tools: readonly ToolDefinition[];
  readonly instructions?: unknown;
  readonly capabilities?: unknown;
}

export type TextKind = 'name' | 'title' | 'description' | 'value' | 'instructions';

/** One piece of text that reaches a model, and where it stands. */
export interface Text {
  readonly kind: TextKind;
  /** `name`, `description`, or a JSON pointer into the input schema after `inputSchema`. */
  readonly where: string;
  readonly text: string;
}

/** A tool with its schema walked and its texts gathered, once for all rules. */
export interface ToolSubject {
  readonly tool: ToolDefinition;
  readonly nodes: readonly SchemaNode[];
  readonly texts: readonly Text[];
}

export interface ServerSubject {
  readonly name: string | undefined;
  readonly tools: readonly ToolSubject[];
  readonly texts: readonly Text[];
  readonly capabilities: unknown;
}

const MAX_TEXT = 50_000;

const text = (kind: TextKind, where: string, value: unknown): readonly Text[] =>
  typeof value === 'string' && value !== '' ? [{ kind, where, text: value.slice(0, MAX_TEXT) }] : [];

const stringsIn = (value: unknown, depth = 0): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (depth > 8 || typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((member) => stringsIn(member, depth + 1));
};

const VALUES = ['enum', 'const', 'default', 'examples', 'example'];

const nodeTexts = (root: string, { schema, pointer, key, keyword }: SchemaNode): readonly Text[] => {
  if (!isJsonObject(schema)) return [];
  const at = (member: string): string => `${root}${appendPointer(pointer, member)}`;
  return [
    ...(keyword === 'properties' ? text('name', `${root}${pointer}`, key) : []),
    ...text('title', at('title'), ownMember(schema, 'title')),
    ...text('description', at('description'), ownMember(schema, 'description')),
    ...text('description', at('$comment'), ownMember(schema, '$comment')),
    ...VALUES.flatMap((member) =>
      stringsIn(ownMember(schema, member)).flatMap((value) => text('value', at(member), value)),
    ),
  ];
};

const walk = (schema: unknown): readonly SchemaNode[] => {
  const nodes: SchemaNode[] = [];
  walkSchema(schema, (node) => void nodes.push(node), { limits: { nodes: 20_000, depth: 128 } });
  return nodes;
};

const toolSubject = (tool: ToolDefinition): ToolSubject => {
  const nodes = walk(tool.inputSchema);
  const annotations = isJsonObject(tool.annotations) ? tool.annotations : {};
  return {
    tool,
    nodes,
    texts: [
      ...text('name', 'name', tool.name),
      ...text('title', 'title', tool.title),
      ...text('title', 'annotations/title', annotations['title']),
      ...text('description', 'description', tool.description),
      ...nodes.flatMap((node) => nodeTexts('inputSchema', node)),
      ...walk(tool.outputSchema).flatMap((node) => nodeTexts('outputSchema', node)),
    ],
  };
};

export const serverSubject = ({ name, tools, instructions, capabilities }: ServerTexts): ServerSubject => ({
  name,
  tools: tools.map(toolSubject),
  texts: text('instructions', 'instructions', instructions),
  capabilities,
});
