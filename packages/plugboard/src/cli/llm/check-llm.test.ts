import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { MemoryLlm } from '@plugboard/testing/llm';
import { runFake } from '../../test-support/run-fake.js';
import { aServer } from '../../test-support/shapes.js';

afterEach(() => vi.unstubAllGlobals());

const files = aServer({ server_name: 'files', config: { mcp_server_type: 'stdio', command: 'node', args: [] } });
const tool = { name: 'forbidden', inputSchema: { type: 'object' } };

const check = (double: MemoryLlm, ...flags: readonly string[]) => {
  vi.stubGlobal('fetch', double.fetch);
  return runFake(
    ['check', 'llm', double.openaiUrl, '--model', 'gpt-double', ...flags],
    { servers: [files], answers: { [`/v1/mcp-servers/${files.id}/offer`]: { tools: [tool] } } },
    { env: { OPENAI_API_KEY: 'sk-double' } },
  );
};

describe('check llm', () => {
  it('prints what is wrong with a model that answers everything alike, and fails', async () => {
    const double = new MemoryLlm();
    double.always({ text: 'pong' });
    const { code, stdout } = await check(double);
    expect(code).toBe(1);
    expect(stdout).toContain('LLM-20 A required tool is not called, or not with valid arguments (MUST)');
    expect(stdout).not.toContain('sk-double');
  });

  it('writes every report, without the key', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'plugboard-llm-'));
    onTestFinished(() => rm(cwd, { recursive: true, force: true }));
    const double = new MemoryLlm();
    double.always({ text: 'pong' });
    const files = ['json', 'md', 'xml', 'sarif', 'html', 'svg'].map((ending) => join(cwd, `llm.${ending}`));
    await check(double, ...files.flatMap((file) => ['--report', file]));
    for (const file of files) {
      const written = await readFile(file, 'utf8');
      expect(written).toContain(file.endsWith('svg') ? 'check llm: ' : 'LLM-20');
      expect(written).not.toContain('sk-double');
    }
  });

  it('sends the tools of a registered server, and names those that are refused', async () => {
    const double = new MemoryLlm({
      judge: (_api, tools) =>
        tools.flatMap(({ name }) => (name === 'forbidden' ? [{ tool: name, message: 'is not allowed' }] : [])),
    });
    double.always({ text: 'pong' });
    const { stdout } = await check(double, '--tools', 'files', '--json');
    const report = JSON.parse(stdout) as { results: { id: string; verdict: string; detail?: string }[] };
    expect(report.results.find(({ id }) => id === 'LLM-70:forbidden')).toMatchObject({
      verdict: 'fail',
      detail: expect.stringContaining('is not allowed') as string,
    });
  });

  it('ends with exit code 3 when the key is refused, and without a verdict', async () => {
    const { code, stdout } = await check(new MemoryLlm({ keys: ['sk-other'] }));
    expect([code, stdout]).toEqual([3, expect.stringContaining('Check the key')]);
  });
});
