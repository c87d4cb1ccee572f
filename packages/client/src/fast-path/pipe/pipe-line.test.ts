import type { PassThrough } from 'node:stream';
import { buildNotification, buildRequest, type JsonRpcResponse } from '@plugboard/wire';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { McpClientError } from '../../error/client-error.js';
import { createFakeChild } from '../../supervisor/test-support/fake-child.js';
import type { LiveSession } from '../../session/live-session.js';
import { StdioTransport } from '../../transport/stdio.js';
import type { Incoming } from '../../transport/transport.js';
import { DirectAccess } from '../direct-access.js';
import type { DirectMessage, FastLine, Unusual } from '../line/fast-line.js';
import type { LineUnderWay } from '../line/sent-request.js';
import { PipeLine } from './pipe-line.js';
import type { PipeExchange } from './pipe-exchange.js';

const { signal } = new AbortController();
const plain = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } });
const messageOf = (id: number, changes: Partial<DirectMessage> = {}): DirectMessage => ({
  id,
  body: Buffer.from(`{"id":${id}}\n`),
  headers: [],
  maxBytes: 1000,
  wantsLog: true,
  ...changes,
});

const rig = async ({ free = true, fits = true }: { readonly free?: boolean; readonly fits?: boolean } = {}) => {
  const child = createFakeChild(1);
  const stdin = child.process.stdin as PassThrough;
  const incoming: Incoming[] = [];
  const noise: string[] = [];
  const transport = new StdioTransport({
    name: 's',
    events: { onIncoming: (one) => incoming.push(one), onNoise: (text) => noise.push(text), onLost: () => undefined },
    launch: () => Promise.resolve(child.process),
  });
  await transport.open(signal);
  const gate = { tryEnter: vi.fn(() => free), answered: vi.fn(), leave: vi.fn() };
  const live = {
    generation: 1,
    transport,
    agreement: { revision: { era: 'legacy' }, version: '2025-11-25' },
  } as unknown as LiveSession;
  const line = new PipeLine({ live, target: transport.direct(), gate, callMs: 60_000, nextId: () => 9 });
  const listener = {
    onAnswer: vi.fn(() => fits),
    onProgress: vi.fn(() => false),
    onUnusual: vi.fn<(reason: Unusual) => void>(),
  };
  const begin = (id: number, changes: Partial<DirectMessage> = {}): PipeExchange => {
    const message = messageOf(id, changes);
    const exchange = line.prepare(message, listener);
    if (exchange === undefined) throw new Error('there is a place');
    line.post(message, exchange);
    return exchange;
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  /** What the program says; resolves when it was read. */
  const say = async (...lines: readonly (string | object)[]): Promise<void> => {
    const text = lines.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');
    (child.process.stdout as PassThrough).write(text);
    await turn();
  };
  /** What the program was sent so far; from Node 26 on, each read gives one chunk. */
  const heard = (): string => {
    const chunks: Buffer[] = [];
    for (let chunk = stdin.read(); chunk !== null; chunk = stdin.read()) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  };
  /** The same call on the full path. */
  const goOn = (underWay: LineUnderWay, onIncoming: (one: Incoming) => void = () => undefined) =>
    transport.request(buildRequest(underWay.id, 'tools/call'), { signal, onIncoming, underWay });
  return { child, stdin, transport, line, live, gate, listener, begin, say, turn, heard, goOn, incoming, noise };
};

const failureOf = async (work: Promise<JsonRpcResponse>): Promise<McpClientError> => {
  const thrown: unknown = await work.catch((error: unknown) => error);
  if (thrown instanceof McpClientError) return thrown;
  throw new Error('it did not fail');
};

describe('a call on the fast path to a program', () => {
  it('is one line, and gets the answer with its id', async () => {
    const { begin, say, turn, heard, listener, gate, transport } = await rig();
    begin(1);
    begin(2);
    await turn();
    expect(heard()).toBe('{"id":1}\n{"id":2}\n');
    expect(transport.sentAsBytes).toBe(2);
    await say(plain(2));
    expect(String(listener.onAnswer.mock.calls[0]?.at(0))).toBe(plain(2));
    expect(transport.sentAsBytes).toBe(1);
    await say(`${plain(1)}\r`);
    expect(String(listener.onAnswer.mock.calls[1]?.at(0))).toBe(plain(1));
    expect([transport.sentAsBytes, gate.answered.mock.calls.length, gate.leave.mock.calls.length]).toEqual([0, 2, 0]);
    expect(listener.onUnusual).not.toHaveBeenCalled();
  });

  it('gets no answer with another id, or a second one', async () => {
    const { begin, say, listener, transport } = await rig();
    begin(1);
    await say(plain(513), plain(7), '{"jsonrpc":"2.0","id":"1","result":{"content":[]}}', 'noise');
    expect(listener.onAnswer).not.toHaveBeenCalled();
    await say(plain(1), plain(1));
    expect(listener.onAnswer).toHaveBeenCalledOnce();
    expect(transport.sentAsBytes).toBe(0);
  });

  it('has no place when the policies have none, and takes none for what cannot be sent', async () => {
    const full = await rig({ free: false });
    expect(full.line.prepare(messageOf(1), full.listener)).toBeUndefined();
    const { line, listener, gate, begin } = await rig();
    for (const body of ['{"id":\n1}\n', '{"id":\r1}\n', '{"id":1}', '']) {
      expect(line.prepare(messageOf(1, { body: Buffer.from(body) }), listener)).toBeUndefined();
    }
    begin(1);
    // The slot of its id is taken.
    expect(line.prepare(messageOf(513), listener)).toBeUndefined();
    expect(gate.tryEnter).toHaveBeenCalledOnce();
  });

  it('is not begun while the program does not read, or is gone', async () => {
    const { line, listener, stdin, child } = await rig();
    stdin.write(Buffer.alloc(stdin.writableHighWaterMark + 1));
    expect(line.prepare(messageOf(1), listener)).toBeUndefined();
    stdin.resume();
    await expect.poll(() => line.prepare(messageOf(1), listener)).toBeDefined();
    child.end();
    (child.process.stdout as PassThrough).destroy();
    await expect.poll(() => listener.onUnusual.mock.calls).toEqual([['failed']]);
    expect(line.prepare(messageOf(2), listener)).toBeUndefined();
  });
});

describe('progress of a call', () => {
  const progress = (token: unknown) => ({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: token, progress: 1 },
  });

  it('is told as it comes, in order with the answer', async () => {
    const { begin, say, listener } = await rig();
    listener.onProgress.mockReturnValue(true);
    begin(1);
    await say(progress(1), progress(1), { jsonrpc: '2.0', id: 1, result: { content: [] } });
    expect(listener.onProgress).toHaveBeenCalledTimes(2);
    expect(listener.onAnswer).toHaveBeenCalledOnce();
    const last = (mock: { mock: { invocationCallOrder: number[] } }): number =>
      mock.mock.invocationCallOrder.at(-1) ?? 0;
    expect(last(listener.onProgress)).toBeLessThan(last(listener.onAnswer));
    expect(listener.onUnusual).not.toHaveBeenCalled();
  });

  it('continues on the full path when it cannot be passed on here', async () => {
    const { begin, say, listener } = await rig();
    begin(1);
    await say(progress(1));
    expect(listener.onUnusual).toHaveBeenCalledExactlyOnceWith('notification');
  });

  it('of nobody here is left to others', async () => {
    const { begin, say, listener } = await rig();
    begin(1);
    await say(progress(2), progress('1'));
    expect(listener.onProgress).not.toHaveBeenCalled();
  });
});

describe('a call that turns out to be unusual', () => {
  it('continues on the full path with an answer that came already', async () => {
    const failure = { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'bad' } };
    const { begin, say, listener, goOn, gate, heard } = await rig();
    const exchange = begin(1);
    heard();
    await say(failure);
    expect(listener.onUnusual).toHaveBeenCalledExactlyOnceWith('answer');
    const underWay = exchange.handOver();
    expect(underWay.isOpen).toBe(true);
    expect(await goOn(underWay)).toEqual(failure);
    expect([underWay.isOpen, underWay.claim()]).toEqual([false, undefined]);
    // Whoever has the place now frees it; nothing was sent again.
    expect([gate.leave.mock.calls.length, gate.answered.mock.calls.length, heard()]).toEqual([0, 0, '']);
    underWay.drop();
    expect(gate.leave).toHaveBeenCalledOnce();
  });

  it('continues with an answer that cannot be passed on as it is, or is too long', async () => {
    const refused = await rig({ fits: false });
    const exchange = refused.begin(1);
    await refused.say(plain(1));
    expect(refused.listener.onUnusual).toHaveBeenCalledExactlyOnceWith('answer');
    expect(await refused.goOn(exchange.handOver())).toEqual(JSON.parse(plain(1)));
    const { begin, say, listener, goOn } = await rig();
    const long = begin(1, { maxBytes: 10 });
    await say(plain(1));
    expect(listener.onAnswer).not.toHaveBeenCalled();
    expect(await goOn(long.handOver())).toEqual(JSON.parse(plain(1)));
  });

  it('hears what came before it was taken over, in order, and then its answer', async () => {
    const progress = (count: number) =>
      buildNotification('notifications/progress', { progressToken: 1, progress: count });
    const { begin, say, listener, goOn } = await rig();
    const exchange = begin(1);
    begin(2);
    await say(progress(1));
    expect(listener.onUnusual).toHaveBeenCalledExactlyOnceWith('notification');
    await say(progress(2));
    const told: unknown[] = [];
    const answer = goOn(exchange.handOver(), ({ message }) => told.push(message));
    await say(progress(3), plain(1));
    expect(await answer).toEqual(JSON.parse(plain(1)));
    expect(told).toEqual([1, 2, 3].map(progress));
  });

  it('is asked what only it can have caused', async () => {
    const question = buildRequest(99, 'roots/list');
    const { begin, say, listener, incoming, goOn } = await rig();
    const exchange = begin(1);
    await say(question);
    expect(listener.onUnusual).toHaveBeenCalledExactlyOnceWith('question');
    const asked: unknown[] = [];
    const answer = goOn(exchange.handOver(), ({ message }) => asked.push(message));
    expect(asked).toEqual([question]);
    // With another call beside it there is no telling.
    begin(2);
    await say(question);
    expect(incoming).toEqual([{ kind: 'request', message: question }]);
    await say(plain(1), plain(2));
    await answer;
  });

  it('gets log messages only where it may have caused them', async () => {
    const log = buildNotification('notifications/message', { level: 'info', data: 1 });
    const { begin, say, listener, incoming } = await rig();
    begin(1, { wantsLog: false });
    await say(log);
    expect([incoming.length, listener.onUnusual.mock.calls.length]).toEqual([1, 0]);
    begin(2);
    await say(log);
    expect([incoming.length, listener.onUnusual.mock.calls]).toEqual([1, [['notification']]]);
  });

  it('does not keep the channel waiting for another request that is not read', async () => {
    const { begin, say, transport, child, listener } = await rig();
    const never = new Promise<void>(() => undefined);
    void transport
      .request(buildRequest(5, 'tools/call'), { signal, onIncoming: () => undefined, pace: () => never })
      .catch(() => undefined);
    await say(buildNotification('notifications/progress', { progressToken: 5, progress: 1 }));
    expect(child.process.stdout.isPaused()).toBe(true);
    begin(1);
    await expect.poll(() => child.process.stdout.isPaused()).toBe(false);
    await say(plain(1));
    expect(listener.onAnswer).toHaveBeenCalledOnce();
    await transport.close();
  });

  it('may have been executed when the program ends, unless the line was not written', async () => {
    const written = await rig();
    const exchange = written.begin(1);
    await written.say();
    written.child.end();
    (written.child.process.stdout as PassThrough).destroy();
    await expect.poll(() => written.listener.onUnusual.mock.calls).toEqual([['failed']]);
    expect((await failureOf(written.goOn(exchange.handOver()))).delivery).toBe('ambiguous');

    const unwritten = await rig();
    unwritten.stdin.destroy();
    const { line, listener, child } = unwritten;
    Object.defineProperty(unwritten.stdin, 'writable', { value: true });
    const message = messageOf(1);
    const broken = line.prepare(message, listener);
    if (broken === undefined) throw new Error('there is a place');
    line.post(message, broken);
    child.end();
    (child.process.stdout as PassThrough).destroy();
    await expect.poll(() => listener.onUnusual.mock.calls).toEqual([['failed']]);
    expect((await failureOf(unwritten.goOn(broken.handOver()))).delivery).toBe('not-executed');
  });

  it('fails on the full path when the program ends there', async () => {
    const { begin, say, goOn, child } = await rig();
    const exchange = begin(1);
    await say(buildNotification('notifications/progress', { progressToken: 1, progress: 1 }));
    const answer = failureOf(goOn(exchange.handOver()));
    child.end();
    (child.process.stdout as PassThrough).destroy();
    expect((await answer).delivery).toBe('ambiguous');
  });

  it('is taken back, and the program told, when nobody waits any more', async () => {
    const { begin, line, heard, gate, transport, say, listener } = await rig();
    const exchange = begin(1);
    heard();
    line.cancel(exchange);
    await say(plain(1));
    expect(heard()).toContain('"method":"notifications/cancelled","params":{"requestId":1');
    expect([gate.leave.mock.calls.length, transport.sentAsBytes]).toEqual([1, 0]);
    expect(listener.onAnswer).not.toHaveBeenCalled();
    line.cancel(exchange);
    await say();
    expect(heard()).toBe('');
  });

  it('is taken back when the full path does not want it', async () => {
    const { begin, heard, gate, transport, say } = await rig();
    const exchange = begin(1);
    await say(buildNotification('notifications/progress', { progressToken: 1, progress: 1 }));
    heard();
    exchange.handOver().drop();
    await say();
    expect(heard()).toContain('notifications/cancelled');
    expect([gate.leave.mock.calls.length, transport.sentAsBytes]).toEqual([1, 0]);
  });
});

describe('a call that takes long', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('continues on the full path, where deadlines are', async () => {
    const { begin, listener, goOn, say } = await rig();
    const exchange = begin(1);
    vi.advanceTimersByTime(700);
    expect(listener.onUnusual).not.toHaveBeenCalled();
    vi.advanceTimersByTime(700);
    expect(listener.onUnusual).toHaveBeenCalledExactlyOnceWith('too-slow');
    const answer = goOn(exchange.handOver());
    await say(plain(1));
    expect(await answer).toEqual(JSON.parse(plain(1)));
    expect(listener.onAnswer).not.toHaveBeenCalled();
  });
});

it('is offered for the pipe of a program, and says what it speaks', async () => {
  const { live } = await rig();
  const line: FastLine | undefined = new DirectAccess({ policies: undefined, callMs: 1, nextId: () => 4 }).to(live);
  expect(line).toBeInstanceOf(PipeLine);
  expect([line?.transport, line?.ending, line?.era, line?.revision, line?.nextId()]).toEqual([
    'stdio',
    '\n',
    'legacy',
    '2025-11-25',
    4,
  ]);
});
