/// <reference lib="esnext.disposable" />
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { networkError } from '../../error/network-error.js';
import type { Http1Controller } from './http1-handler.js';
import { echoWith, openPoolRig } from './test-support/pool-rig.js';
import { answerOf, postText } from './test-support/post-text.js';
import { RawServer, type Responder } from './test-support/raw-server.js';
import { Recorder } from './test-support/recorder.js';

/** Does something between the choice of the connection and the first byte: what the client cannot have noticed. */
class AtStart extends Recorder {
  readonly #work: () => void;

  constructor(work: () => void) {
    super();
    this.#work = work;
  }

  override onRequestStart(controller: Http1Controller): void {
    super.onRequestStart(controller);
    this.#work();
  }
}

const failureOf = (recorder: Recorder): Promise<unknown> =>
  recorder.answer.then(() => 'it did not fail').catch((thrown: unknown) => thrown);

const keeping: Responder = echoWith(answerOf);
const closing: Responder = (socket, body) => void socket.end(answerOf(body));

/** Only the clock that tells how old connections are: sockets and deadlines go on as ever. */
const useFakeClock = (): void => void vi.useFakeTimers({ toFake: ['performance'] });

afterEach(() => void vi.useRealTimers());

describe('a kept connection that the server closes while a request is about to be written', () => {
  it.each<[string, (socket: Socket) => unknown]>([
    ['in order', (socket) => socket.destroy()],
    ['by a reset', (socket) => socket.resetAndDestroy()],
  ])('%s: nobody can know, so the pool neither repeats it nor says that it was not sent', async (_how, close) => {
    await using rig = await openPoolRig({ server: new RawServer(keeping) });
    const { server, pool } = rig;
    await postText(pool, 'a').answer;
    const [socket] = server.sockets;
    const late = postText(pool, 'b', new AtStart(() => socket && close(socket)));
    expect(networkError(await failureOf(late), 'test')).toMatchObject({
      code: 'UPSTREAM_CLOSED',
      delivery: 'ambiguous',
      temporary: true,
    });
    expect(late.events).toEqual(['start', 'error']);
    expect((await postText(pool, 'c').answer).body.toString()).toBe('c');
    expect([server.received.length, server.sockets.length]).toEqual([2, 2]);
  });

  it('is no matter for requests that only wait for a connection', async () => {
    await using rig = await openPoolRig({
      server: new RawServer(keeping),
      network: { connections: 1 },
    });
    const { server, pool } = rig;
    await postText(pool, 'a').answer;
    const late = postText(pool, 'b', new AtStart(() => server.sockets[0]?.destroy()));
    const waiting = ['c', 'd'].map((text) => postText(pool, text));
    expect(await failureOf(late)).toBeInstanceOf(Error);
    const answers = await Promise.all(waiting.map(({ answer }) => answer));
    expect(answers.map(({ body }) => body.toString())).toEqual(['c', 'd']);
  });

  it('after an answer that did not announce it: each request is sent once at most, and has one end', async () => {
    const server = new RawServer(closing);
    await using rig = await openPoolRig({ server, network: { connections: 2 } });
    const texts = Array.from({ length: 50 }, (_, index) => `request ${index}`);
    const recorders = texts.map((text) => postText(rig.pool, text));
    const failures = await Promise.all(recorders.map(failureOf));
    for (const error of failures.filter((failure) => failure instanceof Error)) {
      expect(networkError(error, 'test')).toMatchObject({ code: 'UPSTREAM_CLOSED', delivery: 'ambiguous' });
    }
    const sent = server.received.map((text) => text.slice(text.indexOf('\r\n\r\n') + 4));
    expect(new Set(sent).size).toBe(sent.length);
    for (const { events } of recorders) expect(events.filter((event) => /end|error/u.test(event))).toHaveLength(1);
  });
});

describe('a server that closes after every answer without saying so', () => {
  it('is found out, and gets a new connection for every request', async () => {
    useFakeClock();
    const server = new RawServer(closing);
    await using rig = await openPoolRig({ server });
    await postText(rig.pool, 'first').answer;
    await server.firstClosed();
    for (let count = 0; count < 20; count += 1) {
      expect((await postText(rig.pool, String(count)).answer).body.toString()).toBe(String(count));
    }
    expect(server.sockets).toHaveLength(21);
  });

  it('gets another chance after a minute', async () => {
    useFakeClock();
    let closes = true;
    const server = new RawServer((socket, body, index) => (closes ? closing : keeping)(socket, body, index));
    await using rig = await openPoolRig({ server });
    const post = (): Promise<unknown> => postText(rig.pool, 'x').answer;
    await post();
    await server.firstClosed();
    closes = false;
    await post();
    await post();
    expect(server.sockets).toHaveLength(3);
    vi.advanceTimersByTime(60_001);
    await post();
    await post();
    expect(server.sockets).toHaveLength(4);
  });

  it('is not one that closes what was idle for a while', async () => {
    useFakeClock();
    await using rig = await openPoolRig({ server: new RawServer(keeping) });
    const { server, pool } = rig;
    await postText(pool, 'a').answer;
    vi.advanceTimersByTime(1000);
    server.sockets[0]?.end();
    await server.firstClosed();
    for (const text of ['b', 'c', 'd']) await postText(pool, text).answer;
    expect(server.sockets).toHaveLength(2);
  });
});

describe('a server that promises to keep a connection for very long', () => {
  it('is believed for ten minutes', async () => {
    useFakeClock();
    const server = new RawServer(echoWith((body) => answerOf(body, 'keep-alive: timeout=86400\r\n')));
    await using rig = await openPoolRig({ server });
    await postText(rig.pool, 'a').answer;
    vi.advanceTimersByTime(599_000);
    await postText(rig.pool, 'b').answer;
    expect(server.sockets).toHaveLength(1);
    vi.advanceTimersByTime(601_000);
    await postText(rig.pool, 'c').answer;
    expect(server.sockets).toHaveLength(2);
  });
});
