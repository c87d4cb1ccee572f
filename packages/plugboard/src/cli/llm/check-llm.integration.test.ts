import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeServer, fakeServerCommand } from '@plugboard/testing';
import { DOUBLE_KEY, llmDouble } from '@plugboard/testing/llm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';

const tools = ['echo', 'forbidden'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
  handler: 'echo' as const,
}));

/** Verdicts by tool, from a provider that does not accept one of them. */
const acceptance = async (value: string, cwd = process.cwd()): Promise<Readonly<Record<string, string>>> => {
  await using double = await llmDouble({
    judge: (_api, offered) =>
      offered.flatMap(({ name }) => (name === 'forbidden' ? [{ tool: name, message: 'is not allowed' }] : [])),
  });
  double.always({ text: 'pong' });
  const { stdout, stderr, hub } = await runFake(
    ['check', 'llm', double.openaiUrl, '--model', 'gpt-double', '--tools', value, '--json'],
    {},
    { env: { PATH: process.env['PATH'] ?? '', OPENAI_API_KEY: DOUBLE_KEY }, cwd },
  );
  expect([stdout === '', stderr.includes('Error')]).toEqual([false, false]);
  expect(hub.seen).toEqual([]);
  const { results } = JSON.parse(stdout) as { results: readonly { id: string; verdict: string }[] };
  return Object.fromEntries(results.flatMap(({ id, verdict }) => (id.startsWith('LLM-70:') ? [[id, verdict]] : [])));
};

const ONE_REFUSED = { 'LLM-70:echo': 'pass', 'LLM-70:forbidden': 'fail' };

describe('check llm --tools, for a server that is not registered', () => {
  it('reads the tools of a URL', async () => {
    const server = fakeServer({ tools });
    try {
      expect(await acceptance((await server.listenHttp()).url)).toEqual(ONE_REFUSED);
    } finally {
      await server.close();
    }
  });

  it('reads the tools of a quoted command', async () => {
    const { command, args } = fakeServerCommand({ tools });
    const words = [command, ...args].map((word) => `"${word.replaceAll(/["\\]/gu, '\\$&')}"`);
    expect(await acceptance(words.join(' '))).toEqual(ONE_REFUSED);
  });

  it('reads the tools of an entry of a client file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'plugboard-llm-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const { command, args } = fakeServerCommand({ tools });
    const file = join(directory, '.mcp.json');
    await writeFile(file, JSON.stringify({ mcpServers: { files: { command, args }, other: { command: 'false' } } }));
    expect(await acceptance('.mcp.json#files', directory)).toEqual(ONE_REFUSED);
  });
});
