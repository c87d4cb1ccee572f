import { describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer } from '../../test-support/shapes.js';

const files = aServer({
  server_name: 'files',
  config: { mcp_server_type: 'stdio', command: 'npx', args: ['x'], env: { KEY: 'a-very-long-secret', OLD: 'b' } },
});
const weather = aServer(
  {
    server_name: 'weather',
    config: {
      mcp_server_type: 'streamable_http',
      server_url: 'https://w.example/mcp',
      custom_headers: { 'X-Key': 'a-very-long-secret' },
    },
  },
  {},
  2,
);
const hub = { servers: [files, weather], tools: { files: [{ name: 'read' }, { name: 'write' }] } };

const patched = async (...argv: readonly string[]): Promise<unknown> => {
  const { code, hub: fake, stderr } = await runFake(['set', ...argv], hub);
  expect(stderr).not.toContain('error');
  expect(code).toBe(0);
  return fake.seen.find(({ method }) => method === 'PATCH')?.body;
};

describe('set', () => {
  it('changes one variable and keeps the others, masked as they were read', async () => {
    expect(await patched('files', '--env', 'NEW=1', '--unset-env', 'OLD')).toEqual({
      config: { mcp_server_type: 'stdio', env: { KEY: '••••cret', NEW: '1' } },
    });
  });

  it('changes headers without regard to their case', async () => {
    expect(await patched('weather', '--unset-header', 'x-key', '--header', 'B: c')).toEqual({
      config: { mcp_server_type: 'streamable_http', custom_headers: { B: 'c' } },
    });
  });

  it.each([
    [
      ['weather', 'https://new.example/mcp'],
      { config: { mcp_server_type: 'streamable_http', server_url: 'https://new.example/mcp' } },
    ],
    [['files', '--', 'node', '--flag'], { config: { mcp_server_type: 'stdio', command: 'node', args: ['--flag'] } }],
    [['weather', '--token', 't'], { config: { mcp_server_type: 'streamable_http', auth_token: 't' } }],
    [['weather', '--no-token'], { config: { mcp_server_type: 'streamable_http', auth_token: null } }],
    [['weather', '--auth-header', 'X-T'], { config: { mcp_server_type: 'streamable_http', auth_header: 'X-T' } }],
    [['files', '--cwd', 'data'], { config: { mcp_server_type: 'stdio', cwd: '/somewhere/data' } }],
    [['files', '--name', 'documents'], { server_name: 'documents' }],
    [['files', '--disable'], { enabled: false }],
    [['files', '--enable'], { enabled: true }],
  ])('sends only what %j names', async (argv, body) => {
    expect(await patched(...argv)).toEqual(body);
  });

  it('switches tools by name', async () => {
    const {
      code,
      hub: fake,
      stdout,
    } = await runFake(['set', 'files', '--disable-tool', 'write', '--enable-tool', 'read'], hub);
    expect(code).toBe(0);
    expect(stdout).toContain('write disabled');
    expect(fake.seen.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
      { enabled: true },
      { enabled: false },
    ]);
  });

  it.each([
    ['nothing', ['files'], 'No change was given.'],
    ['a contradiction', ['files', '--enable', '--disable'], 'contradict'],
    ['a URL for a program', ['files', 'https://x.example'], 'files is a program, and that cannot be changed'],
    ['a program for a URL', ['weather', '--', 'npx', 'x'], 'weather is a URL, and that cannot be changed'],
    ['a header for a program', ['files', '--header', 'A: b'], 'can be used only with a URL'],
    ['an unknown server', ['file', '--enable'], 'Did you mean "files"?'],
    ['an unknown tool', ['files', '--disable-tool', 'wrte'], 'Did you mean "write"?'],
  ])('refuses %s', async (_what, argv, message) => {
    const { code, stderr, hub: fake } = await runFake(['set', ...argv], hub);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(fake.seen.some(({ method }) => method === 'PATCH')).toBe(false);
  });

  it('says that tools are read again by a sync', async () => {
    expect((await runFake(['set', 'weather', '--token', 't'], hub)).stderr).toContain('plugboard sync weather');
  });
});
