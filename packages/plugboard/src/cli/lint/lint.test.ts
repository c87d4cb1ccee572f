import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer } from '../../test-support/shapes.js';

const good = {
  name: 'read_file',
  title: 'Read a file',
  description: 'Reads one file of the project and returns its text.',
  annotations: { readOnlyHint: true },
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Where the file is.' } },
    required: ['path'],
    additionalProperties: false,
  },
};
const broken = { name: 'broken', description: 'Its schema describes a text.', inputSchema: { type: 'string' } };

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'plugboard-'));
});
afterEach(() => rm(cwd, { recursive: true }));

const put = (name: string, content: unknown): Promise<void> =>
  writeFile(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content));

interface Report {
  readonly tools: readonly {
    readonly name: string;
    readonly grade: { readonly status: string };
    readonly providers: object;
  }[];
  readonly summary: { readonly tools: number };
}

describe('lint', () => {
  it.each([
    ['an object with tools', { tools: [good] }],
    ['a plain array', [good]],
    ['an answer to tools/list', { jsonrpc: '2.0', id: 1, result: { tools: [good] } }],
  ])('reads %s from a file, without a hub', async (_what, content) => {
    await put('tools.json', content);
    const { code, json, hub } = await runFake(['lint', 'tools.json', '--json'], {}, { cwd });
    expect(code).toBe(0);
    const report = json() as Report;
    expect(report.tools).toMatchObject([{ name: 'read_file', grade: { status: 'STRICT_COMPLIANT', reasons: [] } }]);
    expect(report.summary.tools).toBe(1);
    expect(hub.seen).toEqual([]);
  });

  it('reads tools from standard input', async () => {
    const { code, stdout } = await runFake(['lint', '-'], {}, { stdin: JSON.stringify([good]) });
    expect(code).toBe(0);
    expect(stdout).toContain('1 tools');
  });

  it('exits with 1 and names the tool when a schema is invalid', async () => {
    await put('tools.json', [good, broken]);
    const { code, stdout } = await runFake(['lint', './tools.json'], {}, { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^broken {2}INVALID/mu);
  });

  it('judges by the providers that are named, and fails when one of them refuses', async () => {
    await put('tools.json', [good]);
    const { json } = await runFake(['lint', 'tools.json', '--json', '--provider', 'openai,gemini'], {}, { cwd });
    expect(Object.keys((json() as Report).tools[0]?.providers ?? {})).toEqual(['openai', 'gemini']);
    await put('broken.json', [broken]);
    expect((await runFake(['lint', 'broken.json', '--provider', 'openai'], {}, { cwd })).code).toBe(1);
    const unknown = await runFake(['lint', 'tools.json', '--provider', 'gemni'], {}, { cwd });
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('Did you mean "gemini"?');
  });

  it('grades by the profile that is asked for', async () => {
    const inputSchema = {
      type: 'object',
      properties: { mode: { enum: ['a', 'b'] } },
      required: ['mode'],
      additionalProperties: false,
    };
    await put('tools.json', [{ ...good, inputSchema }]);
    const graded = async (profile: string) => {
      const { json } = await runFake(['lint', 'tools.json', '--json', '--profile', profile], {}, { cwd });
      return (json() as Report).tools[0]?.grade.status;
    };
    expect(await graded('letta')).toBe('INVALID');
    expect(await graded('default')).toBe('STRICT_COMPLIANT');
    expect((await runFake(['lint', 'tools.json', '--profile', 'other'], {}, { cwd })).code).toBe(2);
  });

  it('prints the list rewritten for a provider, or normalised', async () => {
    await put('tools.json', [
      { ...good, inputSchema: { ...good.inputSchema, additionalProperties: undefined } },
      broken,
    ]);
    const adapted = await runFake(['lint', 'tools.json', '--fix', '--provider', 'openai-strict'], {}, { cwd });
    const { tools } = JSON.parse(adapted.stdout) as {
      tools: readonly { inputSchema: { additionalProperties: unknown } }[];
    };
    expect(tools[0]?.inputSchema.additionalProperties).toBe(false);
    expect(adapted.stderr).toContain('1 of 2 tools could not be rewritten');
    expect(adapted.code).toBe(1);
    expect((await runFake(['lint', 'tools.json', '--fix'], {}, { cwd })).code).toBe(0);
    expect((await runFake(['lint', 'tools.json', '--fix', '--provider', 'openai,gemini'], {}, { cwd })).code).toBe(2);
  });

  it('writes SARIF', async () => {
    await put('tools.json', [broken]);
    const { stdout } = await runFake(['lint', 'tools.json', '--sarif'], {}, { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ version: '2.1.0' });
  });

  it.each([
    ['a file that is missing', 'nothing.json', undefined, 'cannot be read'],
    ['no JSON', 'bad.json', '{', 'the JSON ends too early'],
    ['no tools', 'none.json', {}, 'it contains no array of tools'],
    ['an entry without a name', 'half.json', [good, {}], 'entry 2 is not a tool'],
  ])('exits with 3 for %s', async (_what, name, content, message) => {
    if (content !== undefined) await put(name, content);
    const { code, stderr } = await runFake(['lint', name], {}, { cwd });
    expect(stderr).toContain(message);
    expect(code).toBe(3);
    expect((await runFake(['lint', name, '--json'], {}, { cwd })).json()).toHaveProperty('error.message');
  });

  const health = { status: 'STRICT_COMPLIANT', reasons: [] };
  const server = aServer({ server_name: 'files', config: { mcp_server_type: 'stdio', command: 'x', args: [] } });

  it('asks a registered server for its tools as they are now', async () => {
    const live = { '/v1/tools/mcp/servers/files/tools': [{ ...good, health }] };
    const { code, json, hub } = await runFake(
      ['lint', 'files', '--json'],
      { servers: [server], answers: live },
      { cwd },
    );
    expect(code).toBe(0);
    expect(json()).toMatchObject({ tools: [{ name: 'read_file' }] });
    expect(hub.seen.at(-1)?.path).toBe('/v1/tools/mcp/servers/files/tools');
  });

  it.each([
    [
      ['https://x.example/mcp', '--header', 'A: b'],
      { type: 'streamable_http', server_url: 'https://x.example/mcp', custom_headers: { A: 'b' } },
    ],
    [['--', 'npx', '-y', 'server'], { type: 'stdio', command: 'npx', args: ['-y', 'server'] }],
    [['--', 'server'], { type: 'stdio', command: 'server', args: [] }],
  ])('tries %j without registering it', async (argv, body) => {
    const answers = { '/v1/tools/mcp/servers/test': { status: 'success', tools: [{ ...good, health }] } };
    const { code, hub } = await runFake(['lint', '-q', ...argv], { answers }, { cwd });
    expect(code).toBe(0);
    expect(hub.seen).toHaveLength(1);
    expect(hub.seen[0]?.body).toMatchObject(body);
  });

  it('keeps its columns, and nothing of a tool acts on the terminal', async () => {
    await put('tools.json', [{ ...broken, name: 'br\u001B[2Joken' }]);
    const { stdout } = await runFake(['lint', 'tools.json', '-v'], {}, { cwd, columns: 80, env: { NO_COLOR: '1' } });
    expect(stdout).toContain('br\\u{001B}[2Joken  INVALID');
    expect(stdout).toMatch(/^ {2}azure {14}0 ok/mu);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});
