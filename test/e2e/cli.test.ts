import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  ended,
  MAIN,
  ownerKey,
  run,
  type RunOptions,
  type RunResult,
  serverFile,
  start,
  temporaryDirectory,
  textOf,
  until,
} from './cli-process.js';

const node = process.execPath;

const ok = async (argv: readonly string[], options: RunOptions): Promise<RunResult> => {
  const result = await run(argv, options);
  expect(result.stderr).not.toMatch(/^error/mu);
  expect(result.code).toBe(0);
  return result;
};

describe('the program, without a hub', () => {
  it.each(['everything', 'filesystem', 'memory', 'sequential-thinking'])(
    'registers server-%s and lists its tools',
    async (name) => {
      const home = await temporaryDirectory();
      const args = name === 'everything' ? ['stdio'] : name === 'filesystem' ? ['.'] : [];
      const { stdout } = await ok(['add', name, '--', node, serverFile(name), ...args], { home });
      expect(stdout).toMatch(
        new RegExp(`✓ ${name} is registered \\(stdio, protocol [0-9-]+\\): [0-9]+ tools?\\.`, 'u'),
      );
      const tools = JSON.parse((await ok(['tools', name, '--json'], { home })).stdout) as unknown[];
      expect(tools.length).toBeGreaterThan(0);
    },
  );

  it('calls a tool in the directory where the server was added, from arguments, JSON and a pipe', async () => {
    const home = await temporaryDirectory();
    const cwd = join(home, 'with space');
    await mkdir(cwd);
    await writeFile(join(cwd, 'note.txt'), 'remember the milk');
    await ok(['add', 'files', '--', node, serverFile('filesystem'), '.'], { home, cwd });
    const path = join(cwd, 'note.txt');
    expect((await ok(['call', 'files', 'read_text_file', '--arg', `path=${path}`], { home })).stdout).toBe(
      'remember the milk\n',
    );
    expect(
      (await ok(['call', 'files', 'read_text_file', '--json-args', JSON.stringify({ path })], { home })).stdout,
    ).toBe('remember the milk\n');
    expect((await ok(['call', 'files', 'read_text_file'], { home, input: JSON.stringify({ path }) })).stdout).toBe(
      'remember the milk\n',
    );
    const wrong = await run(['call', 'files', 'read_text_file', '--arg', 'pth=x'], { home });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('"path" is required.');
    const refused = await run(['call', 'files', 'read_text_file', '--arg', 'path=/etc/passwd'], { home });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('read_text_file reported:');
  });

  it('reads resources and fills in prompts', async () => {
    const home = await temporaryDirectory();
    await ok(['add', 'every', '--', node, serverFile('everything'), 'stdio'], { home });
    const { stdout } = await ok(['read', 'every', '--quiet'], { home });
    const [uri = ''] = stdout.split('\n');
    expect((await ok(['read', 'every', uri], { home })).stdout.length).toBeGreaterThan(10);
    expect((await ok(['prompt', 'every', 'args-prompt', '--arg', 'city=Oslo'], { home })).stdout).toContain('Oslo');
  });

  it('registers what cannot be reached, says why, and tells it apart when synced', async () => {
    const home = await temporaryDirectory();
    const crash = await ok(['add', 'crash', '--', node, '-e', 'console.error("the key is missing"); process.exit(3)'], {
      home,
    });
    expect(crash.stdout).toContain('the key is missing');
    const absent = await ok(['add', 'absent', '--', 'no-such-program-anywhere'], { home });
    expect(absent.stdout).toContain('PROCESS_NOT_STARTED');
    const closed = await ok(['add', 'closed', 'http://127.0.0.1:9/mcp', '--token', 'canary-secret-0815'], { home });
    expect(closed.stdout).toContain('UPSTREAM_REFUSED');
    expect((await run(['sync', 'closed'], { home })).code).toBe(4);
    const doctor = await run(['doctor', '--json'], { home, env: { PLUGBOARD_PORT: '0' } });
    expect(doctor.code).toBe(1);
    const all = [crash, absent, closed, doctor, await run(['show', 'closed', '--json'], { home })];
    for (const { stdout, stderr } of all) expect(stdout + stderr).not.toContain('canary-secret');
  });

  it('imports the file of a client, exports it again, and removes what it imported', async () => {
    const home = await temporaryDirectory();
    const file = join(home, '.config/Claude/claude_desktop_config.json');
    await mkdir(join(home, '.config/Claude'), { recursive: true });
    const env = { NOTE: 'a value that is a secret' };
    await writeFile(
      file,
      JSON.stringify({ mcpServers: { memory: { command: node, args: [serverFile('memory')], env } } }),
    );
    expect((await ok(['import', '--client', 'claude-desktop'], { home })).stdout).toMatch(/memory\s+added, \d+ tools/u);
    expect((await ok(['import', '--client', 'claude-desktop'], { home })).stdout).toMatch(/memory\s+already there/u);
    expect(JSON.parse((await ok(['export'], { home })).stdout)).toEqual({
      mcpServers: { memory: { command: node, args: [serverFile('memory')], env: { NOTE: '${NOTE}' } } },
    });
    await ok(['remove', 'memory'], { home });
    expect((await ok(['list', '--quiet'], { home })).stdout).toBe('');
  });

  it('leaves without a word when its reader does', async () => {
    const home = await temporaryDirectory();
    const child = start(['manual'], { home });
    child.stdin?.end();
    child.stdout?.destroy();
    const [stderr] = await Promise.all([textOf(child.stderr), ended(child)]);
    expect(stderr).toBe('');
  });

  it('stops at Ctrl-C with 130, and takes the server with it', async () => {
    const home = await temporaryDirectory();
    const script = join(home, 'slow.mjs');
    await writeFile(
      script,
      `import { writeFileSync } from 'node:fs';
       import { createInterface } from 'node:readline';
       const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
       for await (const line of createInterface({ input: process.stdin })) {
         const { id, method } = JSON.parse(line);
         if (method === 'initialize') send({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } });
         else if (method === 'tools/list') send({ id, result: { tools: [{ name: 'wait', inputSchema: { type: 'object' } }] } });
         else if (method === 'tools/call') writeFileSync(${JSON.stringify(join(home, 'pid'))}, String(process.pid));
         else if (id !== undefined) send({ id, error: { code: -32601, message: 'unknown' } });
       }`,
    );
    await ok(['add', 'slow', '--', node, script], { home });
    const child = start(['call', 'slow', 'wait'], { home });
    child.stdin?.end();
    const readPid = (): Promise<string> => readFile(join(home, 'pid'), 'utf8').catch(() => '');
    await expect.poll(readPid, { timeout: 30_000 }).toMatch(/^\d+$/u);
    const pid = Number(await readPid());
    child.kill('SIGINT');
    expect(await ended(child)).toBe(130);
    const isGone = (): boolean => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    };
    await expect.poll(isGone, { timeout: 30_000 }).toBe(true);
  });
});

describe('the program, beside a hub', () => {
  it('talks to the hub that runs on its home, until that stops', async () => {
    const home = await temporaryDirectory();
    const hub = start(['serve', '--port', '0'], { home });
    const url = (await until(hub, /running at (?<url>http:\/\/\S+)/u)).groups?.['url'] ?? '';
    await expect
      .poll(
        () =>
          stat(join(home, 'hub.json')).then(
            ({ mode }) => mode & 0o777,
            () => 0,
          ),
        { timeout: 10_000 },
      )
      .toBe(0o600);
    await ok(['add', 'every', '--', node, serverFile('everything'), 'stdio'], { home });
    const key = await ownerKey(home);
    expect((await ok(['key', 'local'], { home })).stdout).toBe(`${key}\n`);
    const served = (await (
      await fetch(new URL('/v1/mcp-servers', url), { headers: { authorization: `Bearer ${key}` } })
    ).json()) as readonly { server_name: string }[];
    expect(served.map((server) => server.server_name)).toEqual(['every']);
    expect((await ok(['call', 'every', 'get-sum', '-a', 'a=2', '-a', 'b=3'], { home })).stdout).toContain('5');
    const elsewhere = await temporaryDirectory();
    expect((await run(['list', '-q', '--hub', url], { home: elsewhere })).code).toBe(5);
    expect((await ok(['list', '-q', '--hub', url], { home })).stdout).toBe('every\n');
    expect((await ok(['list', '-q', '--hub', url], { home: elsewhere, env: { PLUGBOARD_API_KEY: key } })).stdout).toBe(
      'every\n',
    );
    const second = await run(['serve', '--port', '0'], { home });
    expect(second.code).toBe(2);
    expect(second.stderr).toContain('A hub already runs on this home');
    hub.kill('SIGINT');
    expect(await ended(hub)).toBe(0);
    expect((await ok(['list', '--quiet'], { home })).stdout).toBe('every\n');
    expect((await run(['list', '--hub', url], { home })).code).toBe(4);
  });

  it('refuses to listen for everyone without access control', async () => {
    const home = await temporaryDirectory();
    const { code, stderr } = await run(['serve', '--host', '0.0.0.0', '--port', '0'], { home });
    expect(code).toBe(5);
    expect(stderr).toContain('INSECURE_BIND');
  });
});

describe('completion in bash', () => {
  it('offers servers and tools', async () => {
    const home = await temporaryDirectory();
    await ok(['add', 'every', '--', node, serverFile('everything'), 'stdio'], { home });
    const bin = join(home, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'plugboard'), `#!/bin/sh\nexec '${node}' '${MAIN}' "$@"\n`, { mode: 0o755 });
    const script = `source <(plugboard completion bash)
      COMP_WORDS=(plugboard call ev) COMP_CWORD=2; _plugboard; echo "\${COMPREPLY[@]}"
      COMP_WORDS=(plugboard call every get-su) COMP_CWORD=3; _plugboard; echo "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync('bash', ['-c', script], {
      env: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: home, PLUGBOARD_HOME: home },
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(stdout).toBe('every\nget-sum\n');
  });
});

describe('lint', () => {
  it('grades a server that is not registered, and registers nothing', async () => {
    const home = await temporaryDirectory();
    const { code, stdout } = await run(['lint', '--json', '--', node, serverFile('memory')], { home });
    expect(code).toBe(0);
    const report = JSON.parse(stdout) as { tools: readonly { name: string }[]; summary: { tools: number } };
    expect(report.tools.map(({ name }) => name)).toContain('create_entities');
    expect(report.summary.tools).toBe(report.tools.length);
    expect((await ok(['list', '-q'], { home })).stdout).toBe('');
  });
});
