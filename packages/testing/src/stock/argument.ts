import type { JsonObject } from '../json-rpc/message.js';

export const numberOf = (args: JsonObject, name: string, otherwise: number): number =>
  typeof args[name] === 'number' ? args[name] : otherwise;

export const textOf = (args: JsonObject, name: string, otherwise = ''): string =>
  typeof args[name] === 'string' ? args[name] : otherwise;

/** An object schema whose properties are all of simple types. */
export const schemaOf = (
  properties: Readonly<Record<string, 'string' | 'number' | 'integer' | 'boolean'>>,
  required: readonly string[] = [],
): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(properties).map(([name, type]) => [name, { type }])),
  required,
  additionalProperties: false,
});

export const textResult = (text: string): JsonObject => ({ content: [{ type: 'text', text }] });
