import { isJsonObject } from '@plugboard/base';
import type { ToolDefinition } from '@plugboard/contract';
import { canonicalJson } from '../document/canonical-json.js';
import { ownMember } from '../document/json-schema.js';

type Tokens = ReadonlySet<string>;

const MAX_TOKENS = 500;

const words = (text: string): Tokens =>
  new Set(
    text
      .slice(0, 10_000)
      .replaceAll(/([a-z])([A-Z])/gu, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
      .slice(0, MAX_TOKENS),
  );

const parameters = (schema: unknown): Tokens => {
  const properties = isJsonObject(schema) ? ownMember(schema, 'properties') : undefined;
  if (!isJsonObject(properties)) return new Set();
  return new Set(
    Object.entries(properties)
      .slice(0, MAX_TOKENS)
      .map(([name, property]) => `${name}:${isJsonObject(property) ? canonicalJson(property['type']) : ''}`),
  );
};

/** What a tool is recognised by. */
export interface Features {
  readonly name: Tokens;
  readonly description: Tokens;
  readonly parameters: Tokens;
}

export const featuresOf = (tool: ToolDefinition): Features => ({
  name: words(tool.name),
  description: words(typeof tool.description === 'string' ? tool.description : ''),
  parameters: parameters(tool.inputSchema),
});

const WEIGHTS: Readonly<Record<keyof Features, number>> = { parameters: 5, description: 3, name: 2 };

const overlap = (a: Tokens, b: Tokens): number => {
  const common = [...a].filter((token) => b.has(token)).length;
  return common / (a.size + b.size - common);
};

/** How alike two tools are, from 0 to 1; what neither of them has does not count. */
export const similarity = (a: Features, b: Features): number => {
  let sum = 0;
  let weights = 0;
  for (const feature of ['parameters', 'description', 'name'] as const) {
    if (a[feature].size === 0 && b[feature].size === 0) continue;
    sum += WEIGHTS[feature] * overlap(a[feature], b[feature]);
    weights += WEIGHTS[feature];
  }
  return weights === 0 ? 0 : sum / weights;
};
