import type { Dispatcher } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import type { LiveSession } from '../session/live-session.js';
import { HttpChannel } from '../transport/http-channel.js';
import type { PostTarget } from '../transport/transport.js';
import type { CallPolicies } from '../policy/policy.js';
import { DirectAccess } from './direct-access.js';
import type { DirectExchange } from './direct-exchange.js';
import { DirectLine } from './direct-line.js';
import type { DirectMessage, Unusual } from './line/fast-line.js';
import type { ResponseHead } from './http1/http1-handler.js';

interface Sent {
  readonly options: Dispatcher.DispatchOptions;
  readonly handler: Dispatcher.DispatchHandler;
}

const controller = () => ({
  aborted: false,
  paused: false,
  reason: null,
  abort: vi.fn(),
  pause: vi.fn(),
  resume: vi.fn(),
});

const message = { id: 7, body: Buffer.from('{}'), headers: ['mcp-name', 'a'], maxBytes: 1000, wantsLog: true };

const rig = (
  options: { readonly token?: () => Promise<string>; readonly free?: boolean; readonly fits?: boolean } = {},
) => {
  const sent: Sent[] = [];
  const dispatch = (asked: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean => {
    sent.push({ options: asked, handler });
    return true;
  };
  const credentials =
    options.token === undefined
      ? undefined
      : { headers: async () => ({ authorization: (await options.token?.()) ?? '' }) };
  const channel = new HttpChannel({ dispatcher: { dispatch } as unknown as Dispatcher, headers: {}, credentials });
  const target: PostTarget = {
    kind: 'post',
    channel,
    url: new URL('http://server.test/mcp?x=1'),
    fields: (proof) => ({ ...proof, accept: 'application/json' }),
  };
  const send = vi.fn(async () => undefined);
  const live = {
    generation: 1,
    transport: { kind: 'streamable_http', send, direct: () => target },
    agreement: { revision: { era: 'legacy' }, version: '2025-11-25' },
  } as unknown as LiveSession;
  const gate = { tryEnter: vi.fn(() => options.free !== false), answered: vi.fn(), leave: vi.fn() };
  let lastId = 0;
  const line = new DirectLine({ live, target, gate, callMs: 60_000, nextId: () => (lastId += 1) });
  const listener = {
    onAnswer: vi.fn(() => options.fits !== false),
    onProgress: vi.fn(() => true),
    onUnusual: vi.fn<(reason: Unusual) => void>(),
  };
  const begin = (
    changes: Partial<DirectMessage> = {},
  ): {
    exchange: DirectExchange;
    link: ReturnType<typeof controller>;
  } => {
    const exchange = line.prepare({ ...message, ...changes }, listener);
    if (exchange === undefined) throw new Error('there is a place');
    line.post(message, exchange);
    const link = controller();
    exchange.onRequestStart(link);
    return { exchange, link };
  };
  return { sent, line, live, gate, listener, begin, send, channel };
};

const answerOf = async (exchange: DirectExchange) => {
  const claimed = await exchange.handOver().claim(new AbortController().signal);
  if (claimed === undefined) throw new Error('nobody claimed it before');
  const chunks = (await claimed.answer.body.toArray()) as Buffer[];
  return { status: claimed.answer.status, text: Buffer.concat(chunks).toString(), sent: claimed.sent };
};

const headWith = (contentType: string): ResponseHead => ({
  contentType,
  headers: () => ({ 'content-type': contentType }),
});

const JSON_TYPE = headWith('application/json; charset=utf-8');
const STREAM_TYPE = headWith('text/event-stream');

describe('a direct line', () => {
  it('hands a stream over that says nothing again and again', () => {
    const { begin, listener } = rig();
    const { exchange, link } = begin();
    exchange.onResponseStart(link, 200, STREAM_TYPE);
    for (let chunk = 0; chunk < 31; chunk += 1) exchange.onResponseData(link, Buffer.from(':\n'));
    expect(listener.onUnusual).not.toHaveBeenCalled();
    exchange.onResponseData(link, Buffer.from(':\n'));
    expect(listener.onUnusual).toHaveBeenCalledExactlyOnceWith('stream');
  });

  const progress = (token: unknown, step = 1) =>
    JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: token, progress: step },
    });

  it('tells of progress as it comes, and takes the answer after it', () => {
    const { begin, listener } = rig();
    const { exchange, link } = begin();
    exchange.onResponseStart(link, 200, STREAM_TYPE);
    const { id } = message;
    const text = [1, 2, 3].map((step) => `event: message\ndata: ${progress(id, step)}\n\n`).join('');
    // Cut in the middle of an event.
    exchange.onResponseData(link, Buffer.from(text.slice(0, 150)));
    exchange.onResponseData(link, Buffer.from(text.slice(150)));
    const told = listener.onProgress.mock.calls as unknown as [Buffer, { start: number; end: number }][];
    expect(
      told.map(([line]) => (JSON.parse(line.toString()) as { params: { progress: number } }).params.progress),
    ).toEqual([1, 2, 3]);
    expect(told.map(([line, { start, end }]) => line.toString('utf8', start, end))).toEqual(
      [1, 2, 3].map(() => String(id)),
    );
    expect(listener.onAnswer).not.toHaveBeenCalled();
    exchange.onResponseData(link, Buffer.from('data: {"answer":1}\n\n'));
    expect(String((listener.onAnswer.mock.calls as unknown as [Buffer][])[0]?.[0])).toBe('{"answer":1}');
    expect(listener.onUnusual).not.toHaveBeenCalled();
  });

  it.each([
    ['another token', `data: ${progress(99)}\n\n`],
    ['a token that only looks like it', `data: ${progress('1')}\n\n`],
    ['an id to come back with', `id: 1\ndata: ${progress(1)}\n\n`],
  ])('hands progress with %s over', async (_what, text) => {
    const { begin, listener } = rig({ fits: false });
    const { exchange, link } = begin();
    exchange.onResponseStart(link, 200, STREAM_TYPE);
    exchange.onResponseData(link, Buffer.from(text));
    expect(listener.onProgress).not.toHaveBeenCalled();
    expect(listener.onUnusual).toHaveBeenCalledExactlyOnceWith('answer');
    const answered = answerOf(exchange);
    exchange.onResponseEnd();
    expect((await answered).text).toBe(text);
  });

  it('hands over what comes after the progress that was told', async () => {
    const { begin, listener } = rig({ fits: false });
    listener.onProgress.mockReturnValueOnce(true).mockReturnValueOnce(false);
    const { exchange, link } = begin();
    exchange.onResponseStart(link, 200, STREAM_TYPE);
    const second = `data: ${progress(message.id, 2)}\n\n`;
    exchange.onResponseData(link, Buffer.from(`data: ${progress(message.id)}\n\n${second}`));
    expect(listener.onUnusual).toHaveBeenCalledOnce();
    const answered = answerOf(exchange);
    exchange.onResponseEnd();
    expect((await answered).text).toBe(second);
  });

  it.each([true, false])('gathers a large answer in one place (taken: %s)', async (fits) => {
    const { begin, listener } = rig({ fits });
    const { exchange, link } = begin({ maxBytes: 1024 * 1024 });
    exchange.onResponseStart(link, 200, JSON_TYPE);
    const parts = Array.from({ length: 10 }, (_unused, index) => Buffer.alloc(60_000, 97 + index));
    for (const part of parts) exchange.onResponseData(link, part);
    exchange.onResponseEnd();
    const [[given, , release] = []] = listener.onAnswer.mock.calls as unknown as [Buffer, undefined, () => void][];
    expect(given?.equals(Buffer.concat(parts))).toBe(true);
    expect(release).toBeTypeOf('function');
    const handedOver = fits ? undefined : (await answerOf(exchange)).text;
    expect(handedOver).toBe(fits ? undefined : Buffer.concat(parts).toString());
  });

  it('hands over an answer that grows too large while it is gathered', async () => {
    const { begin, listener } = rig();
    const { exchange, link } = begin({ maxBytes: 300_000 });
    exchange.onResponseStart(link, 200, JSON_TYPE);
    const parts = Array.from({ length: 6 }, (_unused, index) => Buffer.alloc(60_000, 97 + index));
    for (const part of parts) exchange.onResponseData(link, part);
    expect(listener.onUnusual).toHaveBeenCalledExactlyOnceWith('too-large');
    const answered = answerOf(exchange);
    exchange.onResponseEnd();
    expect((await answered).text).toBe(Buffer.concat(parts).toString());
  });

  it('posts a message with the fields of the connection and its own', () => {
    const { sent, line, begin } = rig();
    begin();
    expect(sent[0]?.options).toMatchObject({
      origin: 'http://server.test',
      path: '/mcp?x=1',
      method: 'POST',
      headers: ['accept', 'application/json', 'mcp-name', 'a'],
    });
    expect([line.era, line.revision, line.nextId()]).toEqual(['legacy', '2025-11-25', 1]);
  });

  it('asks for credentials once in a while', async () => {
    const token = vi.fn(async () => 'Bearer a');
    const { sent, begin } = rig({ token });
    begin();
    await vi.waitFor(() => expect(sent).toHaveLength(1), 20_000);
    begin();
    expect(sent).toHaveLength(2);
    expect(token).toHaveBeenCalledOnce();
    expect(sent[1]?.options.headers).toContain('Bearer a');
  });

  it('hands over a call for which there are no credentials', async () => {
    const { begin, listener, sent } = rig({ token: () => Promise.reject(new Error('locked')) });
    const { exchange } = begin();
    await vi.waitFor(() => expect(listener.onUnusual).toHaveBeenCalledWith('failed'), 20_000);
    await expect(exchange.handOver().claim(new AbortController().signal)).rejects.toThrow(/./u);
    expect(sent).toEqual([]);
  });

  it('has no place for a call when the policies have none', () => {
    const { line, listener } = rig({ free: false });
    expect(line.prepare(message, listener)).toBeUndefined();
  });

  it('is there for sessions whose policies know it, and whose config fixes no field of requests', () => {
    const { live, gate } = rig();
    const access = (policies?: CallPolicies) => new DirectAccess({ policies, callMs: 1, nextId: () => 1 }).to(live);
    expect(access({ gate })).toBeInstanceOf(DirectLine);
    expect(access({})).toBeUndefined();
    expect(access()).toBeInstanceOf(DirectLine);
    expect(new DirectAccess({ policies: undefined, callMs: 1, nextId: () => 1 }).to(undefined)).toBeUndefined();
  });
});

describe('a direct exchange', () => {
  it('ends with an answer that is one message, in one piece or several', () => {
    const { begin, listener, gate } = rig();
    const { exchange, link } = begin();
    exchange.onResponseStart(link, 200, JSON_TYPE);
    exchange.onResponseData(link, Buffer.from('{"a"'));
    exchange.onResponseData(link, Buffer.from(':1}'));
    exchange.onResponseEnd();
    expect(listener.onAnswer).toHaveBeenCalledWith(Buffer.from('{"a":1}'), undefined, undefined);
    expect(gate.answered).toHaveBeenCalledOnce();
    exchange.cancel();
    expect(gate.leave).not.toHaveBeenCalled();
  });

  it('ends with the first event of a stream, and does not wait long for the end of the stream', () => {
    const { begin, listener, gate } = rig();
    const { exchange, link } = begin();
    exchange.onResponseStart(link, 200, STREAM_TYPE);
    exchange.onResponseData(link, Buffer.from('id: 1\ndata: \n\ndata: {"a":'));
    exchange.onResponseData(link, Buffer.from('1}\n\n'));
    expect(listener.onAnswer).toHaveBeenCalledWith(Buffer.from('{"a":1}'), undefined, undefined);
    expect(gate.answered).toHaveBeenCalledOnce();
    exchange.onResponseData(link, Buffer.from('data: more\n\n'));
    exchange.tooSlow();
    expect(link.abort).toHaveBeenCalledOnce();
    expect(listener.onUnusual).not.toHaveBeenCalled();
  });

  it.each<[Unusual, (exchange: DirectExchange, link: ReturnType<typeof controller>) => void, string]>([
    ['status', (exchange, link) => exchange.onResponseStart(link, 404, JSON_TYPE), ''],
    ['content-type', (exchange, link) => exchange.onResponseStart(link, 200, headWith('text/html')), ''],
    [
      'too-large',
      (exchange, link) => {
        exchange.onResponseStart(link, 200, JSON_TYPE);
        exchange.onResponseData(link, Buffer.alloc(1001, 'x'));
      },
      'x'.repeat(1001),
    ],
    [
      // In so many chunks that they take more memory than their bytes.
      'too-large',
      (exchange, link) => {
        exchange.onResponseStart(link, 200, JSON_TYPE);
        for (let count = 0; count < 600; count += 1) exchange.onResponseData(link, Buffer.from('x'));
      },
      'x'.repeat(600),
    ],
    [
      'stream',
      (exchange, link) => {
        exchange.onResponseStart(link, 200, STREAM_TYPE);
        exchange.onResponseData(link, Buffer.from('event: odd\n'));
      },
      'event: odd\n',
    ],
    [
      'answer',
      (exchange, link) => {
        exchange.onResponseStart(link, 200, STREAM_TYPE);
        exchange.onResponseData(link, Buffer.from('data: {}\n\n'));
      },
      'data: {}\n\n',
    ],
    [
      'too-slow',
      (exchange, link) => {
        exchange.onResponseStart(link, 200, JSON_TYPE);
        exchange.onResponseData(link, Buffer.from('{'));
        exchange.tooSlow();
      },
      '{',
    ],
  ])('is handed over with all that came (%s)', async (reason, meet, came) => {
    const { begin, listener, gate } = rig({ fits: false });
    const { exchange, link } = begin();
    meet(exchange, link);
    expect(listener.onUnusual).toHaveBeenCalledWith(reason);
    const answer = answerOf(exchange);
    exchange.onResponseData(link, Buffer.from('rest'));
    exchange.onResponseEnd();
    expect((await answer).text).toBe(`${came}rest`);
    expect(exchange.isOpen).toBe(false);
    // The place goes with it: whoever takes it over gives it back.
    expect(gate.leave).not.toHaveBeenCalled();
    expect(exchange.place.take()).toBe(true);
    expect(exchange.claim(new AbortController().signal)).toBeUndefined();
  });

  it('is handed over before its answer began, too', async () => {
    const { begin } = rig();
    const { exchange, link } = begin();
    exchange.tooSlow();
    const answer = answerOf(exchange);
    exchange.onResponseStart(link, 200, JSON_TYPE);
    exchange.onResponseData(link, Buffer.from('late'));
    exchange.onResponseEnd();
    expect(await answer).toMatchObject({ status: 200, text: 'late' });
  });

  it('tells of a broken connection, before and after it was handed over', async () => {
    const { begin, listener } = rig();
    const broken = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    const [first, second, third] = [begin(), begin(), begin()];
    first.exchange.onResponseError(first.link, broken);
    expect(listener.onUnusual).toHaveBeenCalledWith('failed');
    await expect(first.exchange.handOver().claim(new AbortController().signal)).rejects.toThrow(/./u);
    second.exchange.tooSlow();
    const waiting = second.exchange.handOver().claim(new AbortController().signal);
    second.exchange.onResponseError(second.link, broken);
    await expect(waiting).rejects.toThrow(/./u);
    third.exchange.onResponseStart(third.link, 500, JSON_TYPE);
    const half = await third.exchange.handOver().claim(new AbortController().signal);
    third.exchange.onResponseError(third.link, broken);
    await expect(half?.answer.body.toArray()).rejects.toThrow('reset');
  });

  it('waits with a broken answer until somebody reads it', async () => {
    const { begin } = rig();
    const broken = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    const { exchange, link } = begin();
    exchange.onResponseStart(link, 200, JSON_TYPE);
    exchange.onResponseData(link, Buffer.from('what came '));
    exchange.onResponseData(link, Buffer.from('before'));
    exchange.onResponseError(link, broken);
    const handedOver = exchange.handOver();
    // An error that nobody listens to would end the process by now.
    await new Promise((next) => setTimeout(next, 5));
    const half = await handedOver.claim(new AbortController().signal);
    const read: string[] = [];
    const failure = await new Promise<Error>((fail) => {
      half?.answer.body.on('error', fail).on('data', (chunk: Buffer) => read.push(chunk.toString()));
    });
    expect([read.join(''), failure]).toEqual(['what came before', broken]);
  });

  it('is ended by the signal of whoever took it over', async () => {
    const { begin } = rig();
    const { exchange, link } = begin();
    exchange.tooSlow();
    const abort = new AbortController();
    const waiting = exchange.handOver().claim(abort.signal);
    abort.abort();
    await expect(waiting).rejects.toThrow(/./u);
    expect(link.abort).toHaveBeenCalledOnce();
  });

  it('gives its place back when it is taken back or dropped', () => {
    const { begin, gate, line, send } = rig();
    const [taken, dropped, half] = [begin(), begin(), begin()];
    line.cancel(taken.exchange);
    expect(taken.link.abort).toHaveBeenCalledOnce();
    expect(send).toHaveBeenCalledOnce();
    dropped.exchange.tooSlow();
    dropped.exchange.handOver().drop();
    expect(dropped.link.abort).toHaveBeenCalledOnce();
    half.exchange.onResponseStart(half.link, 500, JSON_TYPE);
    half.exchange.handOver().drop();
    half.exchange.drop();
    expect(half.link.abort).toHaveBeenCalledOnce();
    expect(gate.leave).toHaveBeenCalledTimes(3);
  });
});
