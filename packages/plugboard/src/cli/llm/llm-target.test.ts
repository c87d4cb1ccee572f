import { describe, expect, it } from 'vitest';
import { type LlmTargetFlags, llmTargetOf } from './llm-target.js';

const flags = (more: Partial<LlmTargetFlags>): LlmTargetFlags => ({
  target: 'openai',
  model: 'm',
  api: undefined,
  keyEnv: undefined,
  region: undefined,
  timeoutMs: 60_000,
  contextTokens: undefined,
  burst: 0,
  batchMs: undefined,
  cacheTokens: undefined,
  embeddingModel: undefined,
  ...more,
});

describe('the endpoint of a command line', () => {
  it.each([
    [{ target: 'openai' }, { api: 'openai-responses', url: 'https://api.openai.com/v1', key: 'sk-o' }],
    [
      { target: 'openai', api: 'openai-chat' },
      { api: 'openai-chat', key: 'sk-o' },
    ],
    [{ target: 'anthropic' }, { api: 'anthropic', url: 'https://api.anthropic.com', key: 'sk-a' }],
    [
      { target: 'bedrock', region: 'eu-west-1' },
      {
        url: 'https://bedrock-runtime.eu-west-1.amazonaws.com',
        key: undefined,
        aws: { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: undefined, region: 'eu-west-1' },
      },
    ],
    [{ target: 'http://127.0.0.1:1/v1' }, { api: 'openai-chat', url: 'http://127.0.0.1:1/v1', key: 'sk-o' }],
    [{ target: 'http://127.0.0.1:1/v1', keyEnv: 'MINE' }, { key: 'sk-m' }],
  ] as const)('%o', (given, expected) => {
    const env = {
      OPENAI_API_KEY: 'sk-o',
      ANTHROPIC_API_KEY: 'sk-a',
      MINE: 'sk-m',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
    };
    expect(llmTargetOf(flags(given), env)).toMatchObject(expected);
  });

  it('may need no key', () => {
    expect(llmTargetOf(flags({ target: 'http://127.0.0.1:1/v1' }), { OPENAI_API_KEY: '' }).key).toBeUndefined();
    expect(llmTargetOf(flags({ target: 'bedrock' }), {}).aws).toBeUndefined();
  });

  it('names what is wrong', () => {
    expect(() => llmTargetOf(flags({ target: 'antropic' }), {})).toThrow('neither a provider nor an http(s) address');
    expect(() => llmTargetOf(flags({ keyEnv: 'MINE' }), {})).toThrow('MINE is not set');
  });
});
