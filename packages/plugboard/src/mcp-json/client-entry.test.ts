import { describe, expect, it } from 'vitest';
import { clientConfig, keyRemark } from './client-entry.js';
import { CLIENTS } from './client-name.js';

const urls = [{ name: 'plugboard', url: 'http://127.0.0.1:2091/mcp' }];

describe('what a client needs to use the hub', () => {
  it.each(CLIENTS)('%s gets an entry with the URL, and no key in it', (client) => {
    const open = JSON.stringify(clientConfig(client, urls));
    expect(open).toContain('http://127.0.0.1:2091/mcp');
    expect(open).not.toContain('Authorization');
    const keyed = JSON.stringify(clientConfig(client, urls, true));
    expect(keyed).toContain('Authorization');
    expect(keyed).not.toMatch(/pb_(?!YOUR_KEY)/u);
    expect(keyRemark(client)).toContain('plugboard key create');
  });

  it('lets VS Code ask for the key', () => {
    expect(clientConfig('vscode', urls, true)).toMatchObject({
      inputs: [{ id: 'plugboard-key', password: true }],
      servers: { plugboard: { type: 'http', headers: { Authorization: 'Bearer ${input:plugboard-key}' } } },
    });
  });

  it('carries a URL to a client that starts programs only', () => {
    expect(clientConfig('claude-desktop', urls)).toEqual({
      mcpServers: { plugboard: { command: 'npx', args: ['-y', 'mcp-remote', 'http://127.0.0.1:2091/mcp'] } },
    });
  });
});
