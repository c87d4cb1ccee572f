import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  type ConverseCommandInput,
  type ConverseStreamOutput,
} from '@aws-sdk/client-bedrock-runtime';
import { describe, expect, test } from 'vitest';
import type { AwsCredentials } from './bedrock/signature.js';
import { DOUBLE_CREDENTIALS } from './scripted-llm.js';
import { MemoryLlm } from './memory-llm.js';

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

const clientOf = (double: MemoryLlm, changes: Partial<AwsCredentials> = {}): BedrockRuntimeClient => {
  const { region, ...credentials } = { ...DOUBLE_CREDENTIALS, ...changes };
  return new BedrockRuntimeClient({
    region,
    credentials,
    endpoint: double.url,
    maxAttempts: 1,
    requestHandler: double.awsHandler,
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

describe('Converse, asked by the official SDK', () => {
  test('a stream with thinking, text and a call', async () => {
    const double = new MemoryLlm();
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

  test('structured output', async () => {
    const double = new MemoryLlm();
    double.always({ text: '{"city":"Oslo"}' });
    const withSchema = (schema: string) =>
      converse(clientOf(double), {
        outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema: { name: 'place', schema } } } },
      });
    const answer = await withSchema(JSON.stringify({ type: 'object', properties: { city: { type: 'string' } } }));
    expect(answer.output?.message?.content).toEqual([{ text: '{"city":"Oslo"}' }]);
    await expect(withSchema('{"type": ')).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test('results of tools', async () => {
    const double = new MemoryLlm();
    double.next((request) => ({ text: `It says ${request.toolResults.join()}.` }));
    const messages: ConverseCommandInput['messages'] = [
      ...(ask ?? []),
      { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'get_forecast', input: {} } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ json: { sky: 'grey' } }] } }] },
    ];
    const answer = await converse(clientOf(double), { messages, toolConfig });
    expect(answer.output?.message?.content).toEqual([{ text: 'It says {"sky":"grey"}.' }]);
    await expect(converse(clientOf(double), { messages })).rejects.toThrow(/toolConfig field must be defined/u);
  });

  test.each([
    [400, 'ValidationException'],
    [403, 'AccessDeniedException'],
    [404, 'ResourceNotFoundException'],
    [408, 'ModelTimeoutException'],
    [424, 'ModelErrorException'],
    [429, 'ThrottlingException'],
    [500, 'InternalServerException'],
    [503, 'ServiceUnavailableException'],
  ])('status %i is %s', async (status, name) => {
    const double = new MemoryLlm();
    double.next({ fault: { status } });
    await expect(converse(clientOf(double))).rejects.toMatchObject({ name, $metadata: { httpStatusCode: status } });
  });

  test.each([
    ['the secret of another', { secretAccessKey: 'other' }, 'InvalidSignatureException'],
    ['an unknown key', { accessKeyId: 'AKIAOTHER' }, 'UnrecognizedClientException'],
    ['another region', { region: 'eu-west-1' }, 'InvalidSignatureException'],
    ['a session that it does not know', { sessionToken: 'token' }, 'UnrecognizedClientException'],
  ])('refuses %s', async (_, changes, name) => {
    const double = new MemoryLlm();
    await expect(converse(clientOf(double, changes))).rejects.toMatchObject({ name });
  });

  test('knows a session token', async () => {
    const credentials = { ...DOUBLE_CREDENTIALS, sessionToken: 'token' };
    const double = new MemoryLlm({ credentials });
    double.next({ text: 'Yes.' });
    expect((await converse(clientOf(double, credentials))).stopReason).toBe('end_turn');
  });

  test('refuses a body that was changed after it was signed', async () => {
    const double = new MemoryLlm();
    const client = clientOf(double);
    client.middlewareStack.add(
      (next) => (args) => {
        const request = args.request as { body: string };
        request.body = request.body.replace('Oslo', 'Rome');
        return next(args);
      },
      { step: 'deserialize', priority: 'low' },
    );
    await expect(converse(client)).rejects.toMatchObject({ name: 'InvalidSignatureException' });
  });

  test.each([
    ['an unknown model', { modelId: 'other' }, /model identifier is invalid/u],
    [
      'an assistant first',
      { messages: [{ role: 'assistant' as const, content: [{ text: 'Hi' }] }] },
      /start with a user message/u,
    ],
    ['two users in a row', { messages: [...(ask ?? []), ...(ask ?? [])] }, /must alternate/u],
    ['a blank text', { messages: [{ role: 'user' as const, content: [{ text: ' ' }] }] }, /is blank/u],
    [
      'a result without a call',
      { messages: [{ role: 'user' as const, content: [{ toolResult: { toolUseId: 'x', content: [] } }] }], toolConfig },
      /exceeds the number/u,
    ],
    [
      'an empty description',
      {
        toolConfig: {
          tools: [{ toolSpec: { name: 'a', description: '', inputSchema: { json: { type: 'object' } } } }],
        },
      },
      /at least 1/u,
    ],
    [
      'a name with a dot',
      { toolConfig: { tools: [{ toolSpec: { name: 'a.b', inputSchema: { json: { type: 'object' } } } }] } },
      /does not match/u,
    ],
  ])('refuses %s', async (_, input, message) => {
    const double = new MemoryLlm();
    await expect(converse(clientOf(double), input)).rejects.toThrow(message);
  });
});
