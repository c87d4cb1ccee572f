import { expect, test } from 'vitest';
import { createInMemory, serve } from '../test-support/memory-agent.js';
import { geminiTools } from './gemini.js';

test('after a call that found a changed tool, the same array declares its new parameters', async () => {
  const old = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const inputSchema = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] };
  const { url } = await serve([{ name: 'look', inputSchema, handler: () => 'Rain.' }, 'echo']);
  const discovery = { mode: 'cached' as const, tools: [{ name: 'look', inputSchema: old }] };
  const config = { mcp_server_type: 'streamable_http' as const, server_url: url };
  await using agent = await createInMemory(
    { name: 'bot', servers: [{ name: 'house', config, discovery }] },
    { provider: 'gemini' },
  );
  const { functionDeclarations, run } = geminiTools(agent);
  expect(functionDeclarations).toMatchObject([{ parameters: { required: ['city'] } }]);
  const [told] = await run([{ name: 'look', args: { city: 'Oslo' } }]);
  expect(told?.functionResponse.response['error']).toContain('place (string)');
  expect(functionDeclarations).toMatchObject([{ parameters: { required: ['place'] } }]);
  const [answer] = await run([{ name: 'look', args: { place: 'Oslo' } }]);
  expect(answer?.functionResponse.response).toEqual({ output: 'Rain.' });
});
