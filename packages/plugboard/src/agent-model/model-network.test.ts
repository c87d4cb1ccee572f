import { createUrlGuard, type GuardedRequest } from '@plugboard/client';
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
