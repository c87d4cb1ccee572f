import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { openAiChatProvider, recordProvider, userText } from '@plugboard/agent';
import { DOUBLE_KEY, MemoryLlm } from '@plugboard/testing/llm';
import OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from '../../../packages/plugboard/src/cli/run-cli.js';
import { fakeProcess } from '../../../packages/plugboard/src/test-support/fake-process.js';

const noHub = { openHub: () => Promise.reject(new Error('No hub is needed.')) };

/** A recording of two answers, made from a double. */
const recorded = async (): Promise<string> => {
  const double = new MemoryLlm();
  double.next({ toolCalls: [{ name: 'look', arguments: { at: 'it' } }] }, { text: 'It is fine.' });
  let text = '';
  const provider = recordProvider(
    openAiChatProvider({ apiKey: DOUBLE_KEY, baseUrl: double.openaiUrl, fetch: double.fetch }),
    { redact: (value) => value, write: (line) => void (text += line) },
  );
  const tools = [{ name: 'look', inputSchema: { type: 'object', properties: {} } }];
  await provider.complete({ model: 'gpt-double', messages: [userText('Look.')], tools });
  await provider.complete({ model: 'gpt-double', messages: [userText('And?')] });
  return text;
};

test('a recorded model is served to stock clients of two providers', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'plugboard-replay-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  await writeFile(join(cwd, 'model.jsonl'), await recorded());
  const end = new AbortController();
  const process = fakeProcess(['replay', 'model.jsonl', '--http', '--json'], { cwd, signal: end.signal });
  const code = runCli(process, noHub);
  await expect.poll(() => process.written.stdout, { timeout: 20_000 }).toContain('\n');
  const { url, openai_url: baseURL, key: apiKey } = JSON.parse(process.written.stdout) as Record<string, string>;
  const messages = [{ role: 'user' as const, content: 'Anything.' }];
  const chat = await new OpenAI({ apiKey, baseURL, maxRetries: 0 }).chat.completions.create({
    model: 'gpt-double',
    messages,
    tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }],
  });
  expect(chat.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'look', arguments: '{"at":"it"}' } }]);
  const client = new Anthropic({ apiKey, baseURL: url, maxRetries: 0 });
  const message = await client.messages.create({ model: 'gpt-double', max_tokens: 50, messages });
  expect(message.content).toMatchObject([{ type: 'text', text: 'It is fine.' }]);
  end.abort();
  await code;
});

test('it is not a server of MCP', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'plugboard-replay-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  await writeFile(join(cwd, 'model.jsonl'), await recorded());
  const process = fakeProcess(['replay', 'model.jsonl'], { cwd, stdin: '' });
  expect([await runCli(process, noHub), process.written.stderr]).toEqual([2, expect.stringContaining('--http')]);
});
