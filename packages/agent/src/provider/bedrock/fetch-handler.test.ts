import { DOUBLE_CREDENTIALS, DOUBLE_KEY, MemoryLlm } from '@plugboard/testing/llm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { userText } from '../../conversation/message.js';
import { createProvider } from '../choose/create-provider.js';
import { ModelError } from '../error/model-error.js';
import { collectAnswer } from '../provider.js';
import { fetchHandler } from './fetch-handler.js';

afterEach(() => void vi.unstubAllEnvs());

const VARIABLES: Readonly<Record<string, string>> = {
  AWS_REGION: DOUBLE_CREDENTIALS.region,
  AWS_ACCESS_KEY_ID: DOUBLE_CREDENTIALS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: DOUBLE_CREDENTIALS.secretAccessKey,
};

const request = { model: 'anthropic.claude-double-v1:0', messages: [userText('Hi.')] };

const providerOf = (double: MemoryLlm, fetch: typeof globalThis.fetch, variables = VARIABLES) =>
  createProvider('bedrock', { variable: (name) => variables[name], baseUrl: double.url, fetch });

describe('Bedrock over a fetch', () => {
  it('is asked, whole and streamed, with a signature that holds', async () => {
    const double = new MemoryLlm();
    const urls: string[] = [];
    const provider = providerOf(double, async (input, init) => {
      urls.push(input instanceof Request ? input.url : String(input));
      return double.fetch(input, init);
    });
    double.next({ text: 'Yes.' }, { text: 'Yes again.' });
    expect((await provider.complete(request)).content).toEqual([{ type: 'text', text: 'Yes.' }]);
    expect((await collectAnswer(provider.stream(request))).content).toEqual([{ type: 'text', text: 'Yes again.' }]);
    expect(double.refusals).toEqual([]);
    expect(urls.map((url) => new URL(url).pathname)).toEqual([
      '/model/anthropic.claude-double-v1%3A0/converse',
      '/model/anthropic.claude-double-v1%3A0/converse-stream',
    ]);
    provider.close();
  });

  it('fails with what the fetch throws, and ends with its signal', async () => {
    const double = new MemoryLlm();
    const refused = providerOf(double, async () => {
      throw new ModelError('server', { provider: 'here', said: 'too large' });
    });
    await expect(refused.complete(request)).rejects.toMatchObject({ failure: 'server', provider: 'here' });
    double.always({ fault: 'hang' });
    const cancel = new AbortController();
    const held = providerOf(double, double.fetch).complete(request, { signal: cancel.signal });
    cancel.abort(new Error('enough'));
    await expect(held).rejects.toThrow('enough');
  });

  it('takes no key from the environment of the process', async () => {
    vi.stubEnv('AWS_BEARER_TOKEN_BEDROCK', 'a-key-of-somebody-else');
    const double = new MemoryLlm();
    double.next({ text: 'Yes.' });
    await providerOf(double, double.fetch).complete(request);
    expect(double.arrivals[0]?.headers['authorization']).toMatch(/^AWS4-HMAC-SHA256 /u);
    expect(double.refusals).toEqual([]);
    double.next({ text: 'Yes.' });
    const ownKey = { AWS_REGION: DOUBLE_CREDENTIALS.region, AWS_BEARER_TOKEN_BEDROCK: DOUBLE_KEY };
    await providerOf(double, double.fetch, ownKey).complete(request);
    expect(double.arrivals[1]?.headers['authorization']).toBe(`Bearer ${DOUBLE_KEY}`);
  });
});

describe('a request of the AWS SDK', () => {
  const given = { protocol: 'https:', hostname: 'bedrock.test', method: 'POST', path: '/a%3Ab' };

  it('keeps its port and its query, and leaves to the fetch what that computes', async () => {
    const sent: unknown[] = [];
    const handler = fetchHandler(async (input, init) => {
      sent.push(input, init);
      return new Response(null, { status: 204, headers: { 'x-id': '7' } });
    });
    const headers = { Host: 'bedrock.test:8443', 'content-length': '2', 'x-amz-date': 'now' };
    const query = { one: 'a b', two: ['1', '2'], none: null };
    const { response } = await handler.handle({ ...given, port: 8443, headers, query, body: Buffer.from('{}') });
    expect(sent).toMatchObject([
      'https://bedrock.test:8443/a%3Ab?one=a+b&two=1&two=2&none=',
      { method: 'POST', headers: { 'x-amz-date': 'now' }, body: '{}' },
    ]);
    expect(JSON.stringify(sent[1])).not.toMatch(/Host|content-length/u);
    expect(response).toMatchObject({ statusCode: 204, headers: { 'x-id': '7' } });
    expect(await response.body.toArray()).toEqual([]);
  });
});
