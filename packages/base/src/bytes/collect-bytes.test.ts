import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { collectBytes } from './collect-bytes.js';

const tooLarge = (maxBytes: number): Error => new Error(`more than ${maxBytes}`);

describe('the bytes of a stream', () => {
  it('are all there, from Node and from fetch', async () => {
    const node = Readable.from([Buffer.from('ab'), Buffer.from(''), Buffer.from('c')]);
    expect(String(await collectBytes(node, { maxBytes: 3, tooLarge }))).toBe('abc');
    expect(String(await collectBytes(new Response('abc').body, { maxBytes: 3, tooLarge }))).toBe('abc');
  });

  it.each([null, undefined])('are none where there is %s', async (body) => {
    expect(await collectBytes(body, { maxBytes: 1, tooLarge })).toHaveLength(0);
  });

  it('are refused as soon as there are too many, and the stream is closed', async () => {
    let given = 0;
    let closed = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        given += 1;
        controller.enqueue(new Uint8Array(10));
      },
      cancel: () => {
        closed = true;
      },
    });
    await expect(collectBytes(endless, { maxBytes: 25, tooLarge })).rejects.toThrow('more than 25');
    expect(closed).toBe(true);
    expect(given).toBeLessThan(6);
    const node = Readable.from([Buffer.alloc(10), Buffer.alloc(10)]);
    await expect(collectBytes(node, { maxBytes: 15, tooLarge })).rejects.toThrow('more than 15');
    expect(node.destroyed).toBe(true);
  });

  it('are counted one chunk after the other', async () => {
    const seen: number[] = [];
    const node = Readable.from([Buffer.alloc(2), Buffer.alloc(3)]);
    await collectBytes(node, { maxBytes: 10, tooLarge, onChunk: (bytes) => seen.push(bytes) });
    expect(seen).toEqual([2, 3]);
    const refused = Readable.from([Buffer.alloc(2)]);
    const onChunk = (): void => {
      throw new Error('no room');
    };
    await expect(collectBytes(refused, { maxBytes: 10, tooLarge, onChunk })).rejects.toThrow('no room');
  });

  it('pass a failure of the stream on', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('a');
        throw new Error('reset');
      })(),
    );
    await expect(collectBytes(broken, { maxBytes: 10, tooLarge })).rejects.toThrow('reset');
  });
});
