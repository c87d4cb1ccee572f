import { describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer } from '../../test-support/shapes.js';

const servers = [
  aServer({ server_name: 'files', config: { mcp_server_type: 'stdio', command: 'x', args: [] } }),
  aServer({ server_name: 'fun', config: { mcp_server_type: 'stdio', command: 'x', args: [] } }, {}, 2),
];
const tools = {
  files: [
    {
      name: 'read',
      description: 'Reads. More.',
      schema: { type: 'object', properties: { path: { type: 'string' }, depth: {} } },
    },
    { name: 'bad\nname' },
  ],
};

const agent = {
  id: 'agent-00000000-0000-4000-8000-000000000001',
  name: 'bot',
  description: null,
  variables: {},
  server_ids: [],
  toolset_ids: [],
  allow_tool_ids: [],
  deny_tool_ids: [],
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
};

const offered = async (...words: readonly string[]): Promise<readonly string[]> => {
  const { code, stdout } = await runFake(['complete', '--', ...words], {
    servers,
    tools,
    answers: { '/v1/agents': [agent] },
  });
  expect(code).toBe(0);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0] ?? '');
};

describe('completion', () => {
  it.each([
    [['s'], ['show', 'set', 'sync', 'soak', 'serve', 'stdio', 'service']],
    [['toolset', 'd'], ['drop']],
    [['toolset', 'add', 'mine', 'fi'], ['files']],
    [
      ['call', 'f'],
      ['files', 'fun'],
    ],
    [['ls', '--js'], ['--json']],
    [['remove', 'files', 'f'], ['fun']],
    [['call', 'files', ''], ['read']],
    [['call', 'files', 'read', '--arg', 'p'], ['path=']],
    [['set', 'files', '--disable-tool', 'r'], ['read']],
    [
      ['import', '--client', 'c'],
      ['claude-desktop', 'claude-code', 'cursor'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['agent', 'set-'], ['set-variable']],
    [['agent', 'show', ''], ['bot']],
    [['sync', '--agent', 'b'], ['bot']],
    [['agent', 'set', 'bot', '--attach-server', 'fi'], ['files']],
    [['call', 'files', '--timeout', ''], []],
    [['add', 'x', '--', ''], []],
    [['nonsense', 'x'], []],
    [['call', 'nothing', ''], []],
    [['call', '--arg', ''], []],
  ])('offers for %j: %j', async (words, expected) => {
    expect(await offered(...words)).toEqual(expected);
  });

  it('offers every visible command and none that is hidden', async () => {
    const commands = await offered('');
    expect(commands).toContain('serve');
    expect(commands).not.toContain('complete');
    expect(commands).not.toContain('manual');
  });

  it('describes what it offers', async () => {
    const { stdout } = await runFake(['complete', '--', 'call', 'files', 'r'], { servers, tools });
    expect(stdout).toBe('read\tReads.\n');
  });

  it.each(['bash', 'zsh', 'fish'])('prints a script for %s that asks the program', async (shell) => {
    const { code, stdout } = await runFake(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toContain('plugboard complete --');
  });
});
