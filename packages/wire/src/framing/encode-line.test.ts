import { LineSplitter } from '@plugboard/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeLine } from './encode-line.js';

test('gives back every message, however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 50 }), (values, step) => {
      const messages = values.map((result, id) => ({ jsonrpc: '2.0' as const, id, result }));
      const bytes = Buffer.from(messages.map(encodeLine).join(''));
      const read: unknown[] = [];
      const splitter = new LineSplitter({ onLine: (line) => read.push(JSON.parse(line) as unknown) });
      for (let at = 0; at < bytes.length; at += step) splitter.push(bytes.subarray(at, at + step));
      splitter.end();
      expect(read).toEqual(messages.map((message) => JSON.parse(JSON.stringify(message)) as unknown));
    }),
  );
});

test('an encoded message is one line, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const encoded = encodeLine({ jsonrpc: '2.0', method: text });
      expect(encoded.indexOf('\n')).toBe(encoded.length - 1);
      expect(encoded).not.toContain('\r');
    }),
  );
});
