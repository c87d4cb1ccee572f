import { expect, it } from 'vitest';
import { clientSnippets } from './client-snippets.js';

it('gives each client a configuration that it can read', () => {
  const url = 'http://127.0.0.1:2091/toolsets/daily/mcp';
  const snippets = clientSnippets(url, 'daily');
  expect(snippets.map(({ client }) => client)).toEqual(['Claude Desktop', 'Cursor', 'VS Code', 'LangChain', 'AI SDK']);
  for (const { client, where, text } of snippets) {
    if (client !== 'Claude Desktop') expect(text).toContain(url);
    if (where.endsWith('.json')) expect(() => JSON.parse(text) as unknown).not.toThrow();
  }
});
