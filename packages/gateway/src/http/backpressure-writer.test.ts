import { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { ByteBudget } from '@plugboard/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BackpressureWriter } from './backpressure-writer.js';
import { PostReply } from '../listen/http/post-reply.js';

/** A connection whose other end reads only when it is told to. */
class SlowSocket extends Duplex {
  text = '';
  #pass: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#pass = () => {
      this.#pass = undefined;
      this.text += chunk.toString();
      done();
    };
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'utf8', done);
  }

  override _read(): void {
    // Nothing comes from there.
  }

  /** Reads what was sent; true when there was something. */
  readOne(): boolean {
    const had = this.#pass !== undefined;
    this.#pass?.();
    return had;
  }
}

const rigOf = (options: ConstructorParameters<typeof BackpressureWriter>[1] = {}) => {
  const socket = new SlowSocket();
  const response = new ServerResponse(new IncomingMessage(socket as never));
  response.assignSocket(socket as never);
  // The HTTP server passes these on.
  socket.on('close', () => response.destroy()).on('drain', () => response.emit('drain'));
  response.writeHead(200, { 'content-type': 'text/plain' });
  return { socket, response, writer: new BackpressureWriter(response, options) };
};

const MEGABYTE = 'ä'.repeat(512 * 1024);

describe('BackpressureWriter', () => {
  it('lets others wait until its reader has taken everything, and loses nothing', async () => {
    const { socket, writer } = rigOf();
    expect(writer.drained()).toBeUndefined();
    writer.write(MEGABYTE);
    const drained = writer.drained();
    expect(writer.blocked).toBe(true);
    const seen = { drained: false };
    void drained?.then(() => (seen.drained = true));
    writer.write('the end');
    writer.end();
    expect(writer.open).toBe(false);
    let pieces = 0;
    while (!seen.drained || socket.writableLength > 0) {
      if (socket.readOne()) pieces += 1;
      await new Promise((next) => setImmediate(next));
    }
    expect(pieces).toBeGreaterThan(10);
    expect(socket.text.split('ä').length - 1).toBe(512 * 1024);
    expect(socket.text).toContain('the end');
    expect(socket.text).not.toContain('�');
  });

  it('sends small parts of one turn together, in order, and all of them before the end', async () => {
    const { response, writer } = rigOf();
    const written: string[] = [];
    response.write = ((chunk: Buffer) => {
      written.push(chunk.toString());
      return true;
    }) as never;
    for (const part of ['a', 'b', 'c']) writer.writeSoon(part);
    expect(written).toEqual([]);
    await new Promise((next) => setImmediate(next));
    expect(written).toEqual(['abc']);
    writer.writeSoon('d');
    writer.write('e');
    writer.writeSoon('f'.repeat(20_000));
    writer.writeSoon('g');
    writer.end();
    expect(written).toEqual(['abc', 'd', 'e', 'f'.repeat(20_000), 'g']);
    writer.writeSoon('h');
    await new Promise((next) => setImmediate(next));
    expect(written).toHaveLength(5);
  });

  it('queues small parts, too, while its reader is behind', () => {
    const { response, writer } = rigOf({ maxQueuedBytes: 1024 });
    writer.write(MEGABYTE);
    expect([writer.blocked, response.destroyed]).toEqual([true, false]);
    writer.writeSoon('more');
    expect(response.destroyed).toBe(true);
  });

  it('counts what waits, and cuts off a reader for whom there is no room', () => {
    const memory = new ByteBudget({ maxBytes: 3 * 1024 * 1024, maxPerHolder: 2 * 1024 * 1024 });
    const room = () => memory.room('caller');
    const [one, two] = [rigOf({ room }), rigOf({ room })];
    one.writer.write(MEGABYTE);
    expect(memory.used).toBeGreaterThan(900_000);
    two.writer.write(MEGABYTE);
    two.writer.write(MEGABYTE);
    expect([one.response.destroyed, two.response.destroyed]).toEqual([false, true]);
    one.response.emit('close');
    two.response.emit('close');
    expect(memory.used).toBe(0);
  });

  it('cuts off a reader that leaves too much', async () => {
    const { response, writer } = rigOf({ maxQueuedBytes: 1024 * 1024 });
    writer.write('first');
    for (let count = 0; count < 3; count += 1) writer.write(MEGABYTE);
    expect(response.destroyed).toBe(true);
    expect(writer.drained()).toBeUndefined();
  });

  describe('with a clock', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    afterEach(() => void vi.useRealTimers());

    it('cuts off a reader that stands still, and wakes those who wait for it', async () => {
      const { response, writer } = rigOf({ stallMs: 1000 });
      writer.write(MEGABYTE);
      const drained = writer.drained();
      vi.advanceTimersByTime(999);
      expect(response.destroyed).toBe(false);
      vi.advanceTimersByTime(1);
      expect(response.destroyed).toBe(true);
      await drained;
    });

    it('gives a reader that goes on its time for each piece', async () => {
      const { socket, response, writer } = rigOf({ stallMs: 1000 });
      writer.write(MEGABYTE);
      for (let piece = 0; piece < 8; piece += 1) {
        vi.advanceTimersByTime(900);
        while (!socket.readOne()) await new Promise((next) => setImmediate(next));
        await new Promise((next) => setImmediate(next));
      }
      expect(response.destroyed).toBe(false);
    });
  });
});

describe('a large plain answer', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  const replyOf = () => {
    const socket = new SlowSocket();
    const response = new ServerResponse(new IncomingMessage(socket as never));
    response.assignSocket(socket as never);
    return { response, reply: new PostReply({ response, acceptsStream: false, backpressure: { stallMs: 1000 } }) };
  };

  it('is cut off, too, when nobody reads it', () => {
    const { response, reply } = replyOf();
    reply.finish({ text: () => JSON.stringify(MEGABYTE) });
    vi.advanceTimersByTime(1000);
    expect(response.destroyed).toBe(true);
  });

  it('that is kept for everybody is cut off after the time of all its pieces', () => {
    const { response, reply } = replyOf();
    reply.finish({ text: () => '', bytes: [Buffer.alloc(64 * 1024), Buffer.alloc(64 * 1024)] });
    vi.advanceTimersByTime(1999);
    expect(response.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(response.destroyed).toBe(true);
  });
});
