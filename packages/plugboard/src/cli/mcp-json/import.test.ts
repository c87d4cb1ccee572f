import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer, refusedReport } from '../../test-support/shapes.js';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-'));
});
afterEach(() => rm(home, { recursive: true }));

const put = async (path: string, content: unknown): Promise<string> => {
  const file = join(home, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};

const inHome = () => ({ userHome: home, cwd: home });

describe('import', () => {
  it('finds the files of all clients at their default places', async () => {
    await put('.config/Claude/claude_desktop_config.json', { mcpServers: { a: { command: 'npx', args: ['a'] } } });
    await put('.cursor/mcp.json', {
      mcpServers: { b: { url: 'https://b.example/mcp', headers: { K: '${env:B_KEY}' } } },
    });
    await put(
      '.config/Code/User/mcp.json',
      `{ // with comments
        "inputs": [{ "type": "promptString", "id": "key", "description": "The key", "password": true }],
        "servers": {
          "c": { "type": "sse", "url": "https://c.example/sse" },
          "d": { "type": "stdio", "command": "d", "env": { "KEY": "\${input:key}" } },
        },
      }`,
    );
    await put('.codeium/windsurf/mcp_config.json', { mcpServers: { e: { serverUrl: 'https://e.example/mcp' } } });
    await put('.claude.json', { mcpServers: { f: { type: 'http', url: 'https://f.example/mcp' } } });
    const { code, stdout, hub } = await runFake(['import'], {}, inHome());
    // One of them asks for an input that was not given.
    expect(code).toBe(1);
    const added = hub.seen.filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(added).toEqual([
      { server_name: 'a', config: { mcp_server_type: 'stdio', command: 'npx', args: ['a'] } },
      { server_name: 'f', config: { mcp_server_type: 'streamable_http', server_url: 'https://f.example/mcp' } },
      {
        server_name: 'b',
        config: {
          mcp_server_type: 'streamable_http',
          server_url: 'https://b.example/mcp',
          custom_headers: { K: '${B_KEY}' },
        },
      },
      { server_name: 'c', config: { mcp_server_type: 'sse', server_url: 'https://c.example/sse' } },
      { server_name: 'e', config: { mcp_server_type: 'streamable_http', server_url: 'https://e.example/mcp' } },
    ]);
    expect(stdout).toContain('d  refused: it needs the input "key" (The key): give it with --input key=…');
  });

  it('takes the value of an input', async () => {
    const file = await put('mcp.json', {
      servers: { d: { command: 'd', env: { KEY: '${input:key}' } } },
      inputs: [{ id: 'key' }],
    });
    const { hub } = await runFake(['import', file, '--input', 'key=secret'], {}, inHome());
    expect(hub.seen.at(-1)?.body).toMatchObject({ config: { env: { KEY: 'secret' } } });
  });

  it('says what became of each entry: added, already there, renamed, refused', async () => {
    const file = await put('mcp.json', {
      mcpServers: {
        same: { command: 'npx', args: ['same'], env: { KEY: 'a-very-long-secret' } },
        taken: { command: 'npx', args: ['another'] },
        'my/ server!': { command: 'x' },
        off: { command: 'x', disabled: true },
        half: { args: ['x'] },
        wrong: { command: 'x', args: 'y' },
        ours: { url: 'http://127.0.0.1:2091/mcp' },
        relay: { command: 'npx', args: ['-y', 'mcp-remote', 'http://localhost:2091/mcp'] },
        here: { command: '${workspaceFolder}/run' },
        ftp: { url: 'ftp://x.example' },
        filed: { command: 'x', envFile: '.env' },
      },
    });
    const servers = [
      aServer({
        server_name: 'same-one',
        config: { mcp_server_type: 'stdio', command: 'npx', args: ['same'], env: { KEY: 'a-very-long-secret' } },
      }),
      aServer({ server_name: 'taken', config: { mcp_server_type: 'stdio', command: 'npx', args: ['this'] } }, {}, 2),
    ];
    const { code, stdout } = await runFake(['import', file], { servers }, inHome());
    expect(code).toBe(1);
    const lines = stdout.split('\n').map((line) => line.trim().replaceAll(/ {2,}/gu, ' | '));
    expect(lines).toEqual([
      file,
      'same | already there as same-one',
      'taken | added as taken-2, because that name is taken or not allowed here, 0 tools',
      'my/ server! | added as my- server, because that name is taken or not allowed here, 0 tools',
      'off | skipped: it is disabled there',
      'half | refused: it has neither "command" nor "url"',
      'wrong | refused: its shape is not known (args: Invalid input: expected array, received string)',
      'ours | skipped: it is this hub itself',
      'relay | skipped: it is this hub itself',
      'here | refused: it refers to ${workspaceFolder}, which only that client knows',
      'ftp | refused: server_url must be an http:// or https:// URL',
      'filed | refused: it reads variables from a file (envFile): add it manually with --env',
      '',
    ]);
  });

  it('succeeds when nothing was refused, skipped entries included', async () => {
    const file = await put('mcp.json', { mcpServers: { a: { command: 'x' }, off: { command: 'x', disabled: true } } });
    expect((await runFake(['import', file], {}, inHome())).code).toBe(0);
  });

  it('changes nothing with --dry-run', async () => {
    const file = await put('mcp.json', { mcpServers: { a: { command: 'x' } } });
    const { stdout, hub } = await runFake(['import', file, '--dry-run'], {}, inHome());
    expect(stdout).toContain('would be added');
    expect(hub.seen.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('adds a server that cannot be reached and says why', async () => {
    const file = await put('mcp.json', { mcpServers: { a: { command: 'x' } } });
    const { stdout } = await runFake(['import', file], { sync: () => refusedReport }, inHome());
    expect(stdout).toContain('added, but its tools could not be read: Nothing listens there. Start the server.');
  });

  it('exits with 3 when a file cannot be used, and says where', async () => {
    const file = await put('mcp.json', '{\n  "mcpServers": {\n    "a": x\n  }\n}');
    const { code, stdout } = await runFake(['import', file], {}, inHome());
    expect(code).toBe(3);
    expect(stdout).toContain('not usable: line 3: this is not JSON');
    const other = await put('other.json', { something: 1 });
    expect((await runFake(['import', other], {}, inHome())).stdout).toContain('neither "mcpServers" nor "servers"');
  });

  it('names the places that it looked at when there is nothing', async () => {
    const { code, stderr } = await runFake(['import', '--client', 'cursor'], {}, inHome());
    expect(code).toBe(2);
    expect(stderr).toContain(join(home, '.cursor/mcp.json'));
    expect((await runFake(['import', 'nothing.json'], {}, inHome())).stderr).toContain(
      'The file nothing.json cannot be read.',
    );
  });

  it('reports as JSON', async () => {
    const file = await put('mcp.json', { mcpServers: { a: { command: 'x' } } });
    expect((await runFake(['import', file, '--json'], {}, inHome())).json()).toMatchObject({
      dry_run: false,
      files: [{ path: file, entries: [{ outcome: 'added', name: 'a', as: 'a', sync: { status: 'ok' } }] }],
    });
  });

  it('refuses an unknown client, naming the known ones', async () => {
    const { code, stderr } = await runFake(['import', '--client', 'emacs']);
    expect(code).toBe(2);
    expect(stderr).toContain('Allowed choices are claude-desktop, claude-code, cursor, vscode, windsurf.');
  });
});
