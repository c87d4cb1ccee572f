import { expect, it } from 'vitest';
import { clientSnippets } from './client-snippets.js';

const origin = 'http://127.0.0.1:2091';

it('gives each client a configuration that it can read', () => {
  const snippets = clientSnippets({
    origin,
    path: '/toolsets/daily/mcp',
    name: 'daily',
    stdio: ['--toolset', 'daily'],
  });
  expect(snippets.map(({ client }) => client)).toEqual(['Claude Desktop', 'Cursor', 'VS Code', 'LangChain', 'AI SDK']);
  for (const { client, where, text } of snippets) {
    expect(text).toContain(client === 'Claude Desktop' ? '"--toolset",' : `${origin}/toolsets/daily/mcp`);
    if (where.endsWith('.json')) expect(() => JSON.parse(text) as unknown).not.toThrow();
  }
});

it('gives the program of Claude Desktop a place for the key where one is needed', () => {
  const [keyed] = clientSnippets({ origin, path: '/mcp', name: 'researcher', stdio: [], keyed: true });
  expect(keyed?.text).toContain('"PLUGBOARD_API_KEY": "pb_…"');
  const [open] = clientSnippets({ origin, path: '/mcp', name: 'plugboard', stdio: [] });
  expect(open?.text).not.toContain('PLUGBOARD_API_KEY');
});

it('leaves Claude Desktop out where no program can offer the endpoint', () => {
  expect(clientSnippets({ origin, path: '/x/mcp', name: 'x' }).map(({ id }) => id)).not.toContain('claude-desktop');
});
