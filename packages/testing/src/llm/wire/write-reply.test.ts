import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { memoryNetwork } from '../../transport/network.js';
import type { Reply } from './reply.js';
import { serverSentEvent } from './server-sent-event.js';
import { writeReply } from './write-reply.js';

/** What a client gets for this reply, over connections inside this process; and when the writer is done with it. */
const ask = async (reply: Reply): Promise<{ answer: IncomingMessage; written: Promise<void> }> => {
  const network = memoryNetwork();
  const { promise: written, resolve, reject } = deferred();
  const server = createServer((_, response) => void writeReply(response, reply).then(resolve, reject));
  onTestFinished(() => void server.close());
  const port = await network.listen(server, 0, '127.0.0.1');
  const asked = request({ createConnection: () => network.connect(port) });
  asked.on('error', () => undefined);
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { answer, written };
};

const deferred = () => {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((...both) => {
    [resolve, reject] = both;
  });
  return { promise, resolve, reject };
};

const headers = { 'content-type': 'text/event-stream' };

test('a whole reply has its status, headers and bytes', async () => {
  const { answer, written } = await ask({ status: 429, headers: { 'retry-after': '7' }, body: Buffer.from('slow') });
  expect([answer.statusCode, answer.headers['retry-after'], await text(answer)]).toEqual([429, '7', 'slow']);
  await written;
});

test('a stream has its pieces in order: events, raw text, waits', async () => {
  const pieces = [{ event: 'a', data: { b: 1 } }, { waitMs: 1 }, { raw: ': a comment\n\n' }, { data: '[DONE]' }];
  const { answer, written } = await ask({ headers, pieces, encode: serverSentEvent });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/event-stream']);
  expect(await text(answer)).toBe('event: a\ndata: {"b":1}\n\n: a comment\n\ndata: [DONE]\n\n');
  await written;
});

test('a stream that hangs has begun, and does not end', async () => {
  const { answer, written } = await ask({
    headers,
    pieces: [{ data: 1 }, 'hang', { data: 2 }],
    encode: serverSentEvent,
  });
  const [chunk] = (await once(answer, 'data')) as [Buffer];
  await written;
  expect([chunk.toString(), answer.complete]).toEqual(['data: 1\n\n', false]);
  answer.destroy();
});

test('a client that is gone ends the waiting', async () => {
  const HOUR = 3_600_000;
  const pieces = [{ data: 1 }, { waitMs: HOUR }, { data: 2 }];
  const { answer, written } = await ask({ headers, pieces, encode: serverSentEvent });
  await once(answer, 'data');
  answer.destroy();
  await expect(written).resolves.toBeUndefined();
});
