import { describe, expect, it } from 'vitest';
import { PROVIDER_SHAPES, toProviderShape } from './provider-shape.js';

const inputSchema = { type: 'object', properties: {}, additionalProperties: false };
const tool = { name: 'read', description: 'Reads.', inputSchema };

describe('a tool in the shape of its provider', () => {
  it.each([
    [
      'openai-strict',
      { type: 'function', function: { name: 'read', description: 'Reads.', parameters: inputSchema, strict: true } },
    ],
    ['openai', { type: 'function', function: { name: 'read', description: 'Reads.', parameters: inputSchema } }],
    [
      'openai-responses',
      { type: 'function', name: 'read', description: 'Reads.', parameters: inputSchema, strict: false },
    ],
    [
      'openai-responses-strict',
      { type: 'function', name: 'read', description: 'Reads.', parameters: inputSchema, strict: true },
    ],
    ['anthropic', { name: 'read', description: 'Reads.', input_schema: inputSchema }],
    ['anthropic-strict', { name: 'read', description: 'Reads.', input_schema: inputSchema, strict: true }],
    ['gemini', { name: 'read', description: 'Reads.', parameters: inputSchema }],
    ['bedrock', { toolSpec: { name: 'read', description: 'Reads.', inputSchema: { json: inputSchema } } }],
    ['cursor', tool],
  ] as const)('%s', (profile, shape) => {
    expect(toProviderShape(tool, profile)).toEqual(shape);
  });

  it.each(PROVIDER_SHAPES)('leaves out a description that is missing: %s', (profile) => {
    expect(JSON.stringify(toProviderShape({ name: 'x', inputSchema }, profile))).not.toContain('description');
  });
});
