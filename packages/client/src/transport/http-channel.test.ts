import type { Dispatcher } from 'undici';
import { expect, it } from 'vitest';
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
