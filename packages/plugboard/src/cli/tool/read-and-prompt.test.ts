import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlugboardError } from '@plugboard/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer } from '../../test-support/shapes.js';

const server = aServer({ server_name: 'docs', config: { mcp_server_type: 'stdio', command: 'x', args: [] } });

const rpc = (_server: string, method: string, params: Readonly<Record<string, unknown>>): unknown => {
  switch (method) {
    case 'resources/list':
      return params['cursor'] === undefined
        ? { resources: [{ uri: 'a://1', name: 'one' }], nextCursor: 'more' }
        : { resources: [{ uri: 'a://2', name: 'two', mimeType: 'text/plain', description: 'second' }] };
    case 'resources/read':
      return params['uri'] === 'a://blob'
        ? { contents: [{ uri: 'a://blob', mimeType: 'x/y', blob: Buffer.from([0, 255, 1]).toString('base64') }] }
        : { contents: [{ uri: 'a://1', text: 'hello' }] };
    case 'prompts/list':
      return {
        prompts: [
          { name: 'greet', description: 'Says hello', arguments: [{ name: 'who', required: true }, { name: 'how' }] },
        ],
      };
    case 'prompts/get':
      return {
        messages: [{ role: 'user', content: { type: 'text', text: `Greet ${JSON.stringify(params['arguments'])}` } }],
      };
    default:
      throw new PlugboardError('METHOD_NOT_FOUND', 'Not known.');
  }
};
const options = { servers: [server], rpc };

describe('read', () => {
  it('lists every page of the resources', async () => {
    const { code, stdout } = await runFake(['read', 'docs'], options);
    expect(code).toBe(0);
    expect(stdout).toMatch(/a:\/\/1.*\n.*a:\/\/2\s+text\/plain\s+two\s+second/u);
    expect((await runFake(['read', 'docs', '-q'], options)).stdout).toBe('a://1\na://2\n');
  });

  it('says when there are none', async () => {
    const none = { servers: [server], rpc: () => ({}) };
    expect((await runFake(['read', 'docs'], none)).stderr).toContain('docs offers no resources.');
  });

  it('prints text, and bytes into a pipe', async () => {
    expect((await runFake(['read', 'docs', 'a://1'], options)).stdout).toBe('hello\n');
    expect((await runFake(['read', 'docs', 'a://blob'], options)).stdout).toBe('\u0000\u00FF\u0001');
  });

  it('does not throw bytes at a terminal', async () => {
    const { stdout, stderr } = await runFake(['read', 'docs', 'a://blob'], options, { columns: 80 });
    expect(stdout).toBe('');
    expect(stderr).toContain('3 bytes: save it with --output');
  });

  it('writes to a file', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'plugboard-'));
    onTestFinished(() => rm(cwd, { recursive: true }));
    const { code } = await runFake(['read', 'docs', 'a://blob', '-o', 'out'], options, { cwd });
    expect(code).toBe(0);
    expect([...(await readFile(join(cwd, 'out')))]).toEqual([0, 255, 1]);
  });

  it('gives the answer whole with --json', async () => {
    expect((await runFake(['read', 'docs', 'a://1', '--json'], options)).json()).toEqual({
      contents: [{ uri: 'a://1', text: 'hello' }],
    });
  });

  it('refuses an answer of another shape', async () => {
    expect((await runFake(['read', 'docs', 'a://1'], { servers: [server], rpc: () => ({ contents: 1 }) })).code).toBe(
      1,
    );
  });

  it('passes other errors on', async () => {
    const denied = {
      servers: [server],
      rpc: () => {
        throw new PlugboardError('UPSTREAM_AUTH', 'No.');
      },
    };
    expect((await runFake(['read', 'docs'], denied)).code).toBe(5);
  });
});

describe('prompt', () => {
  it('lists prompts with their arguments', async () => {
    const { stdout } = await runFake(['prompt', 'docs'], options);
    expect(stdout).toMatch(/greet\s+who \[how\]\s+Says hello/u);
    expect((await runFake(['prompt', 'docs', '-q'], options)).stdout).toBe('greet\n');
  });

  it('fills one in', async () => {
    const { code, stdout } = await runFake(['prompt', 'docs', 'greet', '--arg', 'who=Ada'], options);
    expect(code).toBe(0);
    expect(stdout).toBe('user: Greet {"who":"Ada"}\n');
  });

  it('names what is missing, and suggests the nearest name', async () => {
    const missing = await runFake(['prompt', 'docs', 'greet'], options);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('The prompt "greet" needs "who".');
    expect((await runFake(['prompt', 'docs', 'great'], options)).stderr).toContain('Did you mean "greet"?');
  });

  it('treats a server without prompts as one that offers none', async () => {
    const none = {
      servers: [server],
      rpc: () => {
        throw new PlugboardError('METHOD_NOT_FOUND', 'Not known.');
      },
    };
    const { code, stderr } = await runFake(['prompt', 'docs'], none);
    expect(code).toBe(0);
    expect(stderr).toContain('docs offers no prompts.');
  });
});
