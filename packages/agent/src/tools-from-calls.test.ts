import { expect, test } from 'vitest';
import { toolsFromCalls } from './tools-from-calls.js';
import { outcomeText } from './result/outcome-text.js';

const definition = {
  name: 'look up',
  description: 'Looks.',
  inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  annotations: { readOnlyHint: true },
};

test('tools of two servers get names of their own, and their calls the original arguments', async () => {
  const calls: unknown[] = [];
  const call = async (args: unknown) => {
    calls.push(args);
    return { content: [{ type: 'text', text: 'x'.repeat(50) }] };
  };
  await using made = toolsFromCalls(
    [
      { server: 'one', serverId: 'id-1', definition, call },
      { server: 'two', definition, call },
    ],
    { provider: 'anthropic', maxResultCharacters: 20 },
  );
  expect(new Set(made.tools.map(({ name }) => name)).size).toBe(2);
  const [tool] = made.tools;
  expect(tool?.upstreamName).toBe('look up');
  expect(tool?.metadata).toMatchObject({ server_name: 'one', server_id: 'id-1', display_name: 'look up' });
  const outcome = await tool?.call({ word: 'sun' });
  expect(calls).toEqual([{ word: 'sun' }]);
  expect(outcome === undefined ? '' : outcomeText(outcome)).toContain('truncated');
  expect(await tool?.call({ word: 7 })).toMatchObject({ kind: 'invalid-arguments', isError: true });
});

test('definitions are shown without halves of characters', () => {
  const inputSchema = { type: 'object', properties: { word: { type: 'string', description: 'A \uD83D word.' } } };
  const broken = { name: 'look', description: 'Looks \uDC00 up.', inputSchema };
  const { tools } = toolsFromCalls([{ server: 'one', definition: broken, call: async () => ({ content: [] }) }]);
  expect(tools[0]?.definition).toMatchObject({
    description: 'Looks  up.',
    inputSchema: { properties: { word: { description: 'A  word.' } } },
  });
});
