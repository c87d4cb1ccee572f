import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  type ConverseCommandInput,
  type ConverseStreamOutput,
} from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { describe, expect, test } from 'vitest';
import { DOUBLE_CREDENTIALS, llmDouble, type AwsCredentials, type LlmDouble } from './index.js';

const modelId = 'anthropic.claude-double-v1:0';
const ask: ConverseCommandInput['messages'] = [{ role: 'user', content: [{ text: 'What is the weather in Oslo?' }] }];
const toolConfig: ConverseCommandInput['toolConfig'] = {
  tools: [
    {
      toolSpec: {
        name: 'get_forecast',
        inputSchema: { json: { type: 'object', properties: { city: { type: 'string' } } } },
      },
    },
  ],
};

const clientOf = (double: LlmDouble, changes: Partial<AwsCredentials> = {}, http1 = false): BedrockRuntimeClient => {
  const { region, ...credentials } = { ...DOUBLE_CREDENTIALS, ...changes };
  return new BedrockRuntimeClient({
    region,
    credentials,
    endpoint: double.url,
    maxAttempts: 1,
    ...(http1 ? { requestHandler: new NodeHttpHandler() } : {}),
  });
};

const converse = async (client: BedrockRuntimeClient, input: Partial<ConverseCommandInput> = {}) => {
  try {
    return await client.send(new ConverseCommand({ modelId, messages: ask, ...input }));
  } finally {
    client.destroy();
  }
};

const readStream = async (client: BedrockRuntimeClient): Promise<readonly ConverseStreamOutput[]> => {
  try {
    const { stream } = await client.send(new ConverseStreamCommand({ modelId, messages: ask, toolConfig }));
    const events: ConverseStreamOutput[] = [];
    for await (const event of stream ?? []) events.push(event);
    return events;
  } finally {
    client.destroy();
  }
};

describe('Converse over a socket, asked by the official SDK', () => {
  test.each([
    ['HTTP/2, its default', false],
    ['HTTP/1.1', true],
  ])('over %s', async (_, http1) => {
    await using double = await llmDouble();
    double.next({ text: 'Rain.', usage: { input: 5, output: 2, cachedInput: 3 } });
    const answer = await converse(clientOf(double, {}, http1));
    expect(answer).toMatchObject({
      stopReason: 'end_turn',
      output: { message: { content: [{ text: 'Rain.' }] } },
      usage: { inputTokens: 5, totalTokens: 7, cacheReadInputTokens: 3 },
    });
  });

  test('a stream with thinking, text and a call', async () => {
    await using double = await llmDouble();
    double.next({
      thinking: 'Hm.',
      text: 'I will look.',
      toolCalls: [{ name: 'get_forecast', arguments: { city: 'Oslo' } }],
    });
    const events = await readStream(clientOf(double));
    const deltas = events.flatMap((event) => event.contentBlockDelta?.delta ?? []);
    expect(deltas.map((delta) => delta.text ?? '').join('')).toBe('I will look.');
    expect(deltas.map((delta) => delta.toolUse?.input ?? '').join('')).toBe('{"city":"Oslo"}');
    expect(deltas.map((delta) => delta.reasoningContent?.text ?? '').join('')).toBe('Hm.');
    expect(events.at(-2)?.messageStop?.stopReason).toBe('tool_use');
    expect(events.at(-1)?.metadata?.usage?.totalTokens).toBeGreaterThan(0);
  });

  test('an exception inside a stream, and a cut one', async () => {
    await using double = await llmDouble();
    double.next({ text: 'a long text', fault: { errorAfter: 2 } });
    await expect(readStream(clientOf(double))).rejects.toMatchObject({ name: 'ThrottlingException' });
    double.next({ text: 'a long text', fault: { cutAfter: 2 } });
    await expect(readStream(clientOf(double))).rejects.toThrow(/stream|session|closed/iu);
  });

  test('cancellation, and nobody there', async () => {
    const double = await llmDouble();
    double.always({ fault: 'hang' });
    const client = clientOf(double);
    const command = new ConverseCommand({ modelId, messages: ask });
    const call = client.send(command, { abortSignal: AbortSignal.timeout(20) });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await double.close();
    await expect(client.send(command)).rejects.toThrow(/ECONNREFUSED|closed|socket/iu);
    client.destroy();
  });
});
