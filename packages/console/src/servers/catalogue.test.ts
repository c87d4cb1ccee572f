import { describe, expect, it } from 'vitest';
import { type CatalogueEntry, filledConfig, missingInputs, readCatalogue } from './catalogue.js';

const files = {
  name: 'io.github.example/files',
  description: 'Reads files.',
  packages: [
    {
      registryType: 'npm',
      identifier: '@example/files',
      version: '1.2.3',
      transport: { type: 'stdio' },
      packageArguments: [
        { type: 'named', name: '--mode', value: 'fast' },
        { type: 'positional', valueHint: 'directory', isRequired: true },
      ],
      environmentVariables: [{ name: 'TOKEN', isRequired: true, isSecret: true }],
    },
    { registryType: 'npm', identifier: 'x', transport: { type: 'streamable-http' } },
    { registryType: 'unknown', identifier: 'x' },
  ],
  remotes: [
    { type: 'sse', url: 'https://files.example/sse', headers: [{ name: 'X-Key', isSecret: true }] },
    { type: 'streamable-http', url: 'javascript:alert(1)' },
  ],
};

const entriesOf = (value: unknown): readonly CatalogueEntry[] => {
  const read = readCatalogue(JSON.stringify(value));
  return 'entries' in read ? read.entries : [];
};

describe('a catalogue', () => {
  it.each([
    ['a list of the registry', { servers: [{ server: files, _meta: {} }] }],
    ['several server.json', [files]],
    ['one server.json', files],
  ])('is read from %s', (_case, value) => {
    const [entry] = entriesOf(value);
    expect([entry?.name, entry?.description]).toEqual(['files', 'Reads files.']);
    expect(entry?.ways.map(({ label }) => label)).toEqual(['npm: @example/files', 'https://files.example/sse']);
    expect(entry?.ways[1]?.config).toMatchObject({ mcp_server_type: 'sse' });
  });

  it('names how Python packages and images are run', () => {
    const ways = entriesOf({
      name: 'a/b',
      packages: [
        { registryType: 'pypi', identifier: 'tool', version: '2.0' },
        { registryType: 'oci', identifier: 'registry.example/tool', version: '3' },
      ],
    })[0]?.ways;
    expect(
      ways?.map(({ config }) => (config.mcp_server_type === 'stdio' ? [config.command, ...config.args] : [])),
    ).toEqual([
      ['uvx', 'tool==2.0'],
      ['docker', 'run', '-i', '--rm', 'registry.example/tool:3'],
    ]);
  });

  it('may be an mcp.json, and is refused in words when it is nothing of that', () => {
    expect(entriesOf({ mcpServers: { a: { command: 'x' } } }).map(({ name }) => name)).toEqual(['a']);
    expect(readCatalogue('{ "mcpServers": { /* none */ } }')).toHaveProperty('problem');
    expect(readCatalogue('no JSON')).toHaveProperty('problem');
    expect(readCatalogue('[1, null, "x"]')).toHaveProperty('problem');
  });
});

describe('what a person fills in', () => {
  const way = entriesOf(files)[0]?.ways[0];
  if (way === undefined) throw new Error('the catalogue has no way');

  it('is asked for', () => {
    expect(missingInputs(way, {})).toEqual(['directory', 'TOKEN']);
    expect(missingInputs(way, { directory: '/srv', TOKEN: 's' })).toEqual([]);
  });

  it('goes where it belongs', () => {
    expect(filledConfig(way, { directory: '/srv', TOKEN: 's' })).toMatchObject({
      command: 'npx',
      args: ['-y', '@example/files@1.2.3', '--mode', 'fast', '/srv'],
      env: { TOKEN: 's' },
    });
    const remote = entriesOf(files)[0]?.ways[1];
    expect(remote && filledConfig(remote, { 'X-Key': 'k' })).toMatchObject({ custom_headers: { 'X-Key': 'k' } });
    expect(remote && filledConfig(remote, {})).toMatchObject({ custom_headers: null });
  });
});
