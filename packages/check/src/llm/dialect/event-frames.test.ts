import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFrames } from './event-frames.js';

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

const frame = (headers: Readonly<Record<string, string>>, payload: string): Buffer => {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const length = Buffer.alloc(3);
      length.writeUInt8(7);
      length.writeUInt16BE(Buffer.byteLength(value), 1);
      return Buffer.concat([Buffer.from([Buffer.byteLength(name)]), Buffer.from(name), length, Buffer.from(value)]);
    }),
  );
  const lengths = Buffer.concat([number(head.length + Buffer.byteLength(payload) + 16), number(head.length)]);
  const message = Buffer.concat([lengths, number(crc32(lengths)), head, Buffer.from(payload)]);
  return Buffer.concat([message, number(crc32(message))]);
};

const frames = fc.array(
  fc.record({
    headers: fc.dictionary(fc.stringMatching(/^[:a-z-]{1,20}$/u), fc.string({ maxLength: 30 }), { maxKeys: 4 }),
    payload: fc.string({ maxLength: 200 }),
  }),
  { maxLength: 5 },
);

describe('readFrames', () => {
  test('reads what was written', () => {
    fc.assert(
      fc.property(frames, (written) => {
        const bytes = Buffer.concat(written.map(({ headers, payload }) => frame(headers, payload)));
        expect(readFrames(bytes)).toEqual({ frames: written });
      }),
    );
  });

  test('never throws, and reports bytes that are cut or changed', () => {
    const bytes = frame({ ':event-type': 'messageStart' }, '{"role":"assistant"}');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ flip;
        expect(readFrames(changed).problem).toBeDefined();
        if (at > 0) expect(readFrames(bytes.subarray(0, at)).problem).toContain('stops in the middle');
      }),
    );
  });

  test('never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(readFrames(bytes).frames.length).toBeLessThanOrEqual(bytes.length / 16);
      }),
    );
  });
});
