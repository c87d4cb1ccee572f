import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMcpJson } from './mcp-json.js';

describe('a pasted configuration', () => {
  it('is read from each client, with comments and trailing commas', () => {
    const text = `{
      // mine
      "mcpServers": {
        "files": { "command": "npx", "args": ["-y", "x // y"], "env": { "A": 1 }, },
        "remote api": { "url": "https://x.example/mcp", "headers": { "X-Key": "k" } },
        "old": { "type": "sse", "url": "https://x.example/sse" }, /* last */
      },
    }`;
    expect(readMcpJson(text).entries.map(({ create }) => create)).toEqual([
      {
        server_name: 'files',
        config: { mcp_server_type: 'stdio', command: 'npx', args: ['-y', 'x // y'], env: { A: '1' }, cwd: null },
      },
      {
        server_name: 'remote-api',
        config: {
          mcp_server_type: 'streamable_http',
          server_url: 'https://x.example/mcp',
          custom_headers: { 'X-Key': 'k' },
        },
      },
      {
        server_name: 'old',
        config: { mcp_server_type: 'sse', server_url: 'https://x.example/sse', custom_headers: null },
      },
    ]);
  });

  it.each([
    '{"servers": {"a": {"command": "x"}}}',
    '{"context_servers": {"a": {"command": "x"}}}',
    '{"a": {"command": "x"}}',
    '{"command": "x"}',
  ])('is found in %s', (text) => {
    expect(readMcpJson(text).entries).toHaveLength(1);
  });

  it.each([
    ['', 'not JSON'],
    ['{', 'not JSON'],
    ['3', 'There is no'],
    ['{"x": 1}', 'There is no'],
    ['{"mcpServers": {}}', 'names no server'],
  ])('that cannot be used is explained: %j', (text, problem) => {
    expect(readMcpJson(text).problem).toContain(problem);
  });

  it('says of each entry what is wrong with it', () => {
    const { entries } = readMcpJson('{"mcpServers": {"a": {}, "b": 3, "c": {"url": "file:///etc"}}}');
    expect(entries.map(({ problem }) => problem)).toEqual([
      'It has neither a command nor a URL.',
      'It is not an object.',
      'Its URL does not begin with http:// or https://.',
    ]);
  });

  it('leaves out what is disabled, leads to this hub, or needs what only the other client knows', () => {
    const servers = {
      off: { command: 'x', disabled: true },
      filed: { command: 'x', envFile: '.env' },
      self: { url: 'http://127.0.0.1:2091/mcp' },
      proxied: { command: 'npx', args: ['mcp-remote', 'http://127.0.0.1:2091'] },
      elsewhere: { url: 'http://127.0.0.1:20910/mcp' },
      asks: { command: 'x', env: { KEY: '${input:key}' } },
      folder: { command: 'x', args: ['${workspaceFolder}/a'] },
    };
    const { entries } = readMcpJson(JSON.stringify({ servers }), 'http://127.0.0.1:2091');
    expect(entries.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('disabled'),
      expect.stringContaining('envFile'),
      'It is this hub itself.',
      'It is this hub itself.',
      undefined,
      expect.stringContaining('input "key"'),
      expect.stringContaining('${workspaceFolder}'),
    ]);
  });

  it('has its references in the grammar of the hub', () => {
    const env = { A: '${env:TOKEN}', B: '${REGION:-eu}', C: '${PLAIN}', D: '$notOne {x}' };
    const [entry] = readMcpJson(JSON.stringify({ mcpServers: { a: { command: 'x', env } } })).entries;
    expect(entry?.create?.config).toMatchObject({
      env: { A: '${TOKEN}', B: '{{ REGION | eu }}', C: '${PLAIN}', D: '$notOne {x}' },
    });
  });

  it('adds only the first of two names that are the same for the hub', () => {
    const { entries } = readMcpJson('{"mcpServers": {"my server": {"command": "a"}, "my-server": {"command": "b"}}}');
    expect(entries.map(({ create }) => create?.config)).toEqual([expect.objectContaining({ command: 'a' }), undefined]);
    expect(entries[1]?.problem).toContain('Rename');
  });

  it('never throws, whatever is pasted', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((json) => `{"mcpServers":${json}}`),
        ),
        (text) => {
          const { entries, problem } = readMcpJson(text);
          expect(entries.length > 0 || problem !== undefined).toBe(true);
        },
      ),
    );
  });
});
