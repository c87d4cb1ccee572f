import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPeerChannel, type PeerChannel } from './peer-channel.js';
import {
  CLIENT_HEADER,
  LEASE_HEADER,
  LOCAL_HEADER,
  peerKey,
  PROOF_HEADER,
  writeClient,
  writeProof,
} from './peer-proof.js';

const key = peerKey(new Uint8Array(32).fill(7));
const [FROM, TO] = ['aaaaaaaa', 'bbbbbbbb'];

let channel: PeerChannel;
let handled: { readonly authorization: string | undefined; readonly body: string }[];
/** Where the requests came from. */
let clients: (string | undefined)[];

beforeEach(async () => {
  handled = [];
  clients = [];
  channel = await openPeerChannel({
    key,
    id: TO,
    host: '127.0.0.1',
    port: 0,
    isMember: async (id) => id === FROM,
    localKey: 'local-key',
    serves: async () => true,
    handle: (request, response) => {
      clients.push(channel.clientOf(request));
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { authorization } = request.headers;
        handled.push({ authorization, body: Buffer.concat(chunks).toString() });
        response.end('done');
      });
    },
  });
});
afterEach(() => channel.close());

const send = async (headers: OutgoingHttpHeaders, body = '{}', path = '/mcp'): Promise<number> => {
  const sent = httpRequest({ port: channel.port, host: '127.0.0.1', method: 'POST', path, headers, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode ?? 0;
};

const proven = (number: number, isLocal = false): OutgoingHttpHeaders => ({
  [PROOF_HEADER]: writeProof(key, { number, from: FROM, to: TO, method: 'POST', url: '/mcp', isLocal }),
  ...(isLocal ? { [LOCAL_HEADER]: '1' } : {}),
});

/** A proof as replicas of the version before write it: with a random word in the place of the number. */
const provenBefore = (word: string, from = FROM): OutgoingHttpHeaders => {
  const signed = createHmac('sha256', key).update(JSON.stringify([word, from, TO, 'POST', '/mcp', false, null]));
  return { [PROOF_HEADER]: `${from} ${word} ${signed.digest('base64url')}` };
};

describe('a replica of the version before', () => {
  it('passes requests on, each once, while it is a member', async () => {
    const seen = provenBefore('A'.repeat(22));
    expect(await send(seen)).toBe(200);
    expect(await send(seen, '{"method":"tools/call"}')).toBe(403);
    expect(await send(provenBefore('B'.repeat(22)))).toBe(200);
    expect(await send(provenBefore('C'.repeat(22), 'cccccccc'))).toBe(403);
    expect(handled).toHaveLength(2);
  });
});

describe('a neighbour on the network of the replicas', () => {
  it('is refused when it sends again what it saw, with the body of its choice', async () => {
    const seen = proven(1, true);
    expect(await send(seen)).toBe(200);
    expect(await send(seen, '{"method":"tools/call"}')).toBe(403);
    expect(handled).toEqual([{ authorization: 'Bearer local-key', body: '{}' }]);
    // What comes later, or was overtaken, is not concerned.
    expect(await send(proven(3))).toBe(200);
    expect(await send(proven(2))).toBe(200);
    expect(await send(proven(2))).toBe(403);
  });

  it.each<[string, OutgoingHttpHeaders, string?]>([
    ['nothing', {}],
    ['a proof of a caller of its own', { [PROOF_HEADER]: `${FROM} 1 ${'A'.repeat(43)}` }],
    ['a proof with a word for a number', { [PROOF_HEADER]: `${FROM} one ${'A'.repeat(43)}` }],
    ['a proof, and that it is local', { ...proven(1), [LOCAL_HEADER]: '1' }],
    ['a proof, and a lease', { ...proven(1), [LEASE_HEADER]: 'server x 1' }],
    ['a proof of another path', proven(1), '/v1/keys'],
    ['a proof twice', { [PROOF_HEADER]: [String(proven(1)[PROOF_HEADER]), String(proven(2)[PROOF_HEADER])] }],
  ])('is refused with %s', async (_case, headers, path) => {
    expect(await send({ ...headers, authorization: 'Bearer local-key' }, '{}', path)).toBe(403);
    expect(handled).toEqual([]);
  });
});

describe('the address of the client of a request that was passed on', () => {
  const from = (number: number, address: string, of = number): OutgoingHttpHeaders => {
    const signed = String(proven(of)[PROOF_HEADER]);
    return { ...proven(number), [CLIENT_HEADER]: writeClient(key, signed, address) };
  };

  it('is what the process says that passed it on, and never that of this process', async () => {
    expect(await send(from(1, '203.0.113.9'))).toBe(200);
    expect(await send(from(2, '2001:db8::1'))).toBe(200);
    // A replica of the version before does not say, and a caller behind it may send the header.
    expect(await send(proven(3))).toBe(200);
    expect(await send({ ...proven(4), [CLIENT_HEADER]: `127.0.0.1 ${'A'.repeat(43)}` })).toBe(200);
    expect(await send(from(5, '127.0.0.1', 1))).toBe(200);
    expect(clients).toEqual(['203.0.113.9', '2001:db8::1', 'unknown', 'unknown', 'unknown']);
  });
});
