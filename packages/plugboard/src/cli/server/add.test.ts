import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer, okReport, refusedReport } from '../../test-support/shapes.js';

const tools = { files: [{ name: 'read_file' }, { name: 'write_file' }] };

describe('add', () => {
  it('takes a command after two dashes, options of the command included', async () => {
    const { code, stdout, hub } = await runFake(['add', 'files', '--env', 'A=b=c', '--', 'npx', '-y', 'server', '.'], {
      tools,
    });
    expect(code).toBe(0);
    expect(hub.seen[0]).toEqual({
      method: 'POST',
      path: '/v1/mcp-servers',
      body: {
        server_name: 'files',
        config: {
          mcp_server_type: 'stdio',
          command: 'npx',
          args: ['-y', 'server', '.'],
          env: { A: 'b=c' },
          cwd: '/somewhere',
        },
      },
    });
    expect(stdout).toContain('files is registered (stdio): 2 tools.');
    expect(stdout).toContain('read_file, write_file');
  });

  it.each([
    ['localhost:2796/mcp', 'http://localhost:2796/mcp'],
    ['127.0.0.1:2796', 'http://127.0.0.1:2796'],
    ['[::1]:2796/mcp', 'http://[::1]:2796/mcp'],
    ['api.example.com/mcp', 'https://api.example.com/mcp'],
    ['htp://foo', 'http://foo'],
    ['htps://foo', 'https://foo'],
    ['ws://foo/mcp', 'https://foo/mcp'],
  ])('takes %s for a URL with a mistake, not for a program', async (target, likely) => {
    const { code, stderr, hub } = await runFake(['add', 'z', target]);
    expect(code).toBe(2);
    expect(stderr).toContain(`Did you mean ${likely}?`);
    expect(hub.seen).toEqual([]);
  });

  it.each([['./server.py/x'], ['node'], ['server.mjs'], ['bin/server'], ['@scope/server']])(
    'takes %s for a program',
    async (target) => {
      expect((await runFake(['add', 'z', '--', target])).code).toBe(0);
    },
  );

  it('takes a URL with headers and a token', async () => {
    const { hub } = await runFake([
      'add',
      'weather',
      'https://weather.example/mcp',
      '--header',
      'X-API-Key: k',
      '--header',
      'X-Team:  a:b ',
      '--token',
      't',
      '--auth-header',
      'X-Token',
    ]);
    expect(hub.seen[0]?.body).toEqual({
      server_name: 'weather',
      config: {
        mcp_server_type: 'streamable_http',
        server_url: 'https://weather.example/mcp',
        auth_token: 't',
        auth_header: 'X-Token',
        custom_headers: { 'X-API-Key': 'k', 'X-Team': 'a:b' },
      },
    });
  });

  it('takes --sse, and a token from standard input', async () => {
    const { hub } = await runFake(
      ['add', 'old', 'https://old.example/sse', '--sse', '--token', '-'],
      {},
      { stdin: 'secret\n' },
    );
    expect(hub.seen[0]?.body).toMatchObject({ config: { mcp_server_type: 'sse', auth_token: 'secret' } });
  });

  it('does not give a directory of this machine to a hub elsewhere', async () => {
    const { hub } = await runFake(['add', 'files', '--', 'server'], {
      place: { kind: 'running', url: 'http://hub.example' },
    });
    expect(hub.seen[0]?.body).toMatchObject({ config: { mcp_server_type: 'stdio', command: 'server' } });
    expect(hub.seen[0]?.body).not.toHaveProperty('config.cwd');
  });

  it('resolves --cwd where it was typed', async () => {
    const { hub } = await runFake(['add', 'files', '--cwd', 'data', '--', 'server']);
    expect(hub.seen[0]?.body).toHaveProperty('config.cwd', '/somewhere/data');
  });

  it('registers an unreachable server, says why and what to do, and exits with 0', async () => {
    const { code, stdout } = await runFake(['add', 'dead', 'http://127.0.0.1:1/mcp'], { sync: () => refusedReport });
    expect(code).toBe(0);
    expect(stdout).toContain('dead is registered (http), but its tools could not be read.');
    expect(stdout).toContain('Nothing listens there. (UPSTREAM_REFUSED)');
    expect(stdout).toContain('Start the server.');
    expect(stdout).toContain('plugboard sync dead');
  });

  it('names the tools that were skipped, with the reason', async () => {
    const skipped = [{ name: 'odd', reasons: [{ rule: 'r', pointer: '/properties', message: 'It is a list.' }] }];
    const { stdout } = await runFake(['add', 'files', '--', 'x'], {
      sync: () => ({ ...okReport(['a', 'odd']), skipped }),
    });
    expect(stdout).toContain('odd: It is a list. (at /properties)');
  });

  it('is silent with --quiet when all is well, and prints the whole answer with --json', async () => {
    expect((await runFake(['add', 'files', '-q', '--', 'x'], { tools })).stdout).toBe('');
    expect((await runFake(['add', 'files', '--json', '--', 'x'], { tools })).json()).toMatchObject({
      server_name: 'files',
      sync: { status: 'ok', total: 2 },
    });
  });

  const taken = aServer({ server_name: 'files', config: { mcp_server_type: 'stdio', command: 'x', args: [] } });

  it.each([
    ['a name that is taken', ['add', 'files', '--', 'x'], 'A server named "files" already exists.'],
    ['no target', ['add', 'new'], 'Neither a URL nor a command was given.'],
    ['a name that is no name', ['add', 'a/b', '--', 'x'], '"a/b" cannot be the name of a server'],
    ['the URL in the place of the name', ['add', 'https://x.example/mcp'], 'The name comes first'],
    [
      'words after a URL',
      ['add', 'new', 'https://x.example/mcp', 'more'],
      'A URL takes no arguments, but "more" follows it.',
    ],
    ['a header for a program', ['add', 'new', '--header', 'A: b', '--', 'x'], '--header can be used only with a URL'],
    [
      'variables for a URL',
      ['add', 'new', '--env', 'A=b', '--cwd', '.', 'https://x.example'],
      '--env and --cwd can be used only with a program',
    ],
    [
      'a header without a value',
      ['add', 'new', '--header', 'secret-thing', 'https://x.example'],
      '--header needs "Name: value".',
    ],
    ['a variable without a value', ['add', 'new', '--env', 'A', '--', 'x'], '--env needs NAME=VALUE, but got "A".'],
    [
      'a line break in a header',
      ['add', 'new', '--header', 'A: b\r\nC: d', 'https://x.example'],
      'contains a line break',
    ],
    ['options of the command without two dashes', ['add', 'new', 'npx', '-y', 'x'], 'after two dashes'],
  ])('refuses %s with exit code 2', async (_what, argv, message) => {
    const { code, stderr, stdout } = await runFake(argv, { servers: [taken] });
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('does not repeat a malformed header, which may hold a secret', async () => {
    const { stderr } = await runFake(['add', 'new', '--header', 'hunter2', 'https://x.example']);
    expect(stderr).not.toContain('hunter2');
  });

  it('refuses an empty token on standard input', async () => {
    const { code, stderr } = await runFake(
      ['add', 'n', 'https://x.example', '--token', '-'],
      {},
      { stdin: Readable.from([]) },
    );
    expect(code).toBe(2);
    expect(stderr).toContain('the input was empty');
  });
});
