import { LightAbort } from '@plugboard/base';
import type { Dispatcher } from 'undici';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Http1Pool } from '../fast-path/http1/http1-pool.js';
import { MemoryServer } from '../fast-path/http1/test-support/memory-server.js';
import type { CredentialSource } from './credential-source.js';
import { type HttpAsk, HttpChannel } from './http-channel.js';

const ask: HttpAsk = {
  method: 'POST',
  url: new URL('http://127.0.0.1:1/mcp'),
  headers: {},
  signal: new AbortController().signal,
};

/** A channel to a server that takes one token, and the tokens that it was sent. */
const channelTo = (accepted: string, credentials: CredentialSource) => {
  const sent: string[] = [];
  const request = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => {
    sent.push(headers['authorization'] ?? '');
    const statusCode = headers['authorization'] === accepted ? 200 : 401;
    return Promise.resolve({ statusCode, headers: {}, body: { dump: () => Promise.resolve() } });
  };
  const dispatcher = { request } as unknown as Dispatcher;
  return { channel: new HttpChannel({ dispatcher, headers: {}, credentials }), sent };
};

it('asks for credentials once for requests that follow each other at once', async () => {
  let asked = 0;
  const headers = () => Promise.resolve({ authorization: `token ${(asked += 1)}` });
  const { channel, sent } = channelTo('token 1', { headers });
  for (let count = 0; count < 3; count += 1) await channel.ask(ask);
  expect(sent).toEqual(['token 1', 'token 1', 'token 1']);
});

it('asks for them again when a request was refused', async () => {
  let token = 'old';
  const { channel, sent } = channelTo('new', {
    headers: () => Promise.resolve({ authorization: token }),
    refresh: () => {
      token = 'new';
      return Promise.resolve(true);
    },
  });
  const answer = await channel.ask(ask);
  expect(answer.status).toBe(200);
  expect(sent).toEqual(['old', 'new']);
});

it.each<[string, (wait: (signal: AbortSignal) => Promise<never>) => CredentialSource]>([
  ['headers', (wait) => ({ headers: wait })],
  ['refresh', (wait) => ({ headers: () => Promise.resolve({}), refresh: (_challenge, signal) => wait(signal) })],
  [
    'rejected',
    (wait) => ({
      headers: () => Promise.resolve({}),
      refresh: () => Promise.resolve(true),
      rejected: (_refusal, signal) => wait(signal),
    }),
  ],
])('gives a source a signal that AbortSignal.any hears: %s', async (_what, sourceOf) => {
  const abort = new LightAbort();
  const heard: boolean[] = [];
  const wait = (signal: AbortSignal): Promise<never> => {
    const either = AbortSignal.any([signal, new AbortController().signal]);
    abort.abort(new Error('enough'));
    heard.push(either.aborted);
    return Promise.reject(new Error('over'));
  };
  const { channel } = channelTo('never', sourceOf(wait));
  await expect(channel.ask({ ...ask, signal: abort.signal })).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(heard).toEqual([true]);
});

it('waits a second at most for the end of a body that nobody wants', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const url = new URL('http://host:1/mcp');
  const { connect, sockets } = new MemoryServer((socket, _body, index) => {
    socket.write(
      index === 0
        ? 'HTTP/1.1 307 Elsewhere\r\nlocation: /there\r\ncontent-length: 9\r\n\r\nand'
        : 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
    );
  });
  const http1 = new Http1Pool({ url, network: {}, connect });
  onTestFinished(() => http1.destroy());
  const channel = new HttpChannel({ dispatcher: {} as Dispatcher, http1, headers: {} });
  const asked = channel.ask({ ...ask, url, id: 2 ** 50, body: () => '{}' });
  await vi.waitFor(
    async () => {
      await vi.advanceTimersByTimeAsync(1000);
      expect(sockets).toHaveLength(2);
    },
    { interval: 1 },
  );
  expect((await asked).status).toBe(200);
});
