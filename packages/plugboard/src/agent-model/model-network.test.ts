import { createProvider, userText } from '@plugboard/agent';
import { createUrlGuard, type GuardedRequest } from '@plugboard/client';
import { PlugboardError } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { HOP_HEADER } from '../hub-loop/hop.js';
import { OwnPlaces } from '../upstream/own-places.js';
import { modelFetch, modelUrlCheck } from './model-network.js';

describe('requests to models', () => {
  const rig = (answer: string) => {
    const sent: (GuardedRequest & { readonly url: string })[] = [];
    const fetch = modelFetch(async (url, init = {}) => {
      sent.push({ url, ...init });
      return new Response(answer, { headers: { 'content-type': 'application/json' } });
    }, 'this-hub');
    return { sent, fetch };
  };

  it('name the hub, and follow no redirect', async () => {
    const { sent, fetch } = rig('{}');
    const headers = { authorization: 'Bearer k', [HOP_HEADER]: 'another' };
    await fetch('https://llm.example/v1', { method: 'POST', headers, body: '{}' });
    expect(sent).toMatchObject([
      {
        url: 'https://llm.example/v1',
        headers: { authorization: 'Bearer k', [HOP_HEADER]: 'this-hub' },
        redirect: 'error',
      },
    ]);
    await expect(fetch('https://llm.example/v1', { method: 'POST', body: new URLSearchParams() })).rejects.toThrow(
      'only texts',
    );
  });

  it('get no more than an answer may have', async () => {
    const { fetch } = rig('y'.repeat(2 * 1024 * 1024));
    const ask = async (body: string) => (await fetch('https://llm.example/v1', { method: 'POST', body })).text();
    await expect(ask('{"stream":true}')).rejects.toMatchObject({ code: 'MODEL_FAILED', provider: 'llm.example' });
    expect(await ask(JSON.stringify({ text: '"stream":true' }))).toHaveLength(2 * 1024 * 1024);
  });
});

describe('requests to models of Bedrock', () => {
  const VARIABLES: Readonly<Record<string, string>> = {
    AWS_REGION: 'eu-north-1',
    AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  const request = { model: 'anthropic.claude-v1:0', messages: [userText('Hi.')] };
  const bedrockAt = (answer: () => Promise<Response>) => {
    const sent: (GuardedRequest & { readonly url: string })[] = [];
    const fetch = modelFetch(async (url, init = {}) => {
      sent.push({ url, ...init });
      return answer();
    }, 'this-hub');
    return { sent, provider: createProvider('bedrock', { variable: (name) => VARIABLES[name], fetch }) };
  };

  it('name the hub, follow no redirect, and fail with what the policy refuses', async () => {
    const { sent, provider } = bedrockAt(async () => {
      throw new PlugboardError('URL_REFUSED', 'The address 169.254.169.254 is refused.');
    });
    await expect(provider.complete(request)).rejects.toThrow('The address 169.254.169.254 is refused.');
    expect(sent).toMatchObject([
      {
        url: 'https://bedrock-runtime.eu-north-1.amazonaws.com/model/anthropic.claude-v1%3A0/converse',
        headers: { [HOP_HEADER]: 'this-hub', authorization: expect.stringContaining('AKIAEXAMPLE') as string },
        redirect: 'error',
      },
    ]);
  });

  it.each(['complete', 'stream'] as const)('get no more than an answer may have: %s', async (how) => {
    const contentType = how === 'stream' ? 'application/vnd.amazon.eventstream' : 'application/json';
    const tooMuch = (): ReadableStream<Uint8Array> => {
      let left = 40;
      return new ReadableStream({
        pull: (controller) => {
          left -= 1;
          // The head of a frame that promises 64 MiB, and then nothing but zeros.
          const part = Buffer.alloc(1024 * 1024);
          if (left === 39) part.writeUInt32BE(64 * 1024 * 1024);
          controller.enqueue(part);
          if (left === 0) controller.close();
        },
      });
    };
    const { provider } = bedrockAt(async () => new Response(tooMuch(), { headers: { 'content-type': contentType } }));
    const answer = async (): Promise<unknown> => {
      if (how === 'complete') return provider.complete(request);
      for await (const event of provider.stream(request)) if (event.type === 'answer') return event;
      return undefined;
    };
    await expect(answer()).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining('its answer is larger than') as string,
    });
  });
});

describe('the address of a model', () => {
  const own = new OwnPlaces('https://hub.example/path');
  own.listensAt('http://127.0.0.1:2091');
  const check = modelUrlCheck(createUrlGuard({ mode: 'deny-private', loopback: 'allow' }), own);

  it.each([
    'http://127.0.0.1:2091/v1',
    'http://localhost:2091/v1',
    'http://[::1]:2091/v1',
    'https://hub.example/v1',
    'http://10.0.0.1/v1',
  ])('is not %s', (url) => {
    expect(() => check(url)).toThrow(expect.objectContaining({ code: 'URL_REFUSED' }) as Error);
  });

  it.each(['http://127.0.0.1:11434/v1', 'https://llm.example/v1'])('may be %s', (url) => {
    expect(() => check(url)).not.toThrow();
  });
});
