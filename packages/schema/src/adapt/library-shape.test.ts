import { describe, expect, it } from 'vitest';
import { librarySupports, toLibraryShape } from './library-shape.js';

const inputSchema = { type: 'object', properties: {} };
const tool = { name: 'read', description: 'Reads.', inputSchema };

describe('a tool in the shape of a library', () => {
  it.each([
    ['langchain', 'anthropic', { name: 'read', description: 'Reads.', schema: inputSchema }],
    ['ai-sdk', 'gemini', { type: 'function', name: 'read', description: 'Reads.', inputSchema, strict: false }],
    [
      'ai-sdk',
      'anthropic-strict',
      { type: 'function', name: 'read', description: 'Reads.', inputSchema, strict: true },
    ],
    [
      'openai-agents',
      'openai',
      { type: 'function', name: 'read', description: 'Reads.', parameters: inputSchema, strict: false },
    ],
    [
      'openai-agents',
      'openai-strict',
      { type: 'function', name: 'read', description: 'Reads.', parameters: inputSchema, strict: true },
    ],
  ] as const)('%s with the limits of %s', (library, profile, shape) => {
    expect(toLibraryShape(tool, library, profile)).toEqual(shape);
  });

  it('has an empty description where the library requires one', () => {
    expect(toLibraryShape({ name: 'read', inputSchema }, 'openai-agents', 'openai')).toMatchObject({ description: '' });
    expect(toLibraryShape({ name: 'read', inputSchema }, 'langchain', 'openai')).not.toHaveProperty('description');
  });

  it('exists for every provider that the library has models of', () => {
    expect(librarySupports('langchain', 'bedrock')).toBe(true);
    expect(librarySupports('openai-agents', 'bedrock')).toBe(false);
  });
});
