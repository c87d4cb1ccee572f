import { Readable } from 'node:stream';
import {
  BedrockRuntimeClient,
  type ConverseStreamOutput,
  ConverseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { converseFrame, eventFrame } from './event-frame.js';

/** What the official SDK reads from these bytes. */
const decode = async (chunks: readonly Uint8Array[]): Promise<readonly ConverseStreamOutput[]> => {
  const response = {
    statusCode: 200,
    headers: { 'content-type': 'application/vnd.amazon.eventstream' },
    body: Readable.from(chunks),
  };
  const client = new BedrockRuntimeClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    endpoint: 'http://double.test',
    maxAttempts: 1,
    requestHandler: { handle: async () => ({ response }) },
  });
  const messages = [{ role: 'user' as const, content: [{ text: 'Hi' }] }];
  const { stream } = await client.send(new ConverseStreamCommand({ modelId: 'm', messages }));
  const events: ConverseStreamOutput[] = [];
  for await (const event of stream ?? []) events.push(event);
  return events;
};

const delta = (text: string) => ({
  event: 'contentBlockDelta',
  data: { contentBlockIndex: 0, delta: { text } },
});

const frame = (piece: { readonly event?: string; readonly data: unknown }): Buffer => Buffer.from(converseFrame(piece));

const texts = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 8 });

test('the official decoder reads back every text, however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 64 }), async (sent, size) => {
      const bytes = Buffer.concat(sent.map((text) => frame(delta(text))));
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const events = await decode(chunks);
      expect(events.map((event) => event.contentBlockDelta?.delta?.text)).toEqual(sent);
    }),
    { numRuns: 40 },
  );
});

test('the official decoder notices every changed byte', async () => {
  const bytes = frame(delta('Rain.'));
  expect(await decode([bytes])).toHaveLength(1);
  const LENGTHS = 8;
  for (let at = LENGTHS; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    await expect(decode([changed]), `byte ${at}`).rejects.toThrow(/checksum/u);
  }
});

test('an exception is a frame of another type', async () => {
  const thrown = decode([
    frame(delta('Ra')),
    frame({ event: 'throttlingException', data: { message: 'Too many requests.' } }),
  ]);
  await expect(thrown).rejects.toMatchObject({ name: 'ThrottlingException', message: 'Too many requests.' });
});

test('the layout: lengths, their checksum, headers, payload, checksum of all', () => {
  const bytes = eventFrame({ a: 'bc' }, 'né');
  const head = Buffer.from([1, 97, 7, 0, 2, 98, 99]);
  expect(bytes.readUInt32BE(0)).toBe(bytes.length);
  expect(bytes.readUInt32BE(4)).toBe(head.length);
  expect(bytes.subarray(12, 12 + head.length)).toEqual(head);
  expect(bytes.subarray(12 + head.length, -4).toString()).toBe('né');
});

test('a text is sent as it is, though it is no JSON', () => {
  expect(frame({ event: 'messageStop', data: '{"oops": ' }).toString('latin1')).toContain('{"oops": ');
});
