import { describe, expect, test } from 'vitest';
import { Counters } from './counters.js';
import { ReceivedLog } from './received-log.js';
import type { Received } from './received.js';

const entry = (method: string, kind: Received['kind'] = 'request'): Omit<Received, 'position'> => ({
  transport: 'stdio',
  kind,
  method,
  id: 1,
  params: {},
  headers: {},
  sessionId: undefined,
  era: 'legacy',
  connection: 1,
});

describe('the log of what was received', () => {
  test('keeps the order and tells messages from bare HTTP requests', () => {
    const log = new ReceivedLog();
    for (const recorded of [entry('a'), entry('GET', 'http'), entry('b', 'notification'), entry('', 'response')]) {
      log.record(recorded);
    }
    expect(log.methods()).toEqual(['a', 'b']);
    expect(log.verbs()).toEqual(['GET']);
    expect(log.entries.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
    expect(log.count('a')).toBe(1);
    log.clear();
    log.record(entry('a'));
    expect(log.entries[0]?.position).toBe(5);
  });

  test('a wait ends at once for what has arrived, and later for what arrives', async () => {
    const log = new ReceivedLog();
    log.record(entry('a'));
    expect((await log.arrival('a')).position).toBe(1);
    const second = log.arrival('a', 2);
    log.record(entry('b'));
    log.record(entry('a'));
    expect((await second).position).toBe(3);
  });

  test('a wait that times out names what came instead', async () => {
    const log = new ReceivedLog();
    log.record(entry('a'));
    await expect(log.arrival('b', 1, { timeoutMs: 1 })).rejects.toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
      message: expect.stringContaining('b number 1'),
      hint: 'It received: a.',
    });
    await expect(new ReceivedLog().until(() => undefined, { timeoutMs: 1 })).rejects.toMatchObject({
      hint: 'It received: nothing.',
    });
  });

  test('a wait can be cancelled', async () => {
    const log = new ReceivedLog();
    const controller = new AbortController();
    const wait = log.arrival('a', 1, { signal: controller.signal });
    controller.abort();
    await expect(wait).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(log.arrival('a', 1, { signal: controller.signal })).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  test('a listener hears until it leaves', () => {
    const log = new ReceivedLog();
    const heard: string[] = [];
    const leave = log.subscribe(({ method }) => heard.push(method));
    log.record(entry('a'));
    leave();
    log.record(entry('b'));
    expect(heard).toEqual(['a']);
  });
});

describe('the counters', () => {
  test('count messages, executions, connections and streams', () => {
    const log = new ReceivedLog();
    const counters = new Counters(log);
    log.record(entry('initialize'));
    log.record(entry('tools/call'));
    log.clear();
    expect([counters.initialize, counters.toolsCall, counters.received('ping')]).toEqual([1, 1, 0]);
    counters.countExecution('a');
    counters.countExecution('a');
    counters.countExecution('b');
    expect([counters.executed(), counters.executed('a'), counters.executed('c')]).toEqual([3, 2, 0]);
    const connection = counters.countConnection();
    const closeStream = counters.countStream();
    expect([connection.number, counters.openConnections, counters.openStreams]).toEqual([1, 1, 1]);
    for (const close of [connection.closed, connection.closed, closeStream, closeStream]) close();
    expect([counters.connections, counters.openConnections, counters.openStreams]).toEqual([1, 0, 0]);
  });
});
