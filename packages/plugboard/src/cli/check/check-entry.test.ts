import { describe, expect, it } from 'vitest';
import { entryTarget, splitEntry } from './check-entry.js';

const process = { userHome: '/home/me', env: { TOKEN: 'secret' } } as unknown as Parameters<
  typeof entryTarget
>[2]['process'];

const FILE = JSON.stringify({
  mcpServers: {
    files: { command: 'node', args: ['${userHome}/server.js'], env: { KEY: '${TOKEN}', MODE: '${MODE:-fast}' } },
    remote: { type: 'sse', url: 'http://127.0.0.1/sse', headers: { Authorization: 'Bearer ${env:TOKEN}' } },
    wanting: { command: 'node', env: { KEY: '${NOT_SET}' } },
    asking: { command: 'node', env: { KEY: '${input:key}' } },
  },
});

const read = (named: string, text = FILE) => entryTarget(text, splitEntry(named), { process });

describe('an entry of a client file as the target of a check', () => {
  it('is the program that it names, with its variables filled in', () => {
    expect(read('.mcp.json#files')).toEqual({
      name: 'files',
      config: {
        mcp_server_type: 'stdio',
        command: 'node',
        args: ['/home/me/server.js'],
        env: { KEY: 'secret', MODE: 'fast' },
      },
    });
  });

  it('is the address that it names', () => {
    expect(read('.mcp.json#remote')?.config).toMatchObject({
      mcp_server_type: 'sse',
      server_url: 'http://127.0.0.1/sse',
      custom_headers: { Authorization: 'Bearer secret' },
    });
  });

  it('needs no name when there is only one', () => {
    expect(read('.mcp.json', '{"mcpServers":{"one":{"command":"node"}}}')?.name).toBe('one');
  });

  it.each([
    ['.mcp.json', 'has 4 servers'],
    ['.mcp.json#nobody', 'has no server "nobody"'],
    ['.mcp.json#wanting', 'NOT_SET'],
    ['.mcp.json#asking', 'input "key"'],
  ])('%s is refused: %s', (named, why) => {
    expect(() => read(named)).toThrow(why);
  });

  it('is none in a file of another kind', () => {
    expect(read('check.yaml', 'url: http://127.0.0.1/mcp')).toBeUndefined();
    expect(() => read('check.yaml#x', 'url: http://127.0.0.1/mcp')).toThrow('check.yaml has no entries');
  });
});
